"""More streams than a core has channels: a channel twice in each round, and loops over L2 buffers one after another."""

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith, linalg
from air.dialects.air import *
from air.dialects.func import FuncOp
from air.dialects.linalg import fill
from air.dialects.memref import AllocOp, DeallocOp
from air.dialects.scf import for_, yield_
from air.ir import *

range_ = for_
N, W = 8, 32


def l1(shape, t):
    return MemRefType.get(shape, t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))


def l2(shape, t):
    return MemRefType.get(shape, t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L2))


def row(i):
    return {"offsets": [i, 0], "sizes": [1, W], "strides": [W, 1]}


@module_builder
def build(through_l2, sort=""):
    t = type_mapper(np.int32)
    m, o = MemRefType.get([N, W], t), MemRefType.get([W], t)
    for c in ("q", "k", "v", "b", "o", "L2q", "L2k", "L2v", "L2b"):
        if through_l2 or len(c) == 1:
            Channel(c)

    def combine(acc, name):
        here = AllocOp(l1([W], t), [], [])
        ChannelGet(name, here)
        (linalg.mul if name == "v" else linalg.add)(acc, here, outs=[acc])
        DeallocOp(here)

    @FuncOp.from_py_func(m, m, m, m, o)
    def f(*given):
        @launch(operands=list(given))
        def lb(q, k, v, b, o):
            if through_l2:
                for name, whole in zip("kvqb", (k, v, q, b), strict=True):
                    ChannelPut(f"L2{name}", whole)
            else:
                ChannelPut("q", q, **row(0))
                for i in range(0 if sort else N // 2):
                    ChannelPut("k", k, **row(2 * i))
                    ChannelPut("v", v, **row(i))
                    ChannelPut("k", k, **row(2 * i + 1))
                for i in range(N if sort == "written out" else 0):
                    ChannelPut("k", k, **row(i))
                for i in range(N // 2 if sort == "written out" else 0):
                    ChannelPut("v", v, **row(i))
                if sort == "loops":
                    for name, whole, count in (("k", k, N), ("v", v, N // 2)):
                        for i in range_(count):
                            ChannelPut(name, whole, **row(i))
                            yield_([])
                ChannelPut("b", b, **row(0))
            ChannelGet("o", o)

            @segment(name="seg")
            def sb():
                for name in "kvqb" if through_l2 else "":
                    held = AllocOp(l2([N, W], t), [], [])
                    ChannelGet(f"L2{name}", held)
                    for i in range_(N):
                        ChannelPut(name, held, **row(i))
                        yield_([])
                    DeallocOp(held)

                @herd(name="h", sizes=[1, 1])
                def hb(tx, ty, sx, sy):
                    acc = AllocOp(l1([W], t), [], [])
                    fill(arith.ConstantOp(t, 0), outs=[acc])
                    if not through_l2:
                        combine(acc, "q")
                    for _ in range_(N if through_l2 else N // 2):
                        for name in "kvqb" if through_l2 else "kvk":
                            combine(acc, name)
                        yield_([])
                    if not through_l2:
                        combine(acc, "b")
                    ChannelPut("o", acc)
                    DeallocOp(acc)


r = np.random.default_rng(0)
q, k, v, b = (r.integers(-2, 3, (N, W)).astype(np.int32) for _ in range(4))
acc = q[0]
for i in range(N // 2):
    acc = (acc + k[2 * i]) * v[i] + k[2 * i + 1]
for sort in ("", "written out", "loops"):
    if XRTRunner().run_test(build(False, sort), inputs=[q, k, v, b], expected_outputs=[acc + b[0]]):
        exit(1)
acc = np.zeros(W, np.int32)
for i in range(N):
    acc = (acc + k[i]) * v[i] + q[i] + b[i]
exit(XRTRunner().run_test(build(True), inputs=[q, k, v, b], expected_outputs=[acc]))
