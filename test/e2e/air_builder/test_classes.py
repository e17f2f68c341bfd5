"""Small forms of what programs written for mlir-air contain: once refused, or wrong."""

import re

import ml_dtypes
import numpy as np
import pytest

from allo_air.air.backend.xrt_runner import XRTRunner
from allo_air.mlir import new_context
from allo_air.program.source import Source
from allo_air.program.stage import run_stage

ROWS = """
func.func @rows(%x: memref<32x16xf32>, %z: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%a = %x, %b = %z) : memref<32x16xf32>, memref<32xf32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %in = memref.alloc() : memref<32x16xf32, 2>
    %out = memref.alloc() : memref<32xf32, 2>
    air.dma_memcpy_nd (%in[] [] [], %a[] [] []) : (memref<32x16xf32, 2>, memref<32x16xf32>)
    scf.for %i = %c0 to %c32 step %c1_0 {
      %u = memref.subview %in[AT, 0] [1, 16] [1, 1] : memref<32x16xf32, 2> to memref<1x16xf32, strided<[16, 1], offset: OFF>, 2>
      %uc = memref.collapse_shape %u [[0, 1]]
        : memref<1x16xf32, strided<[16, 1], offset: OFF>, 2> into memref<16xf32, strided<[1], offset: OFF>, 2>
      %r = vector.transfer_read %uc[%c0], %zero {in_bounds = [true]}
        : memref<16xf32, strided<[1], offset: OFF>, 2>, vector<16xf32>
      %s = vector.reduction <add>, %r : vector<16xf32> into f32
      memref.store %s, %out[%i] : memref<32xf32, 2>
    }
    air.dma_memcpy_nd (%b[] [] [], %out[] [] []) : (memref<32xf32>, memref<32xf32, 2>)
    memref.dealloc %in : memref<32x16xf32, 2>
    memref.dealloc %out : memref<32xf32, 2>
  }
  return
}
"""

PACKED = """
#a = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d0, d3, d5)>
#b = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#c = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
func.func @mm(%x: memref<2x2x8x8xbf16>, %y: memref<2x2x8x8xbf16>, %z: memref<2x2x8x8xf32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%a = %x, %b = %y, %c = %z)
    : memref<2x2x8x8xbf16>, memref<2x2x8x8xbf16>, memref<2x2x8x8xf32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : bf16
    %start = arith.constant dense<0.0> : vector<1x1x8x8xf32>
    %u = memref.alloc() : memref<2x2x8x8xbf16, 2>
    %v = memref.alloc() : memref<2x2x8x8xbf16, 2>
    %w = memref.alloc() : memref<2x2x8x8xf32, 2>
    air.dma_memcpy_nd (%u[] [] [], %a[] [] []) : (memref<2x2x8x8xbf16, 2>, memref<2x2x8x8xbf16>)
    air.dma_memcpy_nd (%v[] [] [], %b[] [] []) : (memref<2x2x8x8xbf16, 2>, memref<2x2x8x8xbf16>)
    scf.for %i = %c0 to %c2 step %c1_0 {
      scf.for %j = %c0 to %c2 step %c1_0 {
        %r = scf.for %k = %c0 to %c2 step %c1_0 iter_args(%acc = %start) -> (vector<1x1x8x8xf32>) {
          %p = vector.transfer_read %u[%k, %i, %c0, %c0], %zero {in_bounds = [true, true, true, true]}
            : memref<2x2x8x8xbf16, 2>, vector<1x1x8x8xbf16>
          %q = vector.transfer_read %v[%j, %k, %c0, %c0], %zero {in_bounds = [true, true, true, true]}
            : memref<2x2x8x8xbf16, 2>, vector<1x1x8x8xbf16>
          %pf = arith.extf %p : vector<1x1x8x8xbf16> to vector<1x1x8x8xf32>
          %qf = arith.extf %q : vector<1x1x8x8xbf16> to vector<1x1x8x8xf32>
          %s = vector.contract {indexing_maps = [#a, #b, #c], kind = #vector.kind<add>,
            iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} %pf, %qf, %acc
            : vector<1x1x8x8xf32>, vector<1x1x8x8xf32> into vector<1x1x8x8xf32>
          scf.yield %s : vector<1x1x8x8xf32>
        }
        vector.transfer_write %r, %w[%i, %j, %c0, %c0] {in_bounds = [true, true, true, true]}
          : vector<1x1x8x8xf32>, memref<2x2x8x8xf32, 2>
      }
    }
    air.dma_memcpy_nd (%c[] [] [], %w[] [] []) : (memref<2x2x8x8xf32>, memref<2x2x8x8xf32, 2>)
    memref.dealloc %u : memref<2x2x8x8xbf16, 2>
    memref.dealloc %v : memref<2x2x8x8xbf16, 2>
    memref.dealloc %w : memref<2x2x8x8xf32, 2>
  }
  return
}
"""

