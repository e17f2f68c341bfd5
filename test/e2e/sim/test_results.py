"""Findings about results: rows that overlap, words that nothing wrote, and races whose sides write the same value."""

from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.sim.report_types import Report, SimulationError

PASS = """module {
  aie.device(npu1_1col) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<12xi32>>
    aie.objectfifo @out(%m, {%s}, 2 : i32) : !aie.objectfifo<memref<12xi32>>
    aie.objectfifo.link [@in] -> [@out]([] [])
    aie.runtime_sequence @run(%a : memref<12x12xi32>, %b : memref<12x12xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0]SENT) {id = 0 : i64, metadata = @in} : memref<12x12xi32>
      RECEIVE
    }
  }
}
"""
WAIT = "      aiex.npu.dma_wait {symbol = @out}\n"


def receive(number: int, pattern: str, buffer: str = "%b") -> str:
    fields = f"{{id = {number} : i64, metadata = @out, issue_token = true}}"
    return f"      aiex.npu.dma_memcpy_nd({buffer}{pattern}) {fields} : memref<12x12xi32>\n{WAIT}"


def run(sent: int | str, *receives: str, strict: bool = True) -> Report:
    a, b = np.arange(144, dtype=np.int32).reshape(12, 12), np.zeros((12, 12), np.int32)
    text = PASS.replace("SENT", f"[1, 1, 1, {sent}][0, 0, 0, 1]" if isinstance(sent, int) else sent).replace(
        "RECEIVE", "".join(receives)
    )
    return allo_air.simulate(text, a, b, strict=strict)


def test_a_whole_result_is_no_finding() -> None:
    assert run(144, receive(1, "[0, 0, 0, 0][1, 1, 12, 12][0, 0, 12, 1]")).findings == []


def test_rows_that_overlap_are_an_error() -> None:
    """Rows of twelve words, nine apart: as many words as the result has, and its end stays empty."""
    with pytest.raises(SimulationError) as error:
        run(144, receive(1, "[0, 0, 0, 0][1, 1, 12, 12][0, 0, 9, 1]"))
    message = str(error.value)
    assert (
        ":10:13: error: overlapping-results: argument 1 of @run (memref<12x12xi32>): rows overlap: 33 words written twice, "
        "33 never, the first of these at [9, 3]" in message
    )
    assert "the first to write a word again is S2MM 0 of shim (0, 0), BD 1" in message


def test_tasks_at_one_place_are_an_error() -> None:
    """The second half goes to where the first one is."""
    half = "[0, 0, 0, 0][1, 1, 6, 12][0, 0, 12, 1]"
    report = run(144, receive(1, half), receive(2, half), strict=False)
    assert not report.ok
    [finding] = report.findings
    assert "rows overlap: 72 words written twice, 72 never, the first of these at [6, 0]" in finding.message


def test_words_that_nothing_wrote_are_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    report = run(132, receive(1, "[0, 0, 0, 0][1, 1, 11, 12][0, 0, 12, 1]"))
    assert report.ok
    [finding] = report.findings
    assert finding.kind == "unwritten-results" and not finding.is_error
    text = "argument 1 of @run (memref<12x12xi32>): nothing wrote 12 of 144 words, the first at [11, 0]"
    assert f"warning: unwritten-results: {text}" in capsys.readouterr().err


def test_overlap_and_holes_of_other_sizes_are_a_warning() -> None:
    report = run(72, receive(1, "[0, 0, 0, 0][1, 1, 6, 12][0, 0, 8, 1]"))
    assert report.ok
    [finding] = report.findings
    assert "rows overlap: 20 words written twice, 92 never" in finding.message


def test_tiles_that_overlap_without_a_hole_are_no_finding() -> None:
    """Shapes that do not divide are often done by a last tile that begins earlier."""
    first, last = "[0, 0, 0, 0][1, 1, 9, 12][0, 0, 12, 1]", "[0, 0, 3, 0][1, 1, 9, 12][0, 0, 12, 1]"
    assert run("[1, 2, 9, 12][0, 36, 12, 1]", receive(1, first), receive(2, last)).findings == []


def test_a_buffer_in_and_out_is_no_result() -> None:
    assert run(144, receive(1, "[0, 0, 0, 0][1, 1, 12, 12][0, 0, 9, 1]", "%a")).findings == []


RACE = """!t = memref<8xi32>
module {
  aie.device(npu1_1col) {
    %s = aie.tile(0, 0)
    %t2 = aie.tile(0, 2)
    %t3 = aie.tile(0, 3)
    %flag = aie.buffer(%t2) {sym_name = "flag"} : memref<8xi32>
    %done = aie.lock(%t2, 0) {init = 0 : i32}
    aie.flow(%t2, DMA : 0, %s, DMA : 0)
    aie.core(%t2) {
      LOOP2
      aie.use_lock(%done, Release, 1)
      aie.end
    }
    aie.core(%t3) {
      LOOP3
      aie.use_lock(%done, Release, 1)
      aie.end
    }
    aie.mem(%t2) {
      %0 = aie.dma_start(MM2S, 0, ^send, ^end)
    ^send:
      aie.use_lock(%done, AcquireGreaterEqual, 2)
      aie.dma_bd(%flag : memref<8xi32>, 0, 8)
      aie.next_bd ^end
    ^end:
      aie.end
    }
    aie.shim_dma_allocation @out(%s, S2MM, 0)
    aie.runtime_sequence(%b : !t) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : !t
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
"""
LOOP = """%c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %seven = arith.constant 7 : i32
      scf.for %i = %c0 to %c8 step %c1 {
        %n = arith.index_cast %i : index to i32
        memref.store VALUE, %flag[%i] : memref<8xi32>
      }"""


def race(one: str, other: str, **settings: Any) -> Any:
    text = RACE.replace("LOOP2", LOOP.replace("VALUE", one)).replace("LOOP3", LOOP.replace("VALUE", other))
    report = allo_air.simulate(text, np.zeros(8, np.int32), strict=False, **settings)
    [finding] = report.findings
    assert finding.kind == "data-race"
    return finding


def test_a_race_of_equal_values_says_so() -> None:
    assert race("%seven", "%seven").diagnostic.message.endswith(": both write the same value")
    assert race("%seven", "%n").diagnostic.message.endswith(": both write the same value in 1 of 8 words")


def test_it_says_so_where_the_first_finding_ends_the_run() -> None:
    text = RACE.replace("LOOP2", LOOP.replace("VALUE", "%seven")).replace("LOOP3", LOOP.replace("VALUE", "%seven"))
    with pytest.raises(SimulationError, match=": both write the same value"):
        allo_air.simulate(text, np.zeros(8, np.int32))
    text = RACE.replace("LOOP2", LOOP.replace("VALUE", "%seven")).replace("LOOP3", LOOP.replace("VALUE", "%n"))
    with pytest.raises(SimulationError) as error:
        allo_air.simulate(text, np.zeros(8, np.int32))
    assert "same value" not in str(error.value)
