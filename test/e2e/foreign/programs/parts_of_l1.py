"""Two herds write a half each of an L1 buffer that a third reads."""

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


def writers(sz, rows, mode):
    """two herds write parts of a shared L1 buffer, a third reads it"""
    n = 64

    @module_builder
    def build():
        t = T.i32()
        mt = MemRefType.get([n], t)
        Channel("A")
        Channel("B")
        Channel("O")

        @FuncOp.from_py_func(mt, mt, mt)
        def f(a, b, c):
            @launch(operands=[a, b, c])
            def l(a, b, c):
                ChannelPut("A", a)
                ChannelPut("B", b)
                ChannelGet("O", c)

                @segment(name="seg")
                def s():
                    sh = AllocOp(l1([n], t), [], [])

                    @herd(name="p1", sizes=[1, 1], operands=[sh])
                    def h1(tx, ty, sx, sy, sh):
                        x = AllocOp(l1([n], t), [], [])
                        ChannelGet("A", x)
                        if mode == "halves":
                            for i in range_(n // 2):
                                store(load(x, [i]), sh, [i])
                                yield_([])
                        else:
                            linalg.add(x, x, outs=[sh])
                        DeallocOp(x)

                    @herd(name="p2", sizes=[1, 1], operands=[sh])
                    def h2(tx, ty, sx, sy, sh):
                        x = AllocOp(l1([n], t), [], [])
                        ChannelGet("B", x)
                        if mode == "halves":
                            for i in range_(n // 2, n):
                                store(load(x, [i]), sh, [i])
                                yield_([])
                        else:
                            linalg.add(x, sh, outs=[sh])
                        DeallocOp(x)

                    @herd(name="c", sizes=[1, 1], operands=[sh])
                    def h3(tx, ty, sx, sy, sh):
                        x = AllocOp(l1([n], t), [], [])
                        linalg.mul(sh, sh, outs=[x])
                        ChannelPut("O", x)
                        DeallocOp(x)

                    DeallocOp(sh)

    A = rng.integers(-9, 9, n).astype(np.int32)
    B = rng.integers(-9, 9, n).astype(np.int32)
    E = np.concatenate([A[:32], B[32:]]) if mode == "halves" else 2 * A + B
    return build(), [A, B], [E * E], {}


module, inputs, outputs, how = writers([1, 1], 1, "halves")
options = how.pop("options", {})
exit(XRTRunner(**options).run_test(module, inputs=inputs, expected_outputs=outputs, **how))