DIRECT = re.sub(r" *%[pq]f = .*\n", "", PACKED).replace("%pf, %qf, %acc", "%p, %q, %acc")
DIRECT = DIRECT.replace(": vector<1x1x8x8xf32>, vector<1x1x8x8xf32> into", ": vector<1x1x8x8xbf16>, vector<1x1x8x8xbf16> into")
"""The factors are not extended, which mlir-aie's own lowering would refuse."""

COPIED = """
func.func @copied(%x: memref<64xf32>, %z: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<64xf32>
  memref.copy %x, %t : memref<64xf32> to memref<64xf32>
  air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%a = %t, %b = %z) : memref<64xf32>, memref<64xf32> {
    %u = memref.alloc() : memref<64xf32, 2>
    %v = memref.alloc() : memref<64xf32, 2>
    air.dma_memcpy_nd (%u[] [] [], %a[] [] []) : (memref<64xf32, 2>, memref<64xf32>)
    linalg.add ins(%u, %u : memref<64xf32, 2>, memref<64xf32, 2>) outs(%v : memref<64xf32, 2>)
    air.dma_memcpy_nd (%b[] [] [], %v[] [] []) : (memref<64xf32>, memref<64xf32, 2>)
    memref.dealloc %u : memref<64xf32, 2>
    memref.dealloc %v : memref<64xf32, 2>
  }
  return
}
"""


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize(("at", "offset"), [("%i", "?"), ("2", "32")])
def test_rows_of_a_subview(device, at, offset):
    x = np.arange(512, dtype=np.float32).reshape(32, 16)
    wanted = x.sum(1) if at == "%i" else np.full(32, x[2].sum())
    text = ROWS.replace("AT", at).replace("OFF", offset)
    assert XRTRunner(target_device=device).run_test(text, [x], [wanted.astype(np.float32)]) == 0


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize("extended", [True, False])
def test_packed_contractions_with_an_accumulator_that_a_loop_carries(device, extended):
    rng = np.random.default_rng(0)
    x, y = (rng.integers(-4, 4, (2, 2, 8, 8)).astype(ml_dtypes.bfloat16) for _ in range(2))
    wanted = np.einsum("kimp,jkpn->ijmn", x.astype(np.float32), y.astype(np.float32))
    assert XRTRunner(target_device=device).run_test(PACKED if extended else DIRECT, [x, y], [wanted], rtol=1e-2, atol=1e-2) == 0


def test_a_copy_between_host_buffers_beside_a_herd():
    x = np.arange(64, dtype=np.float32)
    assert XRTRunner().run_test(COPIED, [x], [2 * x]) == 0


