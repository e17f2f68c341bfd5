"""Three herds of one name share an accumulator in L1."""

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith, linalg
from air.dialects.air import *
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp
from air.dialects.scf import for_
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
                acc = AllocOp(l1([64], t), [], [])

                @herd(name="init", sizes=[1, 1], operands=[acc])
                def h0(tx, ty, sx, sy, acc):
                    linalg.fill(arith.ConstantOp(t, 5), outs=[acc])

                @herd(name="init", sizes=[1, 1], operands=[acc, a])
                def h1(tx, ty, sx, sy, acc, a):
                    i = AllocOp(l1([64], t), [], [])
                    dma_memcpy_nd(i, a)
                    linalg.add(i, acc, outs=[acc])
                    DeallocOp(i)

                @herd(name="init", sizes=[1, 1], operands=[acc, b])
                def h2(tx, ty, sx, sy, acc, b):
                    dma_memcpy_nd(b, acc)

                DeallocOp(acc)


a = np.arange(64, dtype=np.int32)
exit(XRTRunner().run_test(build(), inputs=[a], expected_outputs=[a + 5]))
