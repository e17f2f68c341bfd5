"""Scratchpad parameters: what the host gives reaches cores and the offsets of BDs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.tools._values import parameters_of

DESIGN = """
module {
  aiex.scratchpad_parameter @n : i32
  aiex.scratchpad_parameter @o : i32
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    aie.objectfifo @in(%s, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @out(%t, {%s}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %n = aiex.read_scratchpad_parameter @n : i32
      %i = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
      %x = aie.objectfifo.subview.access %i[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %j = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
      %y = aie.objectfifo.subview.access %j[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      scf.for %k = %c0 to %c16 step %c1 {
        %v = memref.load %x[%k] : memref<16xi32>
        %w = arith.muli %v, %n : i32
        memref.store %w, %y[%k] : memref<16xi32>
      }
      aie.objectfifo.release @in(Consume, 1)
      aie.objectfifo.release @out(Produce, 1)
      aie.end
    }
    aie.runtime_sequence @seq(%a : memref<64xi32>, %b : memref<16xi32>) {
      aiex.sync_scratchpad_parameters_from_host
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1])
        {id = 0 : i64, metadata = @in, offset_parameter = @o} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
"""


@pytest.mark.parametrize(("n", "o"), [(4, 0), (-3, 20), (2**29 - 1, 48)])
def test_a_core_and_a_bd_take_what_the_host_gives(n: int, o: int) -> None:
    a, b = np.arange(64, dtype=np.int32), np.zeros(16, np.int32)
    report = allo_air.simulate(DESIGN, a, b, parameters={"n": n, "o": o})
    assert not report.findings  # the shift of the parameter rounds nothing
    np.testing.assert_array_equal(b, (a[o : o + 16].astype(np.int64) * n).astype(np.int32))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": 4}, "parameter @o : i32 is not given"),
        ({"n": 4, "o": 0, "m": 1}, "unknown scratchpad parameter 'm'"),
        ({"n": 2**29, "o": 0}, "does not fit i32: expected -536870912 to 536870911"),
        ({"n": 1.5, "o": 0}, "expected an integer, of type i32"),
        ({"n": 4, "o": -4}, "as the offset of a BD, expected 0 or more"),
    ],
)
def test_values_that_cannot_be_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(AlloAirError, match=message):
        allo_air.simulate(DESIGN, np.zeros(64, np.int32), np.zeros(16, np.int32), parameters=given)


def test_the_command_line_gives_parameters_by_name() -> None:
    assert parameters_of(["n=4", "@o=0x10"]) == {"n": 4, "o": 16}
    for wrong in ("4", "n=x"):
        with pytest.raises(AlloAirError, match="expected NAME=NUMBER"):
            parameters_of([wrong])
