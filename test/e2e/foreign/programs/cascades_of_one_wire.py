"""Three channels over one cascade, and blocks of keys and values that the host sends whole and a core gets in turns."""

import sys

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith, linalg, scf
from air.dialects.air import *
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp
from air.dialects.scf import for_, yield_
from air.ir import *

range_ = for_
L, D, PART = 64, 16, 16
CORES = 2


@module_builder
def build():
    t = type_mapper(np.int32)
    space = IntegerAttr.get(T.i32(), MemorySpace.L1)
    block, row = MemRefType.get([PART, D], t, memory_space=space), MemRefType.get([D], t, memory_space=space)
    Channel("Q", size=[1], broadcast_shape=[CORES])
    Channel("K", size=[CORES])
    Channel("V", size=[CORES])
    Channel("Out")
    names = ["sum", "most", "least"]
    for name in names:
        Channel(name, size=[CORES - 1], channel_type="cascade")

    @FuncOp.from_py_func(T.memref(D, t), T.memref(L, D, t), T.memref(L, D, t), T.memref(3, D, t))
    def f(q, k, v, o):
        @launch(operands=[q, k, v, o])
        def lb(q, k, v, o):
            ChannelPut("Q", q, indices=[0])
            for core in range(CORES):
                part = {"offsets": [core * L // CORES, 0], "sizes": [L // CORES, D], "strides": [D, 1]}
                ChannelPut("K", k, indices=[core], **part)
                ChannelPut("V", v, indices=[core], **part)
            for n in range(3):
                ChannelGet("Out", o, offsets=[n, 0], sizes=[1, D], strides=[D, 1])

            @segment(name="seg")
            def sb():
                @herd(name="h", sizes=[1, CORES])
                def hb(tx, ty, sx, sy):
                    here = [AllocOp(row, [], []) for _ in range(4)]
                    ChannelGet("Q", here[3], indices=[ty])
                    for buffer in here[:3]:
                        linalg.fill(arith.ConstantOp(t, 0), outs=[buffer])
                    for _ in range_(L // CORES // PART):
                        k, v = AllocOp(block, [], []), AllocOp(block, [], [])
                        ChannelGet("K", k, indices=[ty])
                        ChannelGet("V", v, indices=[ty])
                        s = AllocOp(row, [], [])
                        linalg.fill(arith.ConstantOp(t, 0), outs=[s])
                        linalg.matvec(k, here[3], outs=[s])
                        linalg.vecmat(s, v, outs=[here[0]])
                        linalg.max(here[1], s, outs=[here[1]])
                        linalg.min(here[2], s, outs=[here[2]])
                        for buffer in (k, v, s):
                            DeallocOp(buffer)
                        yield_([])
                    last = arith.CmpIOp(arith.CmpIPredicate.eq, ty, arith.ConstantOp.create_index(CORES - 1))
                    branch = scf.IfOp(last, hasElse=True)
                    with InsertionPoint(branch.then_block):
                        below = arith.subi(ty, arith.ConstantOp.create_index(1))
                        for name, buffer in zip(names, here):
                            ChannelPut(name, buffer, indices=[below])
                        yield_([])
                    with InsertionPoint(branch.else_block):
                        more = {name: AllocOp(row, [], []) for name in names}
                        for name in reversed(names) if "-w" in sys.argv else names:
                            ChannelGet(name, more[name], indices=[ty])
                        for op, name, buffer in zip((linalg.add, linalg.max, linalg.min), names, here):
                            op(more[name], buffer, outs=[buffer])
                            ChannelPut("Out", buffer)
                        for buffer in more.values():
                            DeallocOp(buffer)
                        yield_([])
                    for buffer in here:
                        DeallocOp(buffer)


rng = np.random.default_rng(0)
q, k, v = (rng.integers(-9, 9, s).astype(np.int32) for s in ((D,), (L, D), (L, D)))
s = k @ q
parts = s.reshape(-1, PART)
wanted = np.stack([s @ v, np.maximum(parts.max(0), 0), np.minimum(parts.min(0), 0)]).astype(np.int32)
exit(XRTRunner(omit_while_true_loop=False, omit_pingpong="all").run_test(build(), inputs=[q, k, v], expected_outputs=[wanted]))
