"""What the search over orders finds in designs whose run ends well, and what it leaves alone."""

from pathlib import Path

import numpy as np
import pytest

import allo_air
from allo_air.sim.report_types import SimulationError

HERE = Path(__file__).parent


def codes(name: str, *arrays: int, old: str = "", new: str = "", **settings: object) -> dict[str, str]:
    """The findings of a design of this folder, `old` replaced by `new`: by code, the line that it is at."""
    text = (HERE / f"{name}.mlir").read_text()
    assert old in text
    text = text.replace(old, new, 1)
    try:
        report = allo_air.simulate(text, *[np.zeros(n, np.int32) for n in arrays], strict=False, **settings)
    except SimulationError as error:
        report = error.report
    lines = text.split("\n")
    return {f.code: lines[f.line - 1].strip() if f.line else "" for f in report.findings}


def test_packets_to_one_channel_depend_on_the_order() -> None:
    assert codes("designs/packet_merge", 64, 64) == {"race.order": "aie.packet_flow(0x1) {"}


def test_a_chain_that_is_over_stops_the_second_run() -> None:
    found = codes("designs/transpose", 384, 384, 384, old="      aie.next_bd ^bb1\n", new="      aie.end\n")
    assert found == {"hang.second-run": "%0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)"}


@pytest.mark.parametrize("name", ["sequences/configurations"])
def test_a_device_begins_with_the_locks_that_the_one_before_has_left(name: str) -> None:
    assert "hang.may" not in codes(name, 128, 256)


def test_what_a_chain_sends_the_host_again_is_left_over() -> None:
    old = "{packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>}\n      aie.use_lock(%prod, Release, 1)"
    found = codes("designs/routed", 64, 64, old=old, new=old.replace("prod", "cons"))
    assert found == {"stream.left-over": "%1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)"}


MUTEX = """
module {
  aie.device(npu2) {
    %shim = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    %u = aie.tile(0, 3)
    aie.flow(%t, DMA : 0, %shim, DMA : 0)
    %sum = aie.buffer(%t) {sym_name = "sum"} : memref<4xi32> = dense<0>
    %data = aie.buffer(%u) {sym_name = "data"} : memref<1xi32> = dense<3>
    %mine = aie.lock(%t, 0) {init = 1 : i32, sym_name = "mine"}
    %other = aie.lock(%t, 1) {init = 1 : i32, sym_name = "other"}
    %done = aie.lock(%t, 2) {init = 0 : i32, sym_name = "done"}
    aie.core(%t) {
LOWER
      aie.end
    }
    aie.core(%u) {
UPPER
      aie.end
    }
    aie.mem(%t) {
      %0 = aie.dma_start(MM2S, 0, ^out, ^end)
    ^out:
      aie.use_lock(%done, AcquireGreaterEqual, 2)
      aie.dma_bd(%sum : memref<4xi32>, 0, 4)
      aie.next_bd ^end
    ^end:
      aie.end
    }
    aie.shim_dma_allocation @z(%shim, S2MM, 0)
    aie.runtime_sequence(%z : memref<4xi32>) {
      aiex.npu.dma_memcpy_nd(%z[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]) {id = 0 : i64, metadata = @z} : memref<4xi32>
      aiex.npu.dma_wait {symbol = @z}
    }
  }
}
"""


def adds(first: str, second: str, wait: str = "") -> str:
    """A core that takes two locks and adds to the sum; `wait` comes before."""
    return f"""
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      {wait}
      aie.use_lock(%{first}, AcquireGreaterEqual, 1)
      aie.use_lock(%{second}, AcquireGreaterEqual, 1)
      %v = memref.load %sum[%c0] : memref<4xi32>
      %w = arith.addi %v, %one : i32
      memref.store %w, %sum[%c0] : memref<4xi32>
      aie.use_lock(%{second}, Release, 1)
      aie.use_lock(%{first}, Release, 1)
      aie.use_lock(%done, Release, 1)"""


SLOW = """
      %many = arith.constant 2000 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %many step %c1 {
        %x = memref.load %data[%c0] : memref<1xi32>
        %y = arith.addi %x, %one : i32
        memref.store %y, %data[%c0] : memref<1xi32>
      }"""


@pytest.mark.parametrize("crossed", [False, True])
def test_mutexes_of_cores(crossed: bool) -> None:
    upper = adds("other", "mine", SLOW) if crossed else adds("mine", "other", SLOW)
    result = np.zeros(4, np.int32)
    report = allo_air.simulate(MUTEX.replace("LOWER", adds("mine", "other")).replace("UPPER", upper), result)
    assert result[0] == 2
    assert {f.code for f in report.findings} == ({"hang.may", "race.lock-order"} if crossed else set())
    assert not crossed or "in one order everywhere" in report.findings[0].cure