OVERHANGING = """
func.func @over(%x: memref<100x40xf32>, %z: memref<100x40xf32>) {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  air.launch (%li, %lj) in (%m = %c4, %n = %c2) args(%a = %x, %b = %z) : memref<100x40xf32>, memref<100x40xf32>
      attributes {air.actual_sizes = array<i64: 100, 40>} {
    air.segment @s args(%i = %li, %j = %lj, %p = %a, %q = %b) : index, index, memref<100x40xf32>, memref<100x40xf32> {
      %c1 = arith.constant 1 : index
      %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%i]
      %l = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%j]
      %m2 = memref.alloc() : memref<32x32xf32, 1>
      %r2 = memref.alloc() : memref<32x32xf32, 1>
      air.dma_memcpy_nd (%m2[] [] [], %p[%o, %l] [32, 32] [40, 1]) : (memref<32x32xf32, 1>, memref<100x40xf32>)
      air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%f = %m2, %g = %r2)
        : memref<32x32xf32, 1>, memref<32x32xf32, 1> {
        %u = memref.alloc() : memref<32x32xf32, 2>
        %v = memref.alloc() : memref<32x32xf32, 2>
        air.dma_memcpy_nd (%u[] [] [], %f[] [] []) : (memref<32x32xf32, 2>, memref<32x32xf32, 1>)
        linalg.add ins(%u, %u : memref<32x32xf32, 2>, memref<32x32xf32, 2>) outs(%v : memref<32x32xf32, 2>)
        air.dma_memcpy_nd (%g[] [] [], %v[] [] []) : (memref<32x32xf32, 1>, memref<32x32xf32, 2>)
        memref.dealloc %u : memref<32x32xf32, 2>
        memref.dealloc %v : memref<32x32xf32, 2>
      }
      air.dma_memcpy_nd (%q[%o, %l] [32, 32] [40, 1], %r2[] [] []) : (memref<100x40xf32>, memref<32x32xf32, 1>)
      memref.dealloc %m2 : memref<32x32xf32, 1>
      memref.dealloc %r2 : memref<32x32xf32, 1>
    }
  }
  return
}
"""


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_blocks_that_overhang(device):
    x = np.arange(4000, dtype=np.float32).reshape(100, 40)
    assert XRTRunner(target_device=device).run_test(OVERHANGING, [x], [2 * x]) == 0


def test_the_interpreter_pads_what_blocks_overhang():
    x = np.arange(4000, dtype=np.float32).reshape(100, 40)
    with new_context():
        done = run_stage(Source(OVERHANGING, "<over>"), None, [x])
    assert [a.shape for a, _ in done.outputs] == [(100, 40)] and np.array_equal(done.outputs[0][1], 2 * x)


UNEVEN = """
func.func @f(%x: memref<30x28xi32>, %y: memref<4x4x8x8xi32>, %z: memref<30x28xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%lx) in (%ls = %c1) args(%a = %x, %b = %y, %c = %z)
    : memref<30x28xi32>, memref<4x4x8x8xi32>, memref<30x28xi32> {
    air.segment @s args(%d = %a, %e = %b, %f = %c) : memref<30x28xi32>, memref<4x4x8x8xi32>, memref<30x28xi32> {
      %one = arith.constant 1 : index
      %m = memref.alloc() : memref<30x28xi32, 1>
      %n = memref.alloc() : memref<30x28xi32, 1>
      memref.copy %d, %m : memref<30x28xi32> to memref<30x28xi32, 1>
      air.herd @p tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%g = %m, %h = %e, %i = %n)
        : memref<30x28xi32, 1>, memref<4x4x8x8xi32>, memref<30x28xi32, 1> {
        %pad = arith.constant 3 : i32
        %u = memref.alloc() : memref<4x4x8x8xi32, 2>
        linalg.pack %g padding_value(%pad : i32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %u
          : memref<30x28xi32, 1> -> memref<4x4x8x8xi32, 2>
        linalg.add ins(%u, %u : memref<4x4x8x8xi32, 2>, memref<4x4x8x8xi32, 2>) outs(%u : memref<4x4x8x8xi32, 2>)
        memref.copy %u, %h : memref<4x4x8x8xi32, 2> to memref<4x4x8x8xi32>
        linalg.unpack %u inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %i
          : memref<4x4x8x8xi32, 2> -> memref<30x28xi32, 1>
      }
      memref.copy %n, %f : memref<30x28xi32, 1> to memref<30x28xi32>
    }
  }
  return
}
"""


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_packs_that_pad_and_unpacks_that_cut_off(device):
    x = np.arange(840, dtype=np.int32).reshape(30, 28)
    padded = np.full((32, 32), 3, np.int32)
    padded[:30, :28] = x
    packed = padded.reshape(4, 8, 4, 8).transpose(0, 2, 1, 3)
    assert XRTRunner(target_device=device).run_test(UNEVEN, [x], [2 * packed, 2 * x]) == 0


