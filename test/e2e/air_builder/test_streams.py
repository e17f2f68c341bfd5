"""Programs of the AIR builder whose cores have streams of their own from and to external memory."""

import numpy as np
import pytest

from allo_air.air.backend.xrt_runner import XRTRunner
from allo_air.air.dialects import arith
from allo_air.air.dialects.affine import apply
from allo_air.air.dialects.air import *
from allo_air.air.dialects.func import CallOp, FuncOp
from allo_air.air.dialects.memref import AllocOp, DeallocOp, load, store
from allo_air.air.dialects.scf import for_, yield_
from allo_air.air.ir import *
from allo_air.errors import AlloAirError, DiagnosticError


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
    with pytest.raises(
        DiagnosticError, match=r"for channel \[\d, \d\] of the air.dma_memcpy_nd in line \d+: 16 streams need S2MM .*has 8"
    ):
        XRTRunner(target_device="npu1").run_test(sums(2, 4, 4), inputs=arrays, expected_outputs=[sum(arrays)])


@module_builder
def sends(count):
    """A core that fills one buffer and sends it `count` times, in a loop."""
    tile = MemRefType.get([8], T.i32(), memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))

    @FuncOp.from_py_func(T.memref(16, T.i32()), T.memref(count, 16, T.i32()))
    def sent(a, b):
        @herd(name="sends", sizes=[1, 1], operands=[a, b])
        def body(_tx, _ty, _sx, _sy, a, b):
            here, out = AllocOp(tile, [], []), AllocOp(tile, [], [])
            for at in for_(0, 16, 8):
                dma_memcpy_nd(here, a, src_offsets=[at], src_sizes=[8], src_strides=[1])
                for n in range(count):
                    for i in for_(8):
                        store(arith.addi(load(here, [i]), arith.ConstantOp(T.i32(), n)), out, [i])
                        yield_([])
                    dma_memcpy_nd(b, out, dst_offsets=[n, at], dst_sizes=[1, 8], dst_strides=[16, 1])
                yield_([])
            DeallocOp(here)
            DeallocOp(out)


def test_a_buffer_that_is_sent_more_often_than_there_are_locks():
    a = np.arange(16, dtype=np.int32)
    expected = a + np.arange(9, dtype=np.int32)[:, None]
    assert XRTRunner(omit_while_true_loop=False).run_test(sends(9), inputs=[a], expected_outputs=[expected]) == 0


@module_builder
def blocks(step=1):
    """Rows of 8 blocks, by way of a memtile in which they are turned, through a function on two cores."""
    block = Type.parse('!aiex.bfp<"v8bfp16ebs8">')
    whole, tile = (
        MemRefType.get(shape, block, memory_space=s) for shape, s in (([4, 8], None), ([2, 4], _space(MemorySpace.L1)))
    )
    in_l2 = MemRefType.get([2, 4, 4], block, memory_space=_space(MemorySpace.L2))
    function = external_func("inverted", inputs=[tile, tile], link_with="inverted.o")

    @FuncOp.from_py_func(whole, whole)
    def moved(x, y):
        @segment(name="s", operands=[x, y])
        def inside(x, y):
            l2 = AllocOp(in_l2, [], [])
            dma_memcpy_nd(l2, x, src_offsets=[0, 0, 0], src_sizes=[2, 4, 4], src_strides=[4, 8, step])

            @herd(name="moves", sizes=[1, 2], operands=[l2, y], link_with="inverted.o")
            def body(_tx, ty, _sx, _sy, l2, y):
                for row in for_(2):
                    here, out = AllocOp(tile, [], []), AllocOp(tile, [], [])
                    at = arith.muli(row, arith.ConstantOp(T.index(), 2))
                    dma_memcpy_nd(here, l2, src_offsets=[ty, at, 0], src_sizes=[1, 2, 4], src_strides=[16, 4, 1])
                    CallOp(function, [here, out])
                    dma_memcpy_nd(
                        y,
                        out,
                        dst_offsets=[at, apply(AffineMap.get(0, 1, [AffineSymbolExpr.get(0) * 4]), [ty])],
                        dst_sizes=[2, 4],
                        dst_strides=[8, 1],
                    )
                    DeallocOp(here)
                    DeallocOp(out)
                    yield_([])

            DeallocOp(l2)


def _space(space):
    return IntegerAttr.get(T.i32(), space)


def inverted(x, y):
    y[...] = 255 - x


def test_blocks_of_floats():
    module = blocks()
    assert 'memref<4x8x!aiex.bfp<"v8bfp16ebs8">>' in str(module)
    x = np.random.default_rng(0).integers(0, 256, 4 * 72).astype(np.uint8)
    runner = XRTRunner(target_device="npu2", kernels={"inverted": inverted}, omit_while_true_loop=False)
    assert runner.run_test(module, inputs=[x], expected_outputs=[255 - x]) == 0
    with pytest.raises(
        DiagnosticError, match="moves blocks of 9 bytes only side by side: its innermost stride is 2, expected 1"
    ):
        XRTRunner().run_test(blocks(step=2), inputs=[x], expected_outputs=[x])
    with Context(), Location.unknown():
        assert isinstance(Type.parse('memref<4x!aiex.bfp<"v16bfp16ebs16">, 2 : i32>'), Type)
        for parse, text in ((Type.parse, '!aiex.bfp<"v9">'), (Module.parse, 'func.func private @f(!aiex.bfp<"v9">)')):
            with pytest.raises(AlloAirError, match=r'there is no !aiex.bfp<"v9">; blocks of floats are v8bfp16ebs8 and v16'):
                parse(text)


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
