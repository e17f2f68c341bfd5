"""What allo-run says of findings, and leaves for scripts and code hosts; the rules that ask a design before it runs."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.sim.report_types import SimulationError
from allo_air.testing import simulate_design
from allo_air.tools.allo_run import main

FIFOS = """
module {
  aie.device(npu2) {
    %shim = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    aie.objectfifo @in(%shim, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @out(%t, {%shim}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    %core = aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %ever = arith.constant 4294967295 : index
      scf.for %r = %c0 to %ever step %c1 {
        %a = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %ae = aie.objectfifo.subview.access %a[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %o = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %oe = aie.objectfifo.subview.access %o[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        memref.copy %ae, %oe : memref<16xi32> to memref<16xi32>
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%x : memref<SIZExi32>, %z : memref<SIZExi32>) {
SEQUENCE
    }
  }
}
"""


def fill(size: int, offset: int = 0, number: int = 0) -> str:
    return (
        f"      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, {offset}][1, 1, 1, {size}][0, 0, 0, 1]) {{id = {number} : i64,"
        " metadata = @in, issue_token = true} : memref<SIZExi32>"
    )


def drain(size: int) -> str:
    return (
        f"      aiex.npu.dma_memcpy_nd(%z[0, 0, 0, 0][1, 1, 1, {size}][0, 0, 0, 1]) {{id = 15 : i64, metadata = @out,"
        " issue_token = true} : memref<SIZExi32>"
    )


def wait(name: str) -> str:
    return f"      aiex.npu.dma_wait {{symbol = @{name}}}"


def design(*sequence: str, size: int = 1024) -> str:
    return FIFOS.replace("SEQUENCE", "\n".join(sequence)).replace("SIZE", str(size))


LATE = design(fill(1024), wait("in"), drain(1024), wait("out"))
PART = design(drain(992), fill(1000), wait("out"))
BURST = design(drain(96), *(fill(16, 16 * n, n) for n in range(6)), wait("out"), size=96)
FIRST, THEN = [fill(16, 16 * n, n) for n in range(4)], [fill(16, 16 * n, n) for n in (4, 5)]
PACED = design(drain(96), *FIRST, wait("in"), *THEN, wait("out"), size=96)


def saved(tmp_path: Path, text: str) -> str:
    file = tmp_path / "d.mlir"
    file.write_text(text)
    return str(file)


def test_the_place_of_a_hang_is_the_wait_that_comes_too_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([saved(tmp_path, LATE)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(
        "hangs: the runtime sequence waits for a transfer before it starts another on which the first depends [hang.wait-order]"
    )
    assert lines[1].startswith("cure: start objectFifo @out")
    assert "aiex.npu.dma_wait {symbol = @in}" in lines[3]
    assert len(lines) <= 10
    main([saved(tmp_path, LATE), "--verbose"])
    assert len(capsys.readouterr().err.splitlines()) >= len(lines)


def test_a_fill_that_ends_inside_an_object(tmp_path: Path) -> None:
    report = allo_air.simulate(PART, *arrays(1024), strict=False)
    [part] = [f for f in report.findings if f.code == "object.part"]
    assert "62 objects of S2MM 0 of tile (0, 2) and a part: object 63 gets 8 of 16 words" in part.message
    assert part.cure == "let the transfers be 992 or 1,008 words in all"
    assert "metadata = @in" in PART.split("\n")[part.line - 1]


@pytest.mark.parametrize(("text", "found"), [(BURST, ["queue.may-overflow"]), (PACED, [])])
def test_a_burst_that_just_fits_is_a_warning(text: str, found: list[str]) -> None:
    report = allo_air.simulate(text, *arrays(96))
    assert [f.code for f in report.findings] == found


def test_what_fails_a_run_and_what_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, known = saved(tmp_path, BURST), str(tmp_path / "known.json")
    assert main([file]) == 0
    assert capsys.readouterr().out.startswith("may be wrong: more than five tasks are started on a channel")
    assert main([file, "--fail-on", "warning"]) == 1
    assert main([file, "--fail-on", "queue.*"]) == 1
    assert main([file, "--fail-on", "race.*"]) == 0
    assert main([file, "--write-baseline", known]) == 0
    capsys.readouterr()
    assert main([file, "--fail-on", "warning", "--baseline", known]) == 0
    assert capsys.readouterr().out.startswith("right: no finding")


def test_a_projects_baseline_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, known = saved(tmp_path, BURST), tmp_path / "known.json"
    (tmp_path / "allo_air.toml").write_text("[findings]\nbaseline = 'known.json'\nfail-on = 'warning'\n")
    monkeypatch.chdir(tmp_path)
    assert main([file, "--write-baseline", str(known)]) == 0  # there is none yet
    first = known.read_text()
    assert main([file]) == 0
    assert main([file, "--write-baseline", str(known)]) == 0
    assert known.read_text() == first
    assert "queue.may-overflow" in first


def test_what_is_refused_fails_whatever_fails_a_run(tmp_path: Path) -> None:
    file = saved(tmp_path, BURST.replace("aie.device(npu", "aie.device(nopu"))
    assert main([file, "--json", "--fail-on", "never"]) == 1


def test_findings_for_scripts_and_code_hosts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, log = saved(tmp_path, LATE), tmp_path / "log.sarif"
    assert main([file, "--json", "--sarif", str(log)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["findings"][0]["code"]) == ("hangs", "hang.wait-order")
    assert told["cure"] == told["findings"][0]["cure"]
    [run] = json.loads(log.read_text())["runs"]
    [result] = run["results"]
    assert result["ruleId"] == run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "hang.wait-order"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == told["findings"][0]["line"]
    assert result["level"] == "error"
    assert main([saved(tmp_path, BURST), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["report"]["verdict"] == "may be wrong"


def test_a_project_configures_severities(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.allo_air.findings]\nseverity = {"queue.*" = "error"}\n')
    x, _ = arrays(96)
    with pytest.raises(SimulationError, match=r"queue.may-overflow"):
        simulate_design(BURST, [x], [x])
    (tmp_path / "pyproject.toml").write_text('[tool.allo_air.findings]\nseverity = {"queue.*" = "ignore"}\n')
    assert (simulate_design(BURST, [x], [x])[0] == x).all()


def test_the_length_of_a_run_is_an_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = saved(tmp_path, PACED)
    assert main([file, "--max-cycles", "1000"]) == 1
    assert "set a larger --max-cycles" in capsys.readouterr().err
    assert main([file, "--max-cycles", "2e6"]) == 0


def arrays(size: int) -> list[Any]:
    return [np.arange(size, dtype=np.int32), np.zeros(size, np.int32)]


SPLIT = """
module {
  aie.device(npu2) {
    %shim = aie.tile(0, 0)
    %mem = aie.tile(0, 1)
    %t = aie.tile(0, 2)
    aie.objectfifo @in(%shim, {%mem}, 1 : i32) : !aie.objectfifo<memref<128xi32>>
    aie.objectfifo @even(%mem, {%t}, [1, DEPTH]) : !aie.objectfifo<memref<64xi32>>
    aie.objectfifo @odd(%mem, {%t}, [1, DEPTH]) : !aie.objectfifo<memref<64xi32>>
    aie.objectfifo.link [@in] -> [@even, @odd] ([] [0, 64])
    aie.objectfifo @out(%t, {%shim}, 2 : i32) : !aie.objectfifo<memref<64xi32>>
    %core = aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %six = arith.constant 6 : index
      %ever = arith.constant 4294967294 : index
      scf.for %r = %c0 to %ever step %c1 {
LOOPS
      }
      aie.end
    }
    aie.runtime_sequence(%x : memref<768xi32>, %z : memref<768xi32>) {
      aiex.npu.dma_memcpy_nd(%z[0, 0, 0, 0][1, 1, 1, 768][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<768xi32>
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 768][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<768xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
"""  # noqa: E501

COPIES = """
        scf.for %k = %c0 to %six step %c1 {
          %a = aie.objectfifo.acquire @FIFO(Consume, 1) : !aie.objectfifosubview<memref<64xi32>>
          %ae = aie.objectfifo.subview.access %a[0] : !aie.objectfifosubview<memref<64xi32>> -> memref<64xi32>
          %o = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<64xi32>>
          %oe = aie.objectfifo.subview.access %o[0] : !aie.objectfifosubview<memref<64xi32>> -> memref<64xi32>
          memref.copy %ae, %oe : memref<64xi32> to memref<64xi32>
          aie.objectfifo.release @FIFO(Consume, 1)
          aie.objectfifo.release @out(Produce, 1)
        }
"""


def test_who_keeps_others_waiting_is_told_first_and_what_cures_it() -> None:
    """Six even halves before six odd ones: @odd fills up and holds @in, after which the next even half is."""
    text = SPLIT.replace("LOOPS", COPIES.replace("FIFO", "even") + COPIES.replace("FIFO", "odd"))
    with pytest.raises(SimulationError) as raised:
        allo_air.simulate(text.replace("DEPTH", "1"), *arrays(768))
    [finding] = raised.value.report.findings
    assert finding.code == "hang.lock-cycle"
    assert "acquire @even" in text.split("\n")[finding.line - 1]
    assert "the core of tile (0, 2) keeps others waiting" in finding.holders[0]
    assert "waits for 1 free object of @odd" in finding.holders[0]
    assert finding.cure.startswith(
        "give objectFifo @in (depth) 2 more objects: tried, it hangs in no order then, or let the core"
    )
    assert "serve @odd" in finding.cure
    assert allo_air.simulate(text.replace("DEPTH", "6"), *arrays(768)).ok
