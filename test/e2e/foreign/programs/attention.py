"""Attention without its softmax: rows of queries by columns, parts of keys and values by rows, partial sums by cascades."""

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith, linalg, scf
from air.dialects.air import *
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp
from air.dialects.scf import for_, yield_
from air.ir import *

range_ = for_
LQ, LK, D = 16, 64, 16
NQ = CAS = 2


@module_builder
def build():
    t = type_mapper(np.int32)
    i32 = T.i32()
    q_ty = MemRefType.get([LQ, D], t)
    k_ty = MemRefType.get([D, LK], t)
    v_ty = MemRefType.get([LK, D], t)
    m_ty = MemRefType.get([LQ, LK], t)
    o_ty = MemRefType.get([LQ, D], t)
    sp1 = IntegerAttr.get(i32, MemorySpace.L1)
    sp2 = IntegerAttr.get(i32, MemorySpace.L2)
    TQ = LQ // NQ

    def l1(s):
        return MemRefType.get(s, t, memory_space=sp1)

    def l2(s):
        return MemRefType.get(s, t, memory_space=sp2)

    Channel("L3ToL2Q", size=[1])
    Channel("L3ToL2K", size=[CAS])
    Channel("L3ToL2V", size=[CAS])
    Channel("L2ToL1Q", size=[NQ, 1], broadcast_shape=[NQ, CAS])
    Channel("L2ToL1K", size=[1, CAS], broadcast_shape=[NQ, CAS])
    Channel("L2ToL1V", size=[1, CAS], broadcast_shape=[NQ, CAS])
    Channel("cascade", size=[NQ, CAS - 1], channel_type="cascade")
    Channel("L1ToL2O", size=[NQ, 1])
    Channel("L2ToL3O", size=[1])
    CH = LK // CAS  # per cascade stage
    NCH = CH // 8

    @FuncOp.from_py_func(q_ty, k_ty, v_ty, o_ty)
    def attention(q, k, v, o):
        @launch(operands=[q, k, v, o])
        def lb(q, k, v, o):
            ChannelPut("L3ToL2Q", q, indices=[0])
            for s in range(CAS):
                ChannelPut("L3ToL2K", k, indices=[s], offsets=[0, 0, CH * s], sizes=[NCH, D, 8], strides=[8, LK, 1])
                ChannelPut("L3ToL2V", v, indices=[s], offsets=[CH * s, 0], sizes=[CH, D], strides=[D, 1])
            ChannelGet("L2ToL3O", o, indices=[0])

            @segment(name="seg")
            def sb():
                q2 = AllocOp(l2([LQ, D]), [], [])
                o2 = AllocOp(l2([LQ, D]), [], [])
                ChannelGet("L3ToL2Q", q2, indices=[0])
                for i in range(NQ):
                    ChannelPut("L2ToL1Q", q2, indices=[i, 0], offsets=[TQ * i, 0], sizes=[TQ, D], strides=[D, 1])
                kk = [AllocOp(l2([D, 8]), [], []) for s in range(CAS)]
                vv = [AllocOp(l2([8, D]), [], []) for s in range(CAS)]
                for s in range(CAS):
                    for c in range_(NCH):
                        ChannelGet("L3ToL2K", kk[s], indices=[s])
                        ChannelPut("L2ToL1K", kk[s], indices=[0, s])
                        ChannelGet("L3ToL2V", vv[s], indices=[s])
                        ChannelPut("L2ToL1V", vv[s], indices=[0, s])
                        yield_([])

                @herd(name="herd_0", sizes=[NQ, CAS])
                def hb(tx, ty, sx, sy):
                    ql = AllocOp(l1([TQ, D]), [], [])
                    ChannelGet("L2ToL1Q", ql, indices=[tx, ty])
                    up = AllocOp(l1([TQ, D]), [], [])
                    linalg.fill(arith.constant(t, 0), outs=[up])
                    for c in range_(NCH):
                        kl = AllocOp(l1([D, 8]), [], [])
                        g = AllocOp(l1([TQ, 8]), [], [])
                        linalg.fill(arith.constant(t, 0), outs=[g])
                        ChannelGet("L2ToL1K", kl, indices=[tx, ty])
                        linalg.matmul(ql, kl, outs=[g])
                        DeallocOp(kl)
                        vl = AllocOp(l1([8, D]), [], [])
                        ChannelGet("L2ToL1V", vl, indices=[tx, ty])
                        linalg.matmul(g, vl, outs=[up])
                        DeallocOp(vl)
                        DeallocOp(g)
                        yield_([])
                    c0 = arith.ConstantOp(IndexType.get(), 0)
                    cl = arith.ConstantOp(IndexType.get(), CAS - 1)
                    c1 = arith.ConstantOp(IndexType.get(), 1)
                    last = arith.CmpIOp(arith.CmpIPredicate.eq, ty, cl)
                    if_op = scf.IfOp(last, has_else=True)
                    with InsertionPoint(if_op.then_block):
                        prev = arith.subi(ty, c1)
                        ChannelPut("cascade", up, indices=[tx, prev])
                        yield_([])
                    with InsertionPoint(if_op.else_block):
                        pc = AllocOp(l1([TQ, D]), [], [])
                        ChannelGet("cascade", pc, indices=[tx, ty])
                        linalg.add(pc, up, outs=[up])
                        DeallocOp(pc)
                        first = arith.CmpIOp(arith.CmpIPredicate.eq, ty, c0)
                        if2 = scf.IfOp(first, has_else=True)
                        with InsertionPoint(if2.then_block):
                            ChannelPut("L1ToL2O", up, indices=[tx, 0])
                            yield_([])
                        with InsertionPoint(if2.else_block):
                            prev = arith.subi(ty, c1)
                            ChannelPut("cascade", up, indices=[tx, prev])
                            yield_([])
                        yield_([])
                    DeallocOp(ql)
                    DeallocOp(up)

                for i in range(NQ):
                    ChannelGet("L1ToL2O", o2, indices=[i, 0], offsets=[TQ * i, 0], sizes=[TQ, D], strides=[D, 1])
                ChannelPut("L2ToL3O", o2, indices=[0])
                for z in [q2, o2, *kk, *vv]:
                    DeallocOp(z)


r = np.random.default_rng(0)
q = r.integers(-4, 4, (LQ, D)).astype(np.int32)
k = r.integers(-4, 4, (D, LK)).astype(np.int32)
v = r.integers(-4, 4, (LK, D)).astype(np.int32)
exit(
    XRTRunner(omit_while_true_loop=False, stack_size=2048).run_test(
        build(), inputs=[q, k, v], expected_outputs=[(q @ k @ v).astype(np.int32)]
    )
)
