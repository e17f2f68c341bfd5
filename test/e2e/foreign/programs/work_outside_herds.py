"""Fills, sums and copies that stand outside of herds: on host buffers beside a herd, and on L2 buffers in a segment."""

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith, linalg
from air.dialects.air import *
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp, copy
from air.ir import *

N = 48


@module_builder
def build():
    t = type_mapper(np.int32)
    whole = MemRefType.get([N, N], t)
    l2 = MemRefType.get([N, N], t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L2))
    row = MemRefType.get([N, N], t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))

    @FuncOp.from_py_func(whole, whole, whole)
    def f(a, b, c):
        linalg.fill(arith.ConstantOp(t, 7), outs=[c])

        @launch(operands=[a, b, c])
        def lb(a, b, c):
            @segment(name="seg", operands=[a, b, c])
            def sb(a, b, c):
                x, y, z, w = (AllocOp(l2, [], []) for _ in range(4))
                dma_memcpy_nd(x, a)
                linalg.fill(arith.ConstantOp(t, 5), outs=[y])
                linalg.add(x, y, outs=[z])
                copy(z, w)
                dma_memcpy_nd(b, w)

                @herd(name="h", sizes=[1, 1], operands=[a, c])
                def hb(tx, ty, sx, sy, a, c):
                    p, q = AllocOp(row, [], []), AllocOp(row, [], [])
                    dma_memcpy_nd(p, a)
                    dma_memcpy_nd(q, c)
                    linalg.mul(p, q, outs=[q])
                    dma_memcpy_nd(c, q)
                    DeallocOp(p)
                    DeallocOp(q)

                for buffer in (x, y, z, w):
                    DeallocOp(buffer)


a = np.arange(N * N, dtype=np.int32).reshape(N, N)
exit(XRTRunner(omit_while_true_loop=False).run_test(build(), inputs=[a], expected_outputs=[a + 5, a * 7]))
