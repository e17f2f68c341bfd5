"""What one core writes to a shared L1 buffer, a herd of two reads."""

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
    m = MemRefType.get((64,), t)

    @FuncOp.from_py_func(m, m)
    def f(a0, a1):
        @launch(operands=[a0, a1])
        def lb(a, b):
            @segment(name="seg", operands=[a, b])
            def sb(a, b):
                x = AllocOp(l1([64], t), [], [])

                @herd(name="p", sizes=[1, 1], operands=[x, a])
                def h0(tx, ty, sx, sy, x, a):
                    dma_memcpy_nd(x, a)
                    for k in range_(64):
                        store(arith.addi(load(x, [k]), arith.ConstantOp(t, 3)), x, [k])
                        yield_([])

                @herd(name="c", sizes=[1, 2], operands=[x, b])
                def h1(tx, ty, sx, sy, x, b):
                    o = AllocOp(l1([32], t), [], [])
                    for k in range_(32):
                        i = affine_apply(
                            AffineMap.get(
                                0,
                                2,
                                [
                                    AffineExpr.get_add(
                                        AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(32)),
                                        AffineSymbolExpr.get(1),
                                    )
                                ],
                            ),
                            [ty, k],
                        )
                        store(load(x, [i]), o, [k])
                        yield_([])
                    i = affine_apply(
                        AffineMap.get(0, 1, [AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(32))]), [ty]
                    )
                    dma_memcpy_nd(b, o, dst_offsets=[i], dst_sizes=[32], dst_strides=[1])
                    DeallocOp(o)

                DeallocOp(x)


a = np.arange(64, dtype=np.int32)
exit(XRTRunner().run_test(build(), inputs=[a], expected_outputs=[a + 3]))
