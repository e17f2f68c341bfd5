"""More streams than a core has channels take turns, with uses in between."""

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith, linalg
from air.dialects.air import *
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp
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
    mk = MemRefType.get((4, 64), t)
    for c in ("q", "k", "v", "m", "o"):
        Channel(c)

    @FuncOp.from_py_func(m, mk, mk, mk, m)
    def f(q, k, v, mm, o):
        @launch(operands=[q, k, v, mm, o])
        def lb(q, k, v, mm, o):
            ChannelPut("q", q)
            for i in range(4):
                for n, x in (("k", k), ("m", mm), ("v", v)):
                    ChannelPut(n, x, offsets=[i, 0], sizes=[1, 64], strides=[64, 1])
            ChannelGet("o", o)

            @segment(name="seg")
            def sb():
                @herd(name="h", sizes=[1, 1])
                def h0(tx, ty, sx, sy):
                    a = AllocOp(l1([64], t), [], [])
                    b = AllocOp(l1([64], t), [], [])
                    c = AllocOp(l1([64], t), [], [])
                    acc = AllocOp(l1([64], t), [], [])
                    d = AllocOp(l1([64], t), [], [])
                    ChannelGet("q", a)
                    linalg.fill(arith.ConstantOp(t, 0), outs=[acc])
                    for i in range_(4):
                        ChannelGet("k", b)
                        linalg.add(a, b, outs=[d])
                        ChannelGet("m", c)
                        linalg.add(c, d, outs=[d])
                        ChannelGet("v", b)
                        linalg.add(b, d, outs=[d])
                        linalg.add(acc, d, outs=[acc])
                        yield_([])
                    ChannelPut("o", acc)
                    for z in (a, b, c, d, acc):
                        DeallocOp(z)


r = np.random.default_rng(0)
q = r.integers(0, 9, 64).astype(np.int32)
k, v, mm = (r.integers(0, 9, (4, 64)).astype(np.int32) for _ in range(3))
exit(
    XRTRunner().run_test(
        build(), inputs=[q, k, v, mm], expected_outputs=[(4 * q + k.sum(0) + v.sum(0) + mm.sum(0)).astype(np.int32)]
    )
)