HOST = """
func.func @f(%x: memref<16x8xi32>, %z: memref<16x8xi32>, %w: memref<16x8xi32>, %v: memref<5x4xi32>) {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<16x8xi32>
  air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%a = %x, %b = %t) : memref<16x8xi32>, memref<16x8xi32> {
    %u = memref.alloc() : memref<16x8xi32, 2>
    air.dma_memcpy_nd (%u[] [] [], %a[] [] []) : (memref<16x8xi32, 2>, memref<16x8xi32>)
    linalg.add ins(%u, %u : memref<16x8xi32, 2>, memref<16x8xi32, 2>) outs(%u : memref<16x8xi32, 2>)
    air.dma_memcpy_nd (%b[] [] [], %u[] [] []) : (memref<16x8xi32>, memref<16x8xi32, 2>)
    memref.dealloc %u : memref<16x8xi32, 2>
  }
  memref.copy %t, %z : memref<16x8xi32> to memref<16x8xi32>
  memref.copy %t, %w : memref<16x8xi32> to memref<16x8xi32>
  %s = memref.subview %z[1, 0] [5, 4] [3, 2] : memref<16x8xi32> to memref<5x4xi32, strided<[24, 2], offset: 8>>
  memref.copy %s, %v : memref<5x4xi32, strided<[24, 2], offset: 8>> to memref<5x4xi32>
  return
}
"""


def test_copies_between_host_buffers_that_are_launches_of_their_own():
    x = np.arange(128, dtype=np.int32).reshape(16, 8)
    assert XRTRunner().run_test(HOST, [x], [2 * x, 2 * x, np.ascontiguousarray(2 * x[1::3, ::2])]) == 0


SHORT = """
func.func @f(%x: memref<16x16xi32>, %z: memref<2x8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%a = %x, %b = %z) : memref<16x16xi32>, memref<2x8xi32> {
    %u = memref.alloc() : memref<2x8xi32, 2>
    air.dma_memcpy_nd (%u[] [] [], %a[5] [2, 8] [16, 1]) : (memref<2x8xi32, 2>, memref<16x16xi32>)
    air.dma_memcpy_nd (%b[] [] [], %u[] [] []) : (memref<2x8xi32>, memref<2x8xi32, 2>)
    memref.dealloc %u : memref<2x8xi32, 2>
  }
  return
}
"""


def test_fewer_offsets_than_sizes_are_those_of_the_inner_dimensions():
    x = np.arange(256, dtype=np.int32).reshape(16, 16)
    assert XRTRunner().run_test(SHORT, [x], [np.ascontiguousarray(x[:2, 5:13])]) == 0


BETWEEN = """
func.func @f(%x: memref<64xi32>, %n: i32, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<64xi32>
  air.herd @first tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%a = %x, %b = %t, %k = %n)
      : memref<64xi32>, memref<64xi32>, i32 {
    %u = memref.alloc() : memref<64xi32, 2>
    %v = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%u[] [] [], %a[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
    linalg.fill ins(%k : i32) outs(%v : memref<64xi32, 2>)
    linalg.mul ins(%u, %v : memref<64xi32, 2>, memref<64xi32, 2>) outs(%u : memref<64xi32, 2>)
    air.dma_memcpy_nd (%b[] [] [], %u[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
    memref.dealloc %u : memref<64xi32, 2>
    memref.dealloc %v : memref<64xi32, 2>
  }
  air.herd @second tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%a = %t, %b = %z) : memref<64xi32>, memref<64xi32> {
    %u = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%u[] [] [], %a[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
    linalg.add ins(%u, %u : memref<64xi32, 2>, memref<64xi32, 2>) outs(%u : memref<64xi32, 2>)
    air.dma_memcpy_nd (%b[] [] [], %u[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
    memref.dealloc %u : memref<64xi32, 2>
  }
  memref.dealloc %t : memref<64xi32>
  return
}
"""


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_a_buffer_between_two_herds(device):
    x = np.arange(64, dtype=np.int32)
    runner = XRTRunner(target_device=device)
    assert runner.run_test(BETWEEN, [x, np.int32(5)], [10 * x]) == 0
