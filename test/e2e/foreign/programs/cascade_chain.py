"""A chain of herds over one bundle of cascades, which comes to its cores as the members that each uses."""

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith
from air.dialects.air import *
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp, load, store
from air.dialects.scf import for_, yield_
from air.ir import *

range_ = for_
STAGES = 4


@module_builder
def build():
    t = type_mapper(np.int32)
    m = MemRefType.get([64], t)
    tile = MemRefType.get([64], t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))
    Channel("In")
    Channel("Out")
    Channel("Casc", size=[STAGES - 1], channel_type="cascade")

    @FuncOp.from_py_func(m, m)
    def f(a0, a1):
        @launch(operands=[a0, a1])
        def lb(a, b):
            ChannelPut("In", a)
            ChannelGet("Out", b)

            @segment(name="seg")
            def sb():
                for n in range(STAGES):

                    @herd(name=f"stage_{n}", sizes=[1, 1])
                    def hb(tx, ty, sx, sy, n=n):
                        x = AllocOp(tile, [], [])
                        if n == 0:
                            ChannelGet("In", x)
                        else:
                            ChannelGet("Casc", x, indices=[n - 1])
                        for i in range_(64):
                            store(arith.addi(load(x, [i]), arith.ConstantOp(t, n + 1)), x, [i])
                            yield_([])
                        if n == STAGES - 1:
                            ChannelPut("Out", x)
                        else:
                            ChannelPut("Casc", x, indices=[n])
                        DeallocOp(x)


a = np.arange(64, dtype=np.int32)
exit(XRTRunner().run_test(build(), inputs=[a], expected_outputs=[a + 10]))
