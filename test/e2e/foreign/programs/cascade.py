"""A cascade between two herds."""

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
    m = MemRefType.get((64,), t)
    Channel("cin")
    Channel("cout")
    Channel("casc", size=[1, 1], channel_type="npu_cascade")

    @FuncOp.from_py_func(m, m)
    def f(a0, a1):
        @launch(operands=[a0, a1])
        def lb(a, b):
            ChannelPut("cin", a)
            ChannelGet("cout", b)

            @segment(name="seg")
            def sb():
                @herd(name="p", sizes=[1, 1])
                def h0(tx, ty, sx, sy):
                    x = AllocOp(l1([64], t), [], [])
                    ChannelGet("cin", x)
                    ChannelPut("casc", x, indices=[0, 0])
                    DeallocOp(x)

                @herd(name="c", sizes=[1, 1])
                def h1(tx, ty, sx, sy):
                    x = AllocOp(l1([64], t), [], [])
                    ChannelGet("casc", x, indices=[0, 0])
                    for k in range_(64):
                        store(arith.addi(load(x, [k]), arith.ConstantOp(t, 3)), x, [k])
                        yield_([])
                    ChannelPut("cout", x)
                    DeallocOp(x)


a = np.arange(64, dtype=np.int32)
exit(XRTRunner().run_test(build(), inputs=[a], expected_outputs=[a + 3]))
