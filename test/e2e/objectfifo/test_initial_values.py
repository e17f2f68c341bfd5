"""objectFifos that send initial values a finite number of times: what is left of them is not a mistake."""

import numpy as np
import pytest

import allo_air
from allo_air.sim.report_types import SimulationError

DESIGN = """
module {
  aie.device(npu2) {
    %shim = aie.tile(0, 0)
    %mem = aie.tile(0, 1)
    %t = aie.tile(0, 2)
    aie.objectfifo @w(%mem, {%t}, 2 : i32) {COUNTS} : !aie.objectfifo<memref<16xi32>>
      = [dense<1> : memref<16xi32>, dense<2> : memref<16xi32>]
    aie.objectfifo @x(%shim, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @y(%t, {%shim}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %n = arith.constant TIMES : index
      scf.for %r = %c0 to %n step %c1 {
        %ws = aie.objectfifo.acquire @w(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %xs = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
        %ys = aie.objectfifo.acquire @y(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
        %w = aie.objectfifo.subview.access %ws[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %x = aie.objectfifo.subview.access %xs[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        %y = aie.objectfifo.subview.access %ys[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
        scf.for %i = %c0 to %c16 step %c1 {
          %a = memref.load %w[%i] : memref<16xi32>
          %b = memref.load %x[%i] : memref<16xi32>
          %v = arith.muli %a, %b : i32
          memref.store %v, %y[%i] : memref<16xi32>
        }
        aie.objectfifo.release @w(Consume, 1)
        aie.objectfifo.release @x(Consume, 1)
        aie.objectfifo.release @y(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%x : memref<128xi32>, %y : memref<128xi32>) {
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 0 : i64, metadata = @y, issue_token = true}
        : memref<128xi32>
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 1 : i64, metadata = @x} : memref<128xi32>
      aiex.npu.dma_wait {symbol = @y}
    }
  }
}
"""


@pytest.mark.parametrize("times", [8, 4294967295])
@pytest.mark.parametrize(
    ("counts", "weights"),
    [
        ("iter_count = 4 : i32", [1, 2] * 4),
        ("repeat_count = 4 : i32", [1] * 4 + [2] * 4),
        ("repeat_count = 8 : i32", [1] * 8),
        ("iter_count = 4 : i32, repeat_count = 2 : i32", [1, 1, 2, 2] * 2),
    ],
)
def test_values_come_as_often_as_counts_say(counts: str, weights: list[int], times: int) -> None:
    x, y = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    report = allo_air.simulate(DESIGN.replace("COUNTS", counts).replace("TIMES", str(times)), x, y)
    assert report.ok and not report.findings
    assert (y == x * np.repeat(weights, 16)).all()


def test_a_supply_that_one_run_needs_is_remarked_where_margins_are_asked_for() -> None:
    text = DESIGN.replace("COUNTS", "repeat_count = 4 : i32").replace("TIMES", "4294967295")
    report = allo_air.simulate(text, np.arange(128, dtype=np.int32), np.zeros(128, np.int32), margins=True)
    [finding] = [f for f in report.findings if f.code == "state.one-shot"]
    assert "w_cons_lock_0" in str(finding) and "begins at 8, and nothing releases it" in str(finding)


def test_too_few_values_are_a_hang() -> None:
    text = DESIGN.replace(" {COUNTS}", "").replace("TIMES", "8")
    with pytest.raises(SimulationError, match="began at 2, was released 0 times and acquired 2 times"):
        allo_air.simulate(text, np.arange(128, dtype=np.int32), np.zeros(128, np.int32))
