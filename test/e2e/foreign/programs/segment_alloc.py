"""A tile of an image goes through L2."""

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
    t = type_mapper(np.int8)
    m = MemRefType.get((32, 64), t)

    @FuncOp.from_py_func(m, m)
    def f(a0, a1):
        @launch(operands=[a0, a1])
        def lb(a, b):
            @segment(name="seg", operands=[a, b])
            def sb(a, b):
                s = AllocOp(l2([16, 16], t), [], [])
                dma_memcpy_nd(s, a, src_offsets=[0, 0], src_sizes=[16, 16], src_strides=[64, 1])

                @herd(name="h", sizes=[1, 1], operands=[s, b])
                def h(tx, ty, sx, sy, s, b):
                    i = AllocOp(l1([16, 16], t), [], [])
                    dma_memcpy_nd(i, s)
                    for x in range_(16):
                        for y in range_(16):
                            v = load(i, [x, y])
                            store(arith.addi(v, arith.ConstantOp(t, 2)), i, [x, y])
                            yield_([])
                        yield_([])
                    dma_memcpy_nd(b, i, dst_offsets=[0, 0], dst_sizes=[16, 16], dst_strides=[64, 1])
                    DeallocOp(i)

                DeallocOp(s)


a = (np.arange(2048) % 50).astype(np.int8).reshape(32, 64)
w = np.zeros_like(a)
w[:16, :16] = a[:16, :16] + 2
idx = np.array([(i, j) for i in range(16) for j in range(16)]).T
exit(
    XRTRunner().run_test(
        build(),
        inputs=[a],
        stochastic_expected_outputs=[{"shape": (32, 64), "indices": idx, "values": w[:16, :16].reshape(-1)}],
    )
)
