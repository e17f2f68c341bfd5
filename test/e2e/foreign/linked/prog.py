"""A product whose operations become calls of kernels, where the object file has them."""

import sys

import numpy as np
from air.backend.xrt_runner import XRTRunner
from air.dialects import arith, linalg
from air.dialects.air import *
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp
from air.ir import *


@module_builder
def build_module():
    f32 = F32Type.get()
    whole = MemRefType.get([16, 16], f32)
    part = MemRefType.get([16, 16], f32, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))

    @FuncOp.from_py_func(whole, whole, whole)
    def product(arg0, arg1, arg2):
        @launch(operands=[arg0, arg1, arg2])
        def launch_body(a, b, c):
            @segment(name="seg", operands=[a, b, c])
            def segment_body(a, b, c):
                @herd(name="herd_0", sizes=[1, 1], operands=[a, b, c])
                def herd_body(_tx, _ty, _sx, _sy, a, b, c):
                    left, right, out = (AllocOp(part, [], []) for _ in range(3))
                    dma_memcpy_nd(left, a)
                    dma_memcpy_nd(right, b)
                    linalg.fill(arith.ConstantOp(f32, FloatAttr.get(f32, 0.0)), outs=[out])
                    linalg.matmul(left, right, outs=[out])
                    linalg.add(out, left, outs=[out])
                    dma_memcpy_nd(c, out)
                    for buffer in (left, right, out):
                        DeallocOp(buffer)


rng = np.random.default_rng(0)
a, b = (rng.integers(-3, 3, (16, 16)).astype(np.float32) for _ in range(2))
runner = XRTRunner(verbose=True, lower_linalg_to_func=sys.argv[1], report_precision=True)
exit(runner.run_test(build_module(), inputs=[a, b], expected_outputs=[a @ b + a]))
