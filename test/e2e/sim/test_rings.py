"""Cores that walk the buffers of a ring in another order than its DMA: counts balance, and the core has another slot."""

import numpy as np
import pytest

import allo_air
from allo_air.sim.report_types import SimulationError

RING = """
module {
  aie.device(npu2) {
    %shim = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    aie.flow(%shim, DMA : 0, %t, DMA : 0)
    aie.flow(%t, DMA : 0, %shim, DMA : 0)
    %a = aie.buffer(%t) {sym_name = "a"} : memref<16xi32>
    %b = aie.buffer(%t) {sym_name = "b"} : memref<16xi32>
    %z = aie.buffer(%t) {sym_name = "z"} : memref<16xi32>
    %free = aie.lock(%t, 0) {init = FREE : i32, sym_name = "free"}
    %full = aie.lock(%t, 1) {init = 0 : i32, sym_name = "full"}
    %z_free = aie.lock(%t, 2) {init = 1 : i32, sym_name = "z_free"}
    %z_full = aie.lock(%t, 3) {init = 0 : i32, sym_name = "z_full"}
    aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %ever = arith.constant 4294967295 : index
      scf.for %r = %c0 to %ever step %c1 {
BODY
      }
      aie.end
    }
    aie.mem(%t) {
      %0 = aie.dma_start(S2MM, 0, ^in_a, ^next)
    ^in_a:
      aie.use_lock(%free, AcquireGreaterEqual, 1)
      aie.dma_bd(%a : memref<16xi32>, 0, 16)
      aie.use_lock(%full, Release, 1)
      aie.next_bd ^in_b
    ^in_b:
      aie.use_lock(%free, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<16xi32>, 0, 16)
      aie.use_lock(%full, Release, 1)
      aie.next_bd ^in_a
    ^next:
      %1 = aie.dma_start(MM2S, 0, ^out, ^end)
    ^out:
      aie.use_lock(%z_full, AcquireGreaterEqual, 1)
      aie.dma_bd(%z : memref<16xi32>, 0, 16)
      aie.use_lock(%z_free, Release, 1)
      aie.next_bd ^out
    ^end:
      aie.end
    }
    aie.shim_dma_allocation @x(%shim, MM2S, 0)
    aie.shim_dma_allocation @y(%shim, S2MM, 0)
    aie.runtime_sequence(%x : memref<96xi32>, %y : memref<96xi32>) {
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 0 : i64, metadata = @y, issue_token = true} : memref<96xi32>
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 1 : i64, metadata = @x} : memref<96xi32>
      aiex.npu.dma_wait {symbol = @y}
    }
  }
}
"""  # noqa: E501


def step(buffer: str, early: str = "") -> str:
    late = "" if early else "        aie.use_lock(%free, Release, 1)"
    return f"""
        aie.use_lock(%full, AcquireGreaterEqual, 1)
        aie.use_lock(%z_free, AcquireGreaterEqual, 1)
        {early}
        memref.copy {buffer}, %z : memref<16xi32> to memref<16xi32>
{late}
        aie.use_lock(%z_full, Release, 1)"""


def design(*steps: str, free: int = 2) -> str:
    return RING.replace("BODY", "\n".join(steps)).replace("FREE", str(free))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (design(step("%a"), step("%b"), step("%a")), "race.slot"),
        (design(step("%a"), step("%a"), step("%b")), "race.slot"),
        (design(step("%a"), step("%b"), free=3), "race.data"),
        (design(step("%a", "aie.use_lock(%free, Release, 1)"), step("%b")), "race.data"),
    ],
)
def test_another_slot_is_told_from_other_races(text: str, code: str) -> None:
    with pytest.raises(SimulationError) as raised:
        allo_air.simulate(text, np.arange(96, dtype=np.int32), np.zeros(96, np.int32))
    finding, *others = raised.value.report.findings
    assert finding.code == code
    assert [f.code for f in others] == ["race.overwritten"] * ("init = 3" in text)
    assert (code == "race.slot") == ("use the buffers in the order of the ring, a b and again" in finding.cure)


def test_in_the_order_of_the_ring_all_is_well() -> None:
    x, y = np.arange(96, dtype=np.int32), np.zeros(96, np.int32)
    assert allo_air.simulate(design(step("%a"), step("%b")), x, y).ok
    assert (x == y).all()


def iterated(free: int, size: int, stride: int) -> str:
    """One BD of 8 words that iterates over buffer `a`; the core reads its parts in turn."""
    part = """
        aie.use_lock(%full, AcquireGreaterEqual, 1)
        aie.use_lock(%z_free, AcquireGreaterEqual, 1)
        %low = memref.subview %a[AT] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: AT>>
        %to = memref.subview %z[0] [8] [1] : memref<16xi32> to memref<8xi32, strided<[1]>>
        memref.copy %low, %to : memref<8xi32, strided<[1], offset: AT>> to memref<8xi32, strided<[1]>>
        aie.use_lock(%free, Release, 1)
        aie.use_lock(%z_full, Release, 1)"""
    parts = [part.replace("AT", str(at * stride)).replace("%low", f"%low{at}").replace("%to", f"%to{at}") for at in range(size)]
    text = design(*parts, free=free)
    first, rest = text.split("      aie.dma_bd(%a : memref<16xi32>, 0, 16)\n", 1)
    iteration = (
        f"      aie.dma_bd(%a : memref<16xi32>, 0, 8) {{iteration = #aie.bd_iteration<size = {size}, stride = {stride}>}}\n"
    )
    rest = rest.split("      aie.next_bd ^in_a\n", 1)[1]
    ring = iteration + "      aie.use_lock(%full, Release, 1)\n      aie.next_bd ^in_a\n"
    return (first + ring + rest).replace("dma_bd(%z : memref<16xi32>, 0, 16)", "dma_bd(%z : memref<16xi32>, 0, 8)")


def test_a_bd_that_iterates_has_a_buffer_for_each_part() -> None:
    x, y = np.arange(96, dtype=np.int32), np.zeros(96, np.int32)
    report = allo_air.simulate(iterated(2, 2, 8), x, y)
    assert report.ok and not report.findings
    assert (x == y).all()


@pytest.mark.parametrize(("free", "size", "stride", "room"), [(3, 2, 8, 2), (2, 1, 8, 1)])
def test_more_objects_than_an_iteration_has_parts_are_a_race(free: int, size: int, stride: int, room: int) -> None:
    with pytest.raises(SimulationError) as raised:
        allo_air.simulate(iterated(free, size, stride), np.arange(96, dtype=np.int32), np.zeros(96, np.int32))
    [finding] = [f for f in raised.value.report.findings if f.code == "race.overwritten"]
    assert f"begins at {free}" in str(finding) and f"has room for {room}" in str(finding)
