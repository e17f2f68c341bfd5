"""A memtile puts thirty pieces one by one, in a Python loop: more than it has descriptors for."""

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


def pieces(np_, size=8, unrolled=True, put=True):
    """L2 buffer put in np_ pieces at irregular offsets, one memtile channel"""
    n = np_ * size

    @module_builder
    def build():
        t = T.i32()
        mt = MemRefType.get([n], t)
        Channel("In2")
        Channel("In1")
        Channel("Out")

        @FuncOp.from_py_func(mt, mt)
        def f(a, b):
            @launch(operands=[a, b])
            def l(a, b):
                ChannelPut("In2", a)
                ChannelGet("Out", b)

                @segment(name="seg")
                def s():
                    m = AllocOp(l2([n], t), [], [])
                    ChannelGet("In2", m)
                    for i in order(np_):
                        ChannelPut("In1", m, offsets=[i * size], sizes=[size], strides=[1])

                    @herd(name="h", sizes=[1, 1])
                    def hb(tx, ty, sx, sy):
                        for _ in range_(np_):
                            x = AllocOp(l1([size], t), [], [])
                            ChannelGet("In1", x)
                            ChannelPut("Out", x)
                            DeallocOp(x)
                            yield_([])

                    DeallocOp(m)

    def order(k):
        return list(range(k)) if put else [(i * 7 + 3) % k for i in range(k)]

    A = np.arange(n, dtype=np.int32)
    return build(), [A], [A.reshape(np_, size)[order(np_)].reshape(-1)], {}


module, inputs, outputs, how = pieces(30)
options = how.pop("options", {})
exit(XRTRunner(**options).run_test(module, inputs=inputs, expected_outputs=outputs, **how))
