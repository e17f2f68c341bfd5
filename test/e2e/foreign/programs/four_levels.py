"""A product tiled on four levels: launches, loops over L2 tiles, cores, a loop over k in each."""

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith, linalg
from air.dialects.affine import apply as affine_apply
from air.dialects.air import *
from air.dialects.arith import ConstantOp
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp, load, store, subview
from air.dialects.scf import for_, yield_
from air.ir import *
from ml_dtypes import bfloat16

range_ = for_
rng = np.random.default_rng(3)


def l1(shape, t):
    return MemRefType.get(shape=shape, element_type=t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))


def l2(shape, t):
    return MemRefType.get(shape=shape, element_type=t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L2))


def times(c):
    return AffineMap.get(0, 1, [AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(c))])


def four_level(M=64, N=64, K=64):
    """matmul, four levels of tiling: launch, segment loops over L2 tiles, herd, L1 k-loop"""

    @module_builder
    def build():
        t = T.i32()
        mA, mB, mC = (MemRefType.get(s, t) for s in ([M, K], [K, N], [M, N]))

        @FuncOp.from_py_func(mA, mB, mC)
        def mm(a, b, c):
            @launch(operands=[a, b, c], sizes=[2, 2])
            def l(ix, iy, sx, sy, a, b, c):
                @segment(name="seg", operands=[ix, iy, a, b, c])
                def s(ix, iy, a, b, c):
                    ox, oy = affine_apply(times(32), [ix]), affine_apply(times(32), [iy])
                    for i in range_(0, 32, 16):
                        for j in range_(0, 32, 16):
                            c2 = AllocOp(l2([16, 16], t), [], [])
                            c1 = AllocOp(l1([2, 2, 8, 8], t), [], [])

                            @herd(name="h", sizes=[2, 2], operands=[c1])
                            def h0(tx, ty, sx, sy, c1):
                                linalg.fill(arith.ConstantOp(t, 0), outs=[subview(c1, [tx, ty, 0, 0], [1, 1, 8, 8], [1] * 4)])

                            for k in range_(0, K, 32):
                                a2 = AllocOp(l2([16, 32], t), [], [])
                                b2 = AllocOp(l2([32, 16], t), [], [])
                                dma_memcpy_nd(a2, a, src_offsets=[arith.addi(ox, i), k], src_sizes=[16, 32], src_strides=[K, 1])
                                dma_memcpy_nd(b2, b, src_offsets=[k, arith.addi(oy, j)], src_sizes=[32, 16], src_strides=[N, 1])

                                @herd(name="h", sizes=[2, 2], operands=[a2, b2, c1])
                                def h1(tx, ty, sx, sy, a2, b2, c1):
                                    for kk in range_(0, 32, 8):
                                        x, y = AllocOp(l1([8, 8], t), [], []), AllocOp(l1([8, 8], t), [], [])
                                        dma_memcpy_nd(
                                            x,
                                            a2,
                                            src_offsets=[affine_apply(times(8), [tx]), kk],
                                            src_sizes=[8, 8],
                                            src_strides=[32, 1],
                                        )
                                        dma_memcpy_nd(
                                            y,
                                            b2,
                                            src_offsets=[kk, affine_apply(times(8), [ty])],
                                            src_sizes=[8, 8],
                                            src_strides=[16, 1],
                                        )
                                        sv = subview(c1, [tx, ty, 0, 0], [1, 1, 8, 8], [1] * 4)
                                        for p in range_(8):
                                            for q in range_(8):
                                                for r in range_(8):
                                                    c0 = arith.ConstantOp.create_index(0)
                                                    v = arith.addi(
                                                        load(sv, [c0, c0, p, q]), arith.muli(load(x, [p, r]), load(y, [r, q]))
                                                    )
                                                    store(v, sv, [c0, c0, p, q])
                                                    yield_([])
                                                yield_([])
                                            yield_([])
                                        DeallocOp(x)
                                        DeallocOp(y)
                                        yield_([])

                                DeallocOp(a2)
                                DeallocOp(b2)
                                yield_([])

                            @herd(name="h", sizes=[2, 2], operands=[c1, c2])
                            def h2(tx, ty, sx, sy, c1, c2):
                                dma_memcpy_nd(
                                    c2,
                                    c1,
                                    dst_offsets=[affine_apply(times(8), [tx]), affine_apply(times(8), [ty])],
                                    dst_sizes=[8, 8],
                                    dst_strides=[16, 1],
                                    src_offsets=[tx, ty, 0, 0],
                                    src_sizes=[1, 1, 8, 8],
                                    src_strides=[128, 64, 8, 1],
                                )

                            dma_memcpy_nd(
                                c,
                                c2,
                                dst_offsets=[arith.addi(ox, i), arith.addi(oy, j)],
                                dst_sizes=[16, 16],
                                dst_strides=[N, 1],
                            )
                            DeallocOp(c2)
                            DeallocOp(c1)
                            yield_([])
                        yield_([])

    A, B = rng.integers(-5, 5, (M, K)).astype(np.int32), rng.integers(-5, 5, (K, N)).astype(np.int32)
    return build(), [A, B], [A @ B], {"options": {"runtime_loop_tiling_sizes": [2, 2]}}


module, inputs, outputs, how = four_level()
options = how.pop("options", {})
exit(XRTRunner(**options).run_test(module, inputs=inputs, expected_outputs=outputs, **how))
