"""The passes leave what a program computes as it was."""

import numpy as np
import pytest

from allo_air.passes.place.air_collapse_herd import AirCollapseHerd
from allo_air.passes.schedule.air_broadcast_detection import AirBroadcastDetection
from allo_air.passes.schedule.air_hoist_dma_in_accum_pattern import AirHoistDmaInAccumPattern
from allo_air.passes.schedule.air_specialize_dma_broadcast import AirSpecializeDmaBroadcast
from helpers import integers, keeps

MATMUL = """
func.func @f(%A: memref<{m}x{k}xi32>, %B: memref<{k}x{n}xi32>, %C: memref<{m}x{n}xi32>) {{
  %cols = arith.constant {cols} : index
  %rows = arith.constant {rows} : index
  air.herd @h tile (%x, %y) in (%sx=%cols, %sy=%rows) args(%a=%A, %b=%B, %c=%C) :
      memref<{m}x{k}xi32>, memref<{k}x{n}xi32>, memref<{m}x{n}xi32> {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %k = arith.constant {k} : index
    %n = arith.constant {n} : index
    %i = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%x]
    %j = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%y]
    scf.for %p = %c0 to %k step %c4 {{
      %la = memref.alloc() : memref<4x4xi32, 2>
      %lb = memref.alloc() : memref<4x4xi32, 2>
      %lc = memref.alloc() : memref<4x4xi32, 2>
      air.dma_memcpy_nd (%la[] [] [], %a[%i, %p] [%c4, %c4] [%k, %c1]) : (memref<4x4xi32, 2>, memref<{m}x{k}xi32>)
      air.dma_memcpy_nd (%lb[] [] [], %b[%p, %j] [%c4, %c4] [%n, %c1]) : (memref<4x4xi32, 2>, memref<{k}x{n}xi32>)
      air.dma_memcpy_nd (%lc[] [] [], %c[%i, %j] [%c4, %c4] [%n, %c1]) : (memref<4x4xi32, 2>, memref<{m}x{n}xi32>)
      linalg.matmul ins(%la, %lb : memref<4x4xi32, 2>, memref<4x4xi32, 2>) outs(%lc : memref<4x4xi32, 2>)
      air.dma_memcpy_nd (%c[%i, %j] [%c4, %c4] [%n, %c1], %lc[] [] []) : (memref<{m}x{n}xi32>, memref<4x4xi32, 2>)
      memref.dealloc %la : memref<4x4xi32, 2>
      memref.dealloc %lb : memref<4x4xi32, 2>
      memref.dealloc %lc : memref<4x4xi32, 2>
    }}
  }}
  return
}}
"""


@pytest.mark.parametrize(("cols", "rows"), [(1, 1), (2, 2), (4, 1), (1, 4), (2, 3)])
@pytest.mark.usefixtures("context")
def test_matmul_is_the_same(cols: int, rows: int) -> None:
    m, n, k = 4 * cols, 4 * rows, 8
    a, b, c = integers(m, k), integers(k, n, seed=1), integers(m, n, seed=2)
    passes = (AirHoistDmaInAccumPattern(), AirBroadcastDetection(), AirSpecializeDmaBroadcast())
    text = MATMUL.format(m=m, n=n, k=k, cols=cols, rows=rows)
    *_, found = keeps(text, passes, a, b, c)
    np.testing.assert_array_equal(found, c + a @ b)
    keeps(text, (AirCollapseHerd(),), a, b, c)
