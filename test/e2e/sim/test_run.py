"""How `allo_air.simulate` takes files and arrays: padded shapes, loads of configurations, refusals, and what it prints."""

import re
from pathlib import Path

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.program.reports.render import one_line
from allo_air.program.reports.report import of_run
from allo_air.sim.report_types import Report

HERE = Path(__file__).parent
PASSTHROUGH = (HERE / "designs" / "passthrough_dmas.mlir").read_text()
WAIT = "aiex.npu.dma_wait {symbol = @out}"
BEGIN = re.search(r"aie\.runtime_sequence.*\n", PASSTHROUGH)[0]  # type: ignore[index]


def passthrough(text: str) -> Report:
    a = np.arange(1024, dtype=np.int32)
    b = np.zeros_like(a)
    report = allo_air.simulate(text, a, b)
    np.testing.assert_array_equal(b, a)
    return report


def refused(text: str, says: str) -> None:
    with pytest.raises(AlloAirError, match=says):
        passthrough(text)


def test_arrays_have_the_shapes_from_before_the_padding() -> None:
    text = allo_air.compile(shape=(7, 5, 9), pipeline="gemm-i32", device="npu1").text()
    rng = np.random.default_rng(7)
    a, b = (rng.integers(-99, 99, shape).astype(np.int32) for shape in ((7, 9), (9, 5)))
    c = np.full((7, 5), -1, np.int32)
    assert allo_air.simulate(text, a, b, c).ok
    np.testing.assert_array_equal(c, a @ b)
    with pytest.raises(AlloAirError, match=r"argument 0 of @gemm is 7x9, padded to \w+ on the device; the array given is 6x9"):
        allo_air.simulate(text, a[:6], b, c)


@pytest.mark.parametrize("load", ["{device_ref = @main}", "{id = 1 : i32}"])
def test_a_load_at_the_start_is_what_the_run_begins_with(load: str) -> None:
    assert passthrough(PASSTHROUGH.replace(BEGIN, f"{BEGIN} aiex.npu.load_pdi {load}\n")).ok


def test_other_loads_are_refused() -> None:
    refused(PASSTHROUGH.replace(WAIT, f"aiex.npu.load_pdi {{id = 1 : i32}}\n{WAIT}"), "inside a sequence")
    refused(
        PASSTHROUGH.replace(BEGIN, f"{BEGIN} aiex.npu.load_pdi {{device_ref = @other}}\n"),
        "loads @other, which is not an aie.device of the module",
    )


def test_a_sync_takes_a_range_of_tiles_and_says_what_is_missing() -> None:
    sync = "aiex.npu.sync {channel = 0 : i32, column = 0 : i32, %sdirection = 0 : i32, row = 0 : i32, row_num = 1 : i32}"
    assert passthrough(PASSTHROUGH.replace(WAIT, sync % "column_num = 1 : i32, ")).ok
    refused(PASSTHROUGH.replace(WAIT, sync % ""), r"36:7: error: 'aiex.npu.sync' op requires attribute 'column_num'")


def test_devices_of_aie1_are_refused() -> None:
    text = "aie.device(xcvc1902) {\n%t = aie.tile(1, 3)\n%c = aie.core(%t) { aie.end }\naie.runtime_sequence @s() { }\n}"
    with pytest.raises(AlloAirError, match="is of AIE1, which the simulator does not know"):
        allo_air.simulate(text)


def test_external_buffers_are_refused() -> None:
    external = """
    %host = aie.external_buffer : memref<64xi32>
    %shim = aie.shim_dma(%tile_0_0) {
      %0 = aie.dma_start(MM2S, 1, ^bb1, ^bb2)
    ^bb1:
      aie.dma_bd(%host : memref<64xi32>, 0, 64)
      aie.next_bd ^bb2
    ^bb2:
      aie.end
    }
    aie.shim_dma_allocation @in"""
    text = PASSTHROUGH.replace("    aie.shim_dma_allocation @in", external, 1)
    refused(text, r"moves aie.external_buffer, which is not an aie.buffer of the device; host memory is an argument")


def test_a_channel_that_loops_is_not_started_again() -> None:
    refused(PASSTHROUGH.replace("dma_start(MM2S, 0", "dma_start(S2MM, 0"), r"starts S2MM 0 of tile \(0, 1\) again")


def test_a_packet_flow_leads_somewhere() -> None:
    text = PASSTHROUGH.replace(
        "    %dma =", "    aie.packet_flow(1) {\n      aie.packet_source<%tile_0_0, DMA : 1>\n    }\n    %dma ="
    )
    refused(text, "leads nowhere")


def test_a_fifo_that_cannot_be_lowered_is_named_once() -> None:
    text = """module { aie.device(npu1_1col) {
      %t00 = aie.tile(0, 0)
      %t02 = aie.tile(0, 2)
      aie.objectfifo @in(%t00, {%t02}, 2 : i32) : !aie.objectfifo<memref<15xi8>>
      aie.core(%t02) {
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<15xi8>>
        aie.end
      }
      aie.runtime_sequence(%a : memref<60xi8>) {
        aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 60][0, 0, 0, 1]) {metadata = @in, id = 1 : i64} : memref<60xi8>
      }
    } }"""
    with pytest.raises(AlloAirError) as error:
        allo_air.simulate(text, np.zeros(60, np.int8))
    [found] = error.value.diagnostics
    assert (
        found.line == 4 and "op @in cannot be lowered: 'aie.dma_bd' op transfer length must be multiple of 4" in found.message
    )


def test_a_report_begins_and_ends_with_the_run_at_a_glance() -> None:
    arrays = [np.ones((64, 32), np.int32), np.ones((32, 32), np.int32), np.zeros((64, 32), np.int32)]
    run = allo_air.simulate(HERE / "designs" / "matmul_i32.mlir", *arrays)
    report = of_run("matmul", run, "i32")
    lines = report.text().split("\n")
    assert one_line(report) == lines[0] == lines[-1]
    assert re.fullmatch(r"done: [\d,]+ cycles, [\d.]+ MACs/cycle( \([\d.]+ % of peak\))?, bound by [\w ,]+", lines[0]), lines[0]
    assert re.fullmatch(r"npu1\w* @\w+: done after \d+ cycles, [\d.]+ MACs/cycle", str(run)), str(run)


def test_a_core_that_goes_round_and_does_nothing_hides_no_deadlock():
    """Its time would go on for ever; a core without an end that somebody sees is another matter."""
    design = """aie.device(npu1_1col) {
      %shim = aie.tile(0, 0)
      %t = aie.tile(0, 2)
      aie.flow(%t, DMA : 0, %shim, DMA : 0)
      aie.core(%t) {
        %c1 = arith.constant 1 : i32
        cf.br ^bb1
      ^bb1:
        %x = arith.addi %c1, %c1 : i32
        cf.br ^bb2
      ^bb2:
        cf.br ^bb1
      }
      aie.shim_dma_allocation @out(%shim, S2MM, 0)
      aie.runtime_sequence(%b: memref<16xi32>) {
        aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1])
          {id = 0 : i64, metadata = @out, issue_token = true} : memref<16xi32>
        aiex.npu.dma_wait {symbol = @out}
      }
    }"""
    with pytest.raises(AlloAirError, match=r"deadlock: .* nothing can go on"):
        allo_air.simulate(design, np.zeros(16, np.int32), max_cycles=100_000)
