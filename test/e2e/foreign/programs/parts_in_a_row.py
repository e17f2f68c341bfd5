"""A core that gets a buffer in 24 parts, one by one, and puts every second row of it in 12: more transfers than it has BDs."""

import numpy as np
from air.backend.xrt_runner import XRTRunner
from air.dialects import linalg
from air.dialects.air import *
from air.dialects.memref import AllocOp, DeallocOp
from air.ir import *

ROWS, COLUMNS = 24, 16


@module_builder
def build_module():
    whole, half = (MemRefType.get([n, COLUMNS], T.i32()) for n in (ROWS, ROWS // 2))
    here = MemRefType.get([ROWS, COLUMNS], T.i32(), memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))
    Channel("ChanIn")
    Channel("ChanOut")

    @FuncOp.from_py_func(whole, half)
    def parts(arg0, arg1):
        @launch(operands=[arg0, arg1])
        def launch_body(a, b):
            ChannelPut("ChanIn", a)
            ChannelGet("ChanOut", b)

            @segment(name="seg")
            def segment_body():
                @herd(name="herd_0", sizes=[1, 1])
                def herd_body(_tx, _ty, _sx, _sy):
                    rows = AllocOp(here, [], [])
                    part = {"sizes": [1, COLUMNS], "strides": [COLUMNS, 1]}
                    for i in range(ROWS):
                        ChannelGet("ChanIn", rows, offsets=[i, 0], **part)
                    linalg.add(rows, rows, outs=[rows])
                    for i in range(0, ROWS, 2):
                        ChannelPut("ChanOut", rows, offsets=[i, 0], **part)
                    DeallocOp(rows)


a = np.arange(ROWS * COLUMNS, dtype=np.int32).reshape(ROWS, COLUMNS)
exit(XRTRunner(omit_while_true_loop=False).run_test(build_module(), inputs=[a], expected_outputs=[2 * a[::2]]))
