"""A wrong result is traced back: who wrote its first wrong element, by BDs and their lines, to a store or the host's data."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.sim.report_types import SimulationError
from allo_air.tools.allo_run import main

DESIGNS = Path(__file__).parent / "designs"
JOIN = (DESIGNS / "split_join.mlir").read_text()
INPUT = np.arange(256, dtype=np.int32)


def run(text: str, **settings: Any) -> Any:
    return allo_air.simulate(text, INPUT.copy(), np.zeros(256, np.int32), **settings)


def good(text: str) -> Any:
    out = np.zeros(256, np.int32)
    allo_air.simulate(text, INPUT.copy(), out)
    return out


def line_of(text: str, part: str, nth: int = 0) -> int:
    return [n for n, line in enumerate(text.split("\n"), 1) if part in line][nth]


def test_what_is_right_costs_no_second_run(monkeypatch: pytest.MonkeyPatch) -> None:
    report = run(JOIN, expect=good(JOIN))
    assert report.ok and report.compared[0].ok and not report.origins


def test_a_swapped_pair_of_bds_is_found_by_its_lines() -> None:
    """The memtile joins the cores' tiles in the wrong order: two quarters of each round are exchanged."""
    wanted = good(JOIN)
    one, other = "aie.dma_bd(%out : memref<64xi32>, 16, 16)", "aie.dma_bd(%out : memref<64xi32>, 32, 16)"
    broken = JOIN.replace(one, "HERE").replace(other, one).replace("HERE", other)
    with pytest.raises(SimulationError) as error:
        run(broken, expect=wanted)
    finding, *others = error.value.report.findings
    assert {f.code for f in others} == {"hang.may"}  # its channels share a lock pair
    assert finding.kind == "wrong-result" and finding.tile == (0, 0) and finding.channel == "S2MM 0"
    assert finding.line == line_of(broken, "metadata = @out_alloc")
    assert (
        "b[16] is" in finding.message
        and "128 of 256 elements are wrong (integers, exact): elements 16 to 47," in finding.message
    )
    [compared] = error.value.report.compared
    out, memtile, core = compared.path
    assert (out.kind, out.bd, memtile.kind, memtile.tile, memtile.channel) == ("move", 0, "move", (0, 1), "S2MM 3")
    assert memtile.position[1] == line_of(broken, "aie.dma_bd(%out : memref<64xi32>, 16, 16)")
    assert (core.kind, core.tile) == ("store", (0, 4)) and "memref.store" in broken.split("\n")[core.position[1] - 1]
    assert out.source == "byte 64 of buffer l2_out of memtile (0, 1)"
    assert [count for _, count in compared.writers] == [64, 64]


def test_a_result_that_nothing_wrote() -> None:
    transfer = "%b[0, 0, 0, 0][1, 1, 1, 256]"
    assert transfer in JOIN
    broken = JOIN.replace(transfer, "%b[0, 0, 0, 0][1, 1, 1, 192]").replace(
        "%a[0, 0, 0, 0][1, 1, 1, 256]", "%a[0, 0, 0, 0][1, 1, 1, 192]"
    )
    report = run(broken, expect={"b": good(JOIN)}, strict=False)
    [wrong] = [f for f in report.findings if f.kind == "wrong-result"]
    assert "elements 192 to 255" in wrong.message and "all of them hold 0" in wrong.message
    assert "not written by anything in the run: the array still has its initial values" in wrong.message


def test_data_of_the_host_is_traced_to_its_byte() -> None:
    """Nothing computes on the way: the wrong element is a word of the input, at the offset that the transfer gave."""
    text = (DESIGNS / "passthrough_dmas.mlir").read_text()
    broken = text.replace("%a[0, 0, 0, 0][1, 1, 1, 1024][0, 0, 0, 1]", "%a[0, 0, 0, 512][2, 1, 1, 512][0, 0, 0, 1]")
    a, b = np.arange(1024, dtype=np.int32), np.zeros(1024, np.int32)
    report = allo_air.simulate(broken, a, b, expect=a, strict=False)
    [compared] = report.compared
    assert (
        compared.pattern == "elements 0 to 511" and compared.instead == "they have the values expected 512 elements further on"
    )
    assert compared.path[-1].kind == "read" and compared.path[-1].text == "byte 2048 of host buffer 0 (%a), as the host gave it"
    assert f"BD 0 (<text>:{line_of(broken, '@in}')})" in compared.path[-2].text


