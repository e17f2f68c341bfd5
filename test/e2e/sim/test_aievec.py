"""A core of AIEVec's vector operations, on the simulator against numpy."""

from pathlib import Path

import numpy as np

import allo_air

DESIGN = """
module {
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<16xi32>
    %p = aie.lock(%t, 0) {init = 0 : i32}
    %q = aie.lock(%t, 1) {init = 0 : i32}
    aie.flow(%t, DMA : 0, %s, DMA : 0)
    aie.shim_dma_allocation @out(%s, S2MM, 0)
    aie.runtime_sequence @seq(%o : memref<16xi32>) {
        aiex.npu.dma_memcpy_nd(%o[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {
        id = 0 : i64, metadata = @out, issue_token = true} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
    %m = aie.mem(%t) {
      %0 = aie.dma_start(MM2S, 0, ^bd, ^end)
    ^bd:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<16xi32>)
      aie.use_lock(%q, Release, 1)
      aie.next_bd ^bd
    ^end:
      aie.end
    }
    %c = aie.core(%t) {
      %c0 = arith.constant 0 : index
      %v = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
      %k = arith.constant 5 : i32
      %f = arith.constant 2 : i32
      %five = aievec.broadcast_scalar %k : i32, vector<16xi32>
      %a = aievec.add_elem %v, %five : vector<16xi32>
      %h = arith.trunci %a : vector<16xi32> to vector<16xi16>
      %w = aievec.mul_elem %h, %h : vector<16xi16>, vector<16xi16>, vector<16xi32>
      %x = aievec.mac_elem %h, %h, %w {fmsub = true} : vector<16xi16>, vector<16xi16>, vector<16xi32>
      %y = aievec.mac_elem %h, %h, %x : vector<16xi16>, vector<16xi16>, vector<16xi32>
      %u = aievec.ups %y {shift = 3 : i8} : vector<16xi32>, vector<16xi64>
      %z = aievec.srs %u, %f : vector<16xi64>, i32, vector<16xi32>
      %four = aievec.broadcast %v {idx = 4 : i8} : vector<16xi32>, vector<16xi32>
      %mx = aievec.max %v, %four : vector<16xi32>
      %r = aievec.sub_elem %z, %mx : vector<16xi32>
      vector.store %r, %b[%c0] : memref<16xi32>, vector<16xi32>
      aie.use_lock(%p, Release, 1)
      aie.end
    }
  }
}
"""


def test_lanes(tmp_path: Path) -> None:
    (tmp_path / "design.mlir").write_text(DESIGN)
    found = np.zeros(16, np.int32)
    allo_air.simulate(tmp_path / "design.mlir", found).raise_for_findings()
    lanes = np.arange(16)
    np.testing.assert_array_equal(found, ((lanes + 5) ** 2 * 8 >> 2) - np.maximum(lanes, 4))


MOVED = """
      %v = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
      %by = arith.constant 8 : i32
      %third = arith.constant 3 : i32
      %low = aievec.ext %v {index = 0 : i8} : vector<16xi32>, vector<8xi32>
      %high = aievec.ext %v {index = 1 : i8} : vector<16xi32>, vector<8xi32>
      %turned = aievec.concat %high, %low : vector<8xi32>, vector<16xi32>
      %moved = aievec.shift %v, %turned, %by {isAcc = false} : vector<16xi32>, vector<16xi32>, i32, vector<16xi32>
      %bits = aievec.cmp %moved, %turned {pred = "sgt"} : vector<16xi32>, vector<16xi32>, ui32
      %chosen = aievec.sel %turned, %moved, %bits : vector<16xi32>, vector<16xi32>, ui32, vector<16xi32>
      %columns = aievec.shuffle %chosen [t32_4x4] : vector<16xi32>
      %lane = aievec.ext_elem %v, %third : vector<16xi32>, i32, i32
      %all = aievec.broadcast_scalar %lane : i32, vector<16xi32>
      %r = aievec.add_elem %columns, %all : vector<16xi32>
"""


def test_registers(tmp_path: Path) -> None:
    begin, end = DESIGN.index("      %v = arith"), DESIGN.index("      vector.store")
    (tmp_path / "design.mlir").write_text(DESIGN[:begin] + MOVED + DESIGN[end:])
    found = np.zeros(16, np.int32)
    allo_air.simulate(tmp_path / "design.mlir", found).raise_for_findings()
    lanes = np.arange(16)
    turned = np.roll(lanes, 8)
    moved = np.concatenate([lanes, turned])[2:18]
    np.testing.assert_array_equal(found, np.maximum(moved, turned).reshape(4, 4).T.ravel() + 3)
