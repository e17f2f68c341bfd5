"""A segment moves the L1 buffer of two cores, each of which has its part."""

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

    @FuncOp.from_py_func(m, m)
    def f(a0, a1):
        @launch(operands=[a0, a1])
        def lb(a, b):
            @segment(name="seg", operands=[a, b])
            def sb(a, b):
                x = AllocOp(l1([1, 2, 32], t), [], [])
                dma_memcpy_nd(x, a, src_offsets=[0, 0, 0], src_sizes=[1, 2, 32], src_strides=[64, 32, 1])

                @herd(name="h", sizes=[1, 2], operands=[x])
                def h0(tx, ty, sx, sy, x):
                    for k in range_(32):
                        store(arith.addi(load(x, [tx, ty, k]), arith.ConstantOp(t, 3)), x, [tx, ty, k])
                        yield_([])

                dma_memcpy_nd(b, x, dst_offsets=[0, 0, 0], dst_sizes=[1, 2, 32], dst_strides=[64, 32, 1])
                DeallocOp(x)


a = np.arange(64, dtype=np.int32)
exit(XRTRunner().run_test(build(), inputs=[a], expected_outputs=[a + 3]))
