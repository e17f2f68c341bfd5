"""A herd squares an image that another adds to."""

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith
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
    m = MemRefType.get((32, 16), t)
    Channel("ChanIn")
    Channel("ChanOut")
    Channel("Herd2Herd")

    @FuncOp.from_py_func(m, m)
    def copy(a0, a1):
        @launch(operands=[a0, a1])
        def lb(a, b):
            ChannelPut("ChanIn", a)
            ChannelGet("ChanOut", b)

            @segment(name="seg")
            def sb():
                @herd(name="producer_herd", sizes=[1, 1])
                def p(tx, ty, sx, sy):
                    i = AllocOp(l1([32, 16], t), [], [])
                    o = AllocOp(l1([32, 16], t), [], [])
                    ChannelGet("ChanIn", i)
                    for x in range_(32):
                        for y in range_(16):
                            v = load(i, [x, y])
                            store(arith.muli(v, v), o, [x, y])
                            yield_([])
                        yield_([])
                    ChannelPut("Herd2Herd", o)
                    DeallocOp(i)
                    DeallocOp(o)

                @herd(name="consumer_herd", sizes=[1, 1])
                def c(tx, ty, sx, sy):
                    i = AllocOp(l1([32, 16], t), [], [])
                    o = AllocOp(l1([32, 16], t), [], [])
                    ChannelGet("Herd2Herd", i)
                    for x in range_(32):
                        for y in range_(16):
                            v = load(i, [x, y])
                            store(arith.addi(v, arith.ConstantOp(t, 1)), o, [x, y])
                            yield_([])
                        yield_([])
                    ChannelPut("ChanOut", o)
                    DeallocOp(i)
                    DeallocOp(o)


a = np.arange(512, dtype=np.int32).reshape(32, 16)
exit(XRTRunner(verbose=False).run_test(build(), inputs=[a], expected_outputs=[a * a + 1]))
