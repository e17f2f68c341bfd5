"""Sums that loops carry."""

import numpy as np
from air.backend.xrt_runner import XRTRunner
from air.dialects import arith, vector
from air.dialects.air import *
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp, store
from air.dialects.scf import for_, yield_
from air.extras import types as extrasT
from air.ir import *
from ml_dtypes import bfloat16

range_ = for_


def l1(shape, t):
    return MemRefType.get(shape=shape, element_type=t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))


def l2(shape, t):
    return MemRefType.get(shape=shape, element_type=t, memory_space=IntegerAttr.get(extrasT.i32(), MemorySpace.L2))


@module_builder
def build():
    bf = Type.parse("bf16")
    m = MemRefType.get([4, 64], bf)
    f32 = F32Type.get()

    @FuncOp.from_py_func(m, MemRefType.get([4], f32))
    def f(a0, a1):
        @herd(name="h", sizes=[1, 4], operands=[a0, a1])
        def h(tx, ty, sx, sy, a, b):
            i = AllocOp(l1([64], bf), [], [])
            o = AllocOp(l1([1], f32), [], [])
            dma_memcpy_nd(i, a, src_offsets=[ty, 0], src_sizes=[1, 64], src_strides=[64, 1])
            c0 = arith.constant(IndexType.get(), 0)
            z = arith.constant(f32, 0.0)
            vt = VectorType.get([16], bf)
            for iv, acc, res in range_(0, 64, 16, [z]):
                v = vector.transfer_read(vt, i, [iv], AffineMap.get_identity(1), arith.constant(bf, 0.0), [True])
                vf = arith.extf(VectorType.get([16], f32), v)
                s = vector.reduction(f32, "add", vf)
                yield_([arith.addf(acc, s)])
            store(res, o, [c0])
            dma_memcpy_nd(b, o, dst_offsets=[ty], dst_sizes=[1], dst_strides=[1])
            DeallocOp(i)
            DeallocOp(o)


a = np.random.default_rng(0).integers(-3, 3, (4, 64)).astype(bfloat16)
exit(XRTRunner().run_test(build(), inputs=[a], expected_outputs=[a.astype(np.float32).sum(1)], rtol=1e-2))