DATA = """
      %go = memref.load %data[%c0] : memref<1xi32>
      %zero = arith.constant 0 : i32
      %yes = arith.cmpi sgt, %go, %zero : i32"""


@pytest.mark.parametrize("crossed", [False, True])
def test_a_core_that_data_decide_on_does_what_it_did_in_the_run(crossed: bool) -> None:
    first, second = ("other", "mine") if crossed else ("mine", "other")
    inside = adds(first, second, SLOW).split("\n", 3)[3]
    upper = f"""
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32{DATA}
      scf.if %yes {{
{inside}
      }}"""
    report = allo_air.simulate(MUTEX.replace("LOWER", adds("mine", "other")).replace("UPPER", upper), np.zeros(4, np.int32))
    codes = {f.code for f in report.findings}
    assert ("hang.may" in codes) == crossed
    if crossed:
        [hang] = [f for f in report.findings if f.code == "hang.may"]
        assert "as in this run" in hang.message


def split(depth: int) -> str:
    """A core that takes four left halves, then four right ones, of objects that a memtile splits."""
    took = ""
    for name in ("left", "right"):
        took += f"""
        scf.for %{name}_k = %c0 to %c4 step %c1 {{
          %{name}_v = aie.objectfifo.acquire @{name}(Consume, 1) : !aie.objectfifosubview<memref<64xi32>>
          %{name}_e = aie.objectfifo.subview.access %{name}_v[0] : !aie.objectfifosubview<memref<64xi32>> -> memref<64xi32>
          %{name}_o = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<64xi32>>
          %{name}_p = aie.objectfifo.subview.access %{name}_o[0] : !aie.objectfifosubview<memref<64xi32>> -> memref<64xi32>
          memref.copy %{name}_e, %{name}_p : memref<64xi32> to memref<64xi32>
          aie.objectfifo.release @{name}(Consume, 1)
          aie.objectfifo.release @out(Produce, 1)
        }}"""
    return f"""
module {{
  aie.device(npu1) {{
    %shim = aie.tile(0, 0)
    %mem = aie.tile(0, 1)
    %t = aie.tile(0, 2)
    aie.objectfifo @in(%shim, {{%mem}}, 1 : i32) : !aie.objectfifo<memref<128xi32>>
    aie.objectfifo @left(%mem, {{%t}}, 1 : i32) : !aie.objectfifo<memref<64xi32>>
    aie.objectfifo @right(%mem, {{%t}}, {depth} : i32) : !aie.objectfifo<memref<64xi32>>
    aie.objectfifo.link [@in] -> [@left, @right] ([] [0, 64])
    aie.objectfifo @out(%t, {{%shim}}, 2 : i32) : !aie.objectfifo<memref<64xi32>>
    aie.core(%t) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %ever = arith.constant 4294967295 : index
      scf.for %r = %c0 to %ever step %c1 {{{took}
      }}
      aie.end
    }}
    aie.runtime_sequence(%x : memref<1024xi32>, %z : memref<1024xi32>) {{
      aiex.npu.dma_memcpy_nd(%z[0, 0, 0, 0][1, 1, 1, 1024][0, 0, 0, 1]) {{id = 0 : i64, metadata = @out}} : memref<1024xi32>
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 1024][0, 0, 0, 1]) {{id = 1 : i64, metadata = @in}} : memref<1024xi32>
      aiex.npu.dma_wait {{symbol = @out}}
    }}
  }}
}}
"""


def test_the_smallest_change_that_cures_is_tried() -> None:
    arrays = [np.zeros(1024, np.int32), np.zeros(1024, np.int32)]
    with pytest.raises(SimulationError) as error:
        allo_air.simulate(split(1), *arrays)
    hang = error.value.report.findings[0]
    assert hang.code == "hang.lock-cycle"
    assert "1 more object: tried, it hangs in no order then" in hang.cure
    assert "with 64 words in each FIFO of its streams it would continue" in hang.message


def test_margins_are_told_where_they_are_asked_for() -> None:
    arrays = [np.zeros(1024, np.int32), np.zeros(1024, np.int32)]
    assert allo_air.simulate(split(2), *arrays).findings == []
    report = allo_air.simulate(split(2), *arrays, margins=True)
    assert report.ok
    assert [(f.code, f.diagnostic.severity) for f in report.findings] == [("margin.depth", "remark")]
    assert "objectFifo @right" in report.findings[0].message
    assert "begins at 2; with 1 object the design hangs" in report.findings[0].message
