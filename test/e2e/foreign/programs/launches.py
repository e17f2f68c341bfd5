"""Several launches of four cores each."""

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith
from air.dialects.affine import apply as affine_apply
from air.dialects.air import *
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp, load, store
from air.dialects.scf import for_, yield_
from air.extras import types as extrasT
from air.ir import *

range_ = for_


def l1(shape, t):
    return MemRefType.get(shape=shape, element_type=t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))


def l2(shape, t):
    return MemRefType.get(shape=shape, element_type=t, memory_space=IntegerAttr.get(extrasT.i32(), MemorySpace.L2))


@module_builder
def build():
    t = type_mapper(np.int32)
    m = T.memref(1024, t)

    @FuncOp.from_py_func(T.memref(1024, T.i32()), T.memref(1024, T.i32()))
    def f(a0, a1):
        @launch(name="l0", operands=[a0, a1], sizes=[4, 1])
        def lb(ix, iy, sx, sy, a, b):
            @segment(name="seg", operands=[ix, a, b])
            def sb(ix, a, b):
                off = affine_apply(
                    AffineMap.get(0, 1, [AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(256))]), [ix]
                )
                x = AllocOp(l2([256], t), [], [])
                y = AllocOp(l2([256], t), [], [])
                dma_memcpy_nd(x, a, src_offsets=[off], src_sizes=[256], src_strides=[1])

                @herd(name="h", sizes=[2, 2], operands=[x, y])
                def h(tx, ty, sx, sy, x, y):
                    off = affine_apply(
                        AffineMap.get(
                            0,
                            2,
                            [
                                AffineExpr.get_add(
                                    AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(128)),
                                    AffineExpr.get_mul(AffineSymbolExpr.get(1), AffineConstantExpr.get(64)),
                                )
                            ],
                        ),
                        [tx, ty],
                    )
                    i = AllocOp(l1([64], t), [], [])
                    dma_memcpy_nd(i, x, src_offsets=[off], src_sizes=[64], src_strides=[1])
                    for k in range_(64):
                        store(arith.shli(load(i, [k]), arith.ConstantOp(t, 1)), i, [k])
                        yield_([])
                    dma_memcpy_nd(y, i, dst_offsets=[off], dst_sizes=[64], dst_strides=[1])
                    DeallocOp(i)

                dma_memcpy_nd(b, y, dst_offsets=[off], dst_sizes=[256], dst_strides=[1])
                DeallocOp(x)
                DeallocOp(y)


a = np.arange(1024, dtype=np.int32)
exit(
    XRTRunner(runtime_loop_tiling_sizes=[2, 2], use_lock_race_condition_fix=True).run_test(
        build(), inputs=[a], expected_outputs=[a * 2]
    )
)
