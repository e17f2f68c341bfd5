"""Launches whose last blocks overhang, split and padded in memtiles: the simulator against numpy."""

from string import Template

import numpy as np
import pytest

import allo_air
from allo_air.air.backend.xrt import XRTBackend
from allo_air.tools import allo_opt as tool
from helpers import TEST


@pytest.mark.parametrize(("m", "n"), [(100, 90), (33, 64), (64, 45), (20, 20)])
def test_edges(m: int, n: int, capsys: pytest.CaptureFixture[str]) -> None:
    rows, columns = -(-m // 32), -(-n // 32)
    text = Template((TEST / "data/overhang.mlir").read_text()).substitute(
        M=m, N=n, GRID_ROWS=rows, GRID_COLUMNS=columns, ROWS=rows * 32, COLUMNS=columns * 32
    )
    assert tool.main(["--pipeline=air-npu", "--print-pipeline"]) == 0
    passes = capsys.readouterr().out.strip().replace("pad-overhanging-blocks,", "")
    rng = np.random.default_rng(0)
    a = rng.integers(-50, 50, (m, 16), dtype=np.int32)
    b = rng.integers(-50, 50, (16, n), dtype=np.int32)
    program = allo_air.compile(text, passes, cache=False)
    c = np.zeros((rows * 32, columns * 32), np.int32)
    program(a, b, c)
    assert (c[:m, :n] == a @ b).all()


FLAT = """
func.func @k(%a: memref<*xi32>, %b: memref<*xi32>, %c: memref<*xi32>) {
  %gm = arith.constant ${GM} : index
  %gn = arith.constant ${GN} : index
  air.launch (%i, %j) in (%m = %gm, %n = %gn) args(%A = %a, %B = %b, %C = %c) : memref<*xi32>, memref<*xi32>, memref<*xi32>
      attributes {air.actual_sizes = array<i64: ${M}, ${N}, 1>} {
    air.segment @s args(%si = %i, %sj = %j, %SA = %A, %SB = %B, %SC = %C)
        : index, index, memref<*xi32>, memref<*xi32>, memref<*xi32> {
      %c1 = arith.constant 1 : index
      %oa = affine.apply affine_map<()[s0] -> (s0 * 512)>()[%si]
      %ob = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%sj]
      %oc = affine.apply affine_map<()[s0, s1] -> (s0 * ${BLOCK_ROW} + s1 * 16)>()[%si, %sj]
      %la = memref.alloc() : memref<32x16xi32, 1>
      %lb = memref.alloc() : memref<16x16xi32, 1>
      air.dma_memcpy_nd (%la[] [] [], %SA[0, %oa] [32, 16] [16, 1]) : (memref<32x16xi32, 1>, memref<*xi32>)
      air.dma_memcpy_nd (%lb[] [] [], %SB[0, %ob] [16, 16] [${N}, 1]) : (memref<16x16xi32, 1>, memref<*xi32>)
      air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%ha = %la, %hb = %lb, %hc = %SC, %o = %oc)
          : memref<32x16xi32, 1>, memref<16x16xi32, 1>, memref<*xi32>, index {
        %z = arith.constant 0 : i32
        %a1 = memref.alloc() : memref<32x16xi32, 2>
        %b1 = memref.alloc() : memref<16x16xi32, 2>
        %r1 = memref.alloc() : memref<32x16xi32, 2>
        air.dma_memcpy_nd (%a1[] [] [], %ha[] [] []) : (memref<32x16xi32, 2>, memref<32x16xi32, 1>)
        air.dma_memcpy_nd (%b1[] [] [], %hb[] [] []) : (memref<16x16xi32, 2>, memref<16x16xi32, 1>)
        linalg.fill ins(%z : i32) outs(%r1 : memref<32x16xi32, 2>)
        linalg.matmul ins(%a1, %b1 : memref<32x16xi32, 2>, memref<16x16xi32, 2>) outs(%r1 : memref<32x16xi32, 2>)
        air.dma_memcpy_nd (%hc[0, %o] [32, 16] [${WIDE}, 1], %r1[] [] []) : (memref<*xi32>, memref<32x16xi32, 2>)
      }
    }
  }
  return
}
"""


@pytest.mark.parametrize(("m", "n"), [(40, 32), (50, 26), (64, 20)])
def test_edges_of_arrays_without_a_rank(m: int, n: int) -> None:
    rows, columns = -(-m // 32) * 32, -(-n // 16) * 16
    numbers = {"M": m, "N": n, "GM": rows // 32, "GN": columns // 16, "WIDE": columns, "BLOCK_ROW": 32 * columns}
    rng = np.random.default_rng(0)
    a, b = rng.integers(-50, 50, (m, 16), dtype=np.int32), rng.integers(-50, 50, (16, n), dtype=np.int32)
    c = np.zeros((rows, columns), np.int32)
    found = XRTBackend(target_device="npu1").compile_and_load(Template(FLAT).substitute(numbers))(a, b, c)[2]
    assert (found.reshape(rows, columns)[:m, :n] == a @ b).all()