def arrays_for(text: str, *arrays: Any) -> list[Any]:
    """As many of `arrays` as the sequence takes, of its length."""
    header = re.search(r"aie\.runtime_sequence[^(]*\((.*?)\) \{", text, re.DOTALL)
    assert header
    sizes = [int(n) for n in re.findall(r"memref<(\d+)xi32>", header[1])]
    return [array[:size].copy() for array, size in zip([*arrays, *arrays], sizes, strict=False)]


def test_two_devices_are_followed_through_both() -> None:
    """A result of the second device comes from a core of the first by way of the host's memory."""
    text = (DESIGNS / "two_devices.mlir").read_text()
    arrays = arrays_for(text[text.index("@both") - 40 :], np.arange(4096, dtype=np.int32), np.zeros(4096, np.int32))
    report = allo_air.simulate(text, *arrays, sequence="both", strict=False, expect={len(arrays) - 1: arrays[-1] - 1})
    [compared] = report.compared
    assert [step.kind for step in compared.path][-1] == "store", compared.notes


@pytest.fixture(scope="module")
def program() -> Any:
    return allo_air.compile(shape=(33, 17, 20), dtype="i16", pipeline="gemm-i16", cache=False)


def test_a_program_is_traced_through_its_padding(program: Any) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (33, 20), np.int16), rng.integers(-9, 9, (20, 17), np.int16)
    wanted = a.astype(np.int64) @ b
    assert (program(a, b, expect=wanted) == wanted).all()
    wanted[32, 16] += 1
    with pytest.raises(SimulationError) as error:
        program(a, b, expect=wanted)
    [compared] = error.value.report.compared
    assert compared.first == (32, 16) and compared.path[-1].kind == "store" and compared.path[-1].tile[1] >= 2
    assert program.report().as_dict()["expected"][0]["first"]["index"] == [32, 16]


SUMS = """#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<3x5xi32>) -> (tensor<3x5xi32>, tensor<3x5xi32>) {
  %e = tensor.empty() : tensor<3x5xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<3x5xi32>) outs(%e : tensor<3x5xi32>) {
  ^bb0(%x: i32, %y: i32):
    %r = arith.addi %x, %x : i32
    linalg.yield %r : i32
  } -> tensor<3x5xi32>
  return %0, %a : tensor<3x5xi32>, tensor<3x5xi32>
}
"""


def test_a_program_of_kernels_is_traced_through_its_buffers() -> None:
    """The device's buffers have other shapes than the caller's arrays, and what is returned as it came has none."""
    a = np.arange(15, dtype=np.int32).reshape(3, 5)
    wanted = [2 * a, a.copy()]
    for array in wanted:
        array[2, 1] += 1
    with pytest.raises(SimulationError) as error:
        allo_air.compile(SUMS, cache=False)(a, expect=wanted)
    computed, same = error.value.report.compared
    assert computed.first == (2, 1) and computed.path[-1].kind == "store" and computed.path[-1].tile[1] >= 2
    assert " of buffer" in computed.path[0].text and "the caller provides it" in same.path[0].text


def test_a_control_program_is_traced_through_its_transfers(program: Any) -> None:
    """Between the host's arrays and what channels move are the transfers of the program."""
    from allo_air.program.checks.provenance import RecordedRun
    from allo_air.program.source import Source
    from allo_air.program.stage import run_stage

    rng = np.random.default_rng(0)
    given = [rng.integers(-9, 9, shape, np.int16) for shape in ((33, 20), (20, 17))]
    run = run_stage(Source(program.text("aie"), "control.mlir"), "aie", given, record=True)
    np.testing.assert_array_equal(run.arrays[2], given[0] @ given[1])
    recorded = RecordedRun(run.report.origins, run.before, run.device_arrays)
    way = recorded.path(2, run.arrays[2].nbytes - 2)
    assert way[0].text.startswith("received by air") and way[0].position[0] == "control.mlir", way
    assert way[1].channel.startswith("S2MM") and way[-1].kind == "store", way
    [untouched] = recorded.path(0, 0)
    assert untouched.text.startswith("not written by anything")
    inputs = [s.text for s in recorded.path(2, 0, inputs=True) if s.kind == "input"]
    assert any("last written by S2MM" in text for text in inputs), inputs


