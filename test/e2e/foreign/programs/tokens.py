"""Tokens between the transfers of a core."""

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
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
        @launch(operands=[a0, a1], async_token=async_token(), async_dependencies=[])
        def lb(a, b):
            @segment(name="seg", operands=[a, b], async_token=AsyncTokenType())
            def sb(a, b):
                @herd(name="h", sizes=[1, 1], operands=[a, b], async_token=async_token())
                def h1(tx, ty, sx, sy, a, b):
                    i = AllocOp(l1([64], t), [], [])
                    d = DmaMemcpyNd(i, a, async_token=async_token())
                    w = wait_all(async_dependencies=[d], async_token=async_token())
                    dma_memcpy_nd(b, i, async_dependencies=[w])
                    DeallocOp(i)

                WaitAllOp(None, [h1])

        wait_all(async_dependencies=[lb.async_token])


a = np.arange(64, dtype=np.int32)
exit(XRTRunner().run_test(build(), inputs=[a], expected_outputs=[a]))
