"""Programs of the AIR builder whose cores have streams of their own from and to external memory."""

import numpy as np
import pytest

from allo_air.air.backend.xrt_runner import XRTRunner
from allo_air.air.dialects import arith
from allo_air.air.dialects.affine import apply
from allo_air.air.dialects.air import *
from allo_air.air.dialects.func import FuncOp
from allo_air.air.dialects.memref import AllocOp, DeallocOp, load, store
from allo_air.air.dialects.scf import for_, yield_
from allo_air.air.ir import *
from allo_air.errors import DiagnosticError


@module_builder
def sums(inputs, columns, rows):
    size = 16
    whole = T.memref(size * columns * rows, T.i32())
    tile = MemRefType.get([size], T.i32(), memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))

    @FuncOp.from_py_func(*[whole] * (inputs + 1))
    def summed(*arrays):
        @herd(name="sums", sizes=[columns, rows], operands=list(arrays))
        def body(tx, ty, _sx, _sy, *arrays):
            s0, s1 = AffineSymbolExpr.get(0), AffineSymbolExpr.get(1)
            at = apply(AffineMap.get(0, 2, [s0 * (size * rows) + s1 * size]), [tx, ty])
            tiles = [AllocOp(tile, [], []) for _ in arrays]
            for here, there in zip(tiles[:-1], arrays[:-1], strict=True):
                dma_memcpy_nd(here, there, src_offsets=[at], src_sizes=[size], src_strides=[1])
            for i in for_(size):
                value = load(tiles[0], [i])
                for other in tiles[1:-1]:
                    value = arith.addi(value, load(other, [i]))
                store(value, tiles[-1], [i])
                yield_([])
            dma_memcpy_nd(arrays[-1], tiles[-1], dst_offsets=[at], dst_sizes=[size], dst_strides=[1])
            for here in tiles:
                DeallocOp(here)


@pytest.mark.parametrize("inputs", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_more_streams_than_packet_ids(inputs):
    arrays = [np.arange(256, dtype=np.int32) * 3**n for n in range(inputs)]
    runner = XRTRunner(target_device="npu2", omit_while_true_loop=False)
    assert runner.run_test(sums(inputs, 4, 4), inputs=arrays, expected_outputs=[sum(arrays)]) == 0


def test_more_outputs_than_shim_channels_are_refused():
    arrays = [np.arange(256, dtype=np.int32)] * 2
    with pytest.raises(DiagnosticError, match=r"16 streams need S2MM .*npu1 has 8"):
        XRTRunner(target_device="npu1").run_test(sums(2, 4, 4), inputs=arrays, expected_outputs=[sum(arrays)])


@module_builder
def blocks():
    block = Type.parse('!aiex.bfp<"v8bfp16ebs8">')
    whole, tile = (MemRefType.get([8], block, memory_space=space) for space in (None, IntegerAttr.get(T.i32(), MemorySpace.L1)))

    @FuncOp.from_py_func(whole)
    def moved(array):
        @herd(name="moves", sizes=[1, 1], operands=[array])
        def body(_tx, _ty, _sx, _sy, array):
            here = AllocOp(tile, [], [])
            dma_memcpy_nd(here, array)
            DeallocOp(here)


def test_types_of_block_floating_point():
    module = blocks()
    assert 'memref<8x!aiex.bfp<"v8bfp16ebs8">>' in str(module)
    with pytest.raises(DiagnosticError, match=r"elements of 72 bits, .* use i8 and its bytes"):
        XRTRunner(target_device="npu2").run_test(module, inputs=[], expected_outputs=[np.zeros(72, np.uint8)])
    with Context(), Location.unknown():
        assert isinstance(Type.parse('memref<4x!aiex.bfp<"v16bfp16ebs16">, 2 : i32>'), Type)


def _launch(name, source, target, kind="memref<16x8xi32>"):
    return f"""
  air.herd @{name} tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%a = {source}, %b = {target}) : {kind}, {kind} {{
    %l = memref.alloc() : memref<16x8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %a[] [] []) : (memref<16x8xi32, 2>, {kind})
    linalg.add ins(%l, %l : memref<16x8xi32, 2>, memref<16x8xi32, 2>) outs(%l : memref<16x8xi32, 2>)
    air.dma_memcpy_nd (%b[] [] [], %l[] [] []) : ({kind}, memref<16x8xi32, 2>)
    memref.dealloc %l : memref<16x8xi32, 2>
  }}"""


@pytest.mark.parametrize(
    "copy",
    [
        "memref.copy %t, %u : memref<16x8xi32> to memref<16x8xi32>",
        "linalg.copy ins(%t : memref<16x8xi32>) outs(%u : memref<16x8xi32>)",
        """%v = memref.collapse_shape %t [[0, 1]] : memref<16x8xi32> into memref<128xi32>
        %w = memref.collapse_shape %u [[0, 1]] : memref<16x8xi32> into memref<128xi32>
        memref.copy %v, %w : memref<128xi32> to memref<128xi32>""",
    ],
)
def test_a_copy_of_a_host_buffer_between_two_launches(copy):
    module = f"""
func.func @f(%x: memref<16x8xi32>, %z: memref<16x8xi32>) {{
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<16x8xi32>{_launch("one", "%x", "%t")}
  %u = memref.alloc() : memref<16x8xi32>
  {copy}{_launch("two", "%u", "%z")}
  return
}}"""
    x = np.arange(128, dtype=np.int32).reshape(16, 8)
    assert XRTRunner().run_test(module, [x], [4 * x]) == 0