@pytest.fixture
def files(tmp_path: Path) -> Any:
    (tmp_path / "d.mlir").write_text(JOIN)
    np.save(tmp_path / "a.npy", INPUT)
    wanted = good(JOIN)
    np.save(tmp_path / "good.npy", wanted.astype(np.int64))
    wanted[100] += 1
    np.save(tmp_path / "bad.npy", wanted)
    return tmp_path


def test_allo_run_expect(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = [str(files / "d.mlir"), "--input", str(files / "a.npy")]
    assert main([*call, "--expect", str(files / "good.npy")]) == 0
    assert "correct: b is as expected, all 256 elements (integers, exact)" in capsys.readouterr().out
    assert main([*call, "--expect", f"b={files / 'bad.npy'}"]) == 1
    out = capsys.readouterr().out
    assert "WRONG: b[100] is" in out and f"MM2S 4 of memtile (0, 1), BD 5 ({files / 'd.mlir'}:" in out
    assert main([*call, "--expect", f"1={files / 'bad.npy'}", "--json"]) == 1
    [told] = json.loads(capsys.readouterr().out)["expected"]
    assert (told["first"]["index"], told["wrong"], told["path"][-1]["kind"]) == ([100], 1, "store")
    assert told["way"] == told["path"], "0.2.0 had this name (docs/stability.md)"
    assert told["first"]["wanted"] == told["first"]["expected"]
    assert main([*call, "--expect", str(files / "bad.npy"), "--atol", "1"]) == 0


TENSORS = """func.func @f(%a: tensor<32x32xi32>) -> tensor<32x32xi32> {{
  %c = arith.constant dense<{add}> : tensor<32x32xi32>
  %r = arith.addi %a, %c : tensor<32x32xi32>
  return %r : tensor<32x32xi32>
}}
"""
MEMREFS = """func.func @f(%a: memref<1024xi32>, %b: memref<1024xi32>) {{
  %c = arith.constant {add} : i32
  linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%a : memref<1024xi32>) outs(%b : memref<1024xi32>) {{
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %c : i32
    linalg.yield %s : i32
  }}
  return
}}
"""


@pytest.mark.parametrize("kind", [TENSORS, MEMREFS])
@pytest.mark.parametrize(("add", "code"), [(0, 0), (6, 1)])
def test_allo_run_reference(files: Path, kind: str, add: int, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "f.mlir").write_text(kind.format(add=add))
    assert main([str(DESIGNS / "passthrough_dmas.mlir"), "--reference", str(files / "f.mlir")]) == code
    assert ("WRONG: b[0" if code else "correct: b is as expected") in capsys.readouterr().out


def test_a_reference_of_another_shape_is_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "f.mlir").write_text(TENSORS.replace("32x32", "8x8").format(add=1))
    assert main([str(files / "d.mlir"), "--reference", str(files / "f.mlir")]) == 1
    assert "f.mlir is 8x8 of i32; argument 0: 256 of i32 in the design" in capsys.readouterr().err


MATMUL = """func.func @mm(%a: tensor<33x20xi16>, %b: tensor<20x17xi16>) -> tensor<33x17xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<33x17xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<33x17xi32>) -> tensor<33x17xi32>
  %r = linalg.matmul ins(%a, %b : tensor<33x20xi16>, tensor<20x17xi16>) outs(%f : tensor<33x17xi32>) -> tensor<33x17xi32>
  return %r : tensor<33x17xi32>
}
"""


@pytest.mark.parametrize(("change", "verdict"), [(0, "\ncorrect: result 0 is as expected"), (1, "\nWRONG: result 0[0, 0] is")])
def test_a_compiled_program_says_its_verdict_once(
    program: Any, files: Path, change: int, verdict: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program.save(files / "saved")
    (files / "f.mlir").write_text(MATMUL.replace("%z = arith.constant 0", f"%z = arith.constant {change}"))
    assert main([str(files / "saved"), "--reference", str(files / "f.mlir")]) == change
    assert verdict in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--expect", "a.npy", "--reference", "f.mlir"], "give one of them"),
        (["--rtol", "1"], "give one of these"),
        (["--expect", "a.npy", "--no-check"], "--no-check does not go with --expect"),
    ],
)
def test_options_that_contradict_each_other(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(DESIGNS / "split_join.mlir"), *options]) == 2
    assert says in capsys.readouterr().err


def test_several_results_are_named() -> None:
    with pytest.raises(AlloAirError, match="unknown result 'q'"):
        run(JOIN, expect={"q": INPUT})
