"""Attention of several heads, its softmax on the fly: rows of queries by columns, parts of the keys by rows, cascades."""

import argparse

import numpy as np
from ml_dtypes import bfloat16
from air.ir import *
from air.dialects.affine import apply as affine_apply, AffineIfOp, AffineYieldOp
from air.dialects.air import *
from air.dialects import arith, math, vector, linalg, scf, affine
from air.dialects.arith import ConstantOp
from air.dialects.memref import AllocOp, DeallocOp, subview, load, store
from air.dialects.func import FuncOp, CallOp
from air.dialects.scf import for_, yield_
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.extras import types as extrasT

range_ = for_


def l1(shape, t):
    return MemRefType.get(shape=shape, element_type=t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))


def l2(shape, t):
    return MemRefType.get(shape=shape, element_type=t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L2))


p = argparse.ArgumentParser()
for n, d in (
    ("lq", 32),
    ("lk", 64),
    ("dk", 16),
    ("lqp", 32),
    ("lkp", 8),
    ("num-heads", 2),
    ("nq", 2),
    ("cas", 2),
    ("unroll", 1),
):
    p.add_argument("--" + n, type=int, default=d, dest=n.replace("-", "_"))
p.add_argument("-p", "--print-module-only", action="store_true")
p.add_argument("--mode", default="inside")
p.add_argument("--shared-qk", action="store_true")
p.add_argument("--causal", action="store_true")
a = p.parse_args()
LQ, LK, DK, LQP, LKP, H, NQ, CAS = a.lq, a.lk, a.dk, a.lqp, a.lkp, a.num_heads, a.nq, a.cas
TQ = LQP // NQ  # rows per core
CH = LK // LKP // CAS  # chunks per stage


@module_builder
def build():
    t = type_mapper(np.float32)
    f32 = t
    hq, hk, hv, ho = (MemRefType.get(s, t) for s in ([H, LQ, DK], [H, DK, LK], [H, LK, DK], [H, LQ, DK]))
    U = a.unroll
    Channel("QIn", size=[U, NQ, 1], broadcast_shape=[U, NQ, CAS]) if U > 1 else Channel(
        "QIn", size=[NQ, 1], broadcast_shape=[NQ, CAS]
    )
    for nm in ["QKIn"] if False else ["KIn", "VIn"]:
        Channel(nm, size=[U, CAS] if U > 1 else [CAS])
    for nm in ("K1", "V1"):
        Channel(nm, size=[1, CAS], broadcast_shape=[NQ, CAS])
    Channel("Q2", size=[NQ, 1], broadcast_shape=[NQ, CAS])
    for nm, n in (("cascade_gp", 0), ("cascade_up", 0), ("cascade_sp", 0)):
        Channel("cascade", size=[NQ, CAS - 1], channel_type="cascade") if nm == "cascade_gp" and CAS > 1 else None
    Channel("Out1", size=[NQ, 1])
    Channel("OutL3", size=[1])
    Channel("QL3", size=[1])
    fills = {}

    @FuncOp.from_py_func(hq, hk, hv, ho)
    def attention_bf16(q, k, v, o):
        @launch(operands=[q, k, v, o], sizes=[LQ // LQP, H])
        def lb(iq, ih, _s0, _s1, q, k, v, o):
            qo = affine_apply(
                AffineMap.get(0, 1, [AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(LQP))]), [iq]
            )
            ChannelPut("QL3", q, indices=[0], offsets=[ih, qo, 0], sizes=[1, LQP, DK], strides=[LQ * DK, DK, 1])
            for s in range(CAS):
                ChannelPut(
                    "KIn",
                    k,
                    indices=[s],
                    offsets=[ih, 0, 0, s * CH * LKP],
                    sizes=[1, CH, DK, LKP],
                    strides=[DK * LK, LKP, LK, 1],
                )
                ChannelPut(
                    "VIn", v, indices=[s], offsets=[ih, s * CH * LKP, 0], sizes=[1, CH * LKP, DK], strides=[DK * LK, DK, 1]
                )
            ChannelGet("OutL3", o, indices=[0], offsets=[ih, qo, 0], sizes=[1, LQP, DK], strides=[LQ * DK, DK, 1])

            @segment(name="attention_seg", operands=[iq, ih])
            def sb(iq, ih):
                q2 = AllocOp(l2([LQP, DK], t), [], [])
                o2 = AllocOp(l2([LQP, DK], t), [], [])
                ChannelGet("QL3", q2, indices=[0])
                for i in range(NQ):
                    ChannelPut("Q2", q2, indices=[i, 0], offsets=[TQ * i, 0], sizes=[TQ, DK], strides=[DK, 1])
                kk = [AllocOp(l2([DK, LKP], t), [], []) for _ in range(CAS)]
                vv = [AllocOp(l2([LKP, DK], t), [], []) for _ in range(CAS)]
                for s in range(CAS):
                    for c in range_(CH):
                        ChannelGet("KIn", kk[s], indices=[s])
                        ChannelPut("K1", kk[s], indices=[0, s])
                        ChannelGet("VIn", vv[s], indices=[s])
                        ChannelPut("V1", vv[s], indices=[0, s])
                        yield_([])
                Qb, G, V, Gp = (AllocOp(l1(s, t), [], []) for s in ([TQ, DK], [TQ, LKP], [LKP, DK], [TQ, DK]))
                Kb = AllocOp(l1([DK, LKP], t), [], [])
                up, sp, r = (AllocOp(l1([TQ, 1], t), [], []) for _ in range(3))

                def initial(Gp, up, sp):
                    linalg.fill(ConstantOp(t, 0.0), outs=[Gp])
                    linalg.fill(ConstantOp(t, 0.0), outs=[sp])
                    linalg.fill(ConstantOp(t, -1e30), outs=[up])

                def step(tx, ty, Qb, Kb, G, V, Gp, up, sp, r):
                    ChannelGet("K1", Kb, indices=[tx, ty])
                    linalg.fill(ConstantOp(t, 0.0), outs=[G])
                    linalg.matmul(Qb, Kb, outs=[G])
                    c0 = ConstantOp(IndexType.get(), 0)
                    for i in range_(TQ):
                        m0 = load(up, [i, c0])
                        lp = scf.ForOp(c0, ConstantOp(IndexType.get(), LKP), ConstantOp(IndexType.get(), 1), [m0])
                        with InsertionPoint(lp.body):
                            mx = arith.maximumf(lp.inner_iter_args[0], load(G, [i, lp.induction_variable]))
                            yield_([mx])
                        m1 = lp.results[0]
                        store(math.exp(arith.subf(m0, m1)), r, [i, c0])
                        store(m1, up, [i, c0])
                        rr = load(r, [i, c0])
                        s0 = arith.mulf(load(sp, [i, c0]), rr)
                        store(s0, sp, [i, c0])
                        for j in range_(LKP):
                            e = math.exp(arith.subf(load(G, [i, j]), m1))
                            store(e, G, [i, j])
                            store(arith.addf(load(sp, [i, c0]), e), sp, [i, c0])
                            yield_([])
                        for j in range_(DK):
                            store(arith.mulf(load(Gp, [i, j]), rr), Gp, [i, j])
                            yield_([])
                        yield_([])
                    ChannelGet("V1", V, indices=[tx, ty])
                    linalg.matmul(G, V, outs=[Gp])

                def merge(tx, ty, Gp, up, sp, G2, up2, sp2):
                    c0 = ConstantOp(IndexType.get(), 0)
                    for i in range_(TQ):
                        ma, mb = load(up, [i, c0]), load(up2, [i, c0])
                        m = arith.maximumf(ma, mb)
                        ea, eb = math.exp(arith.subf(ma, m)), math.exp(arith.subf(mb, m))
                        store(m, up, [i, c0])
                        store(arith.addf(arith.mulf(load(sp, [i, c0]), ea), arith.mulf(load(sp2, [i, c0]), eb)), sp, [i, c0])
                        for j in range_(DK):
                            store(arith.addf(arith.mulf(load(Gp, [i, j]), ea), arith.mulf(load(G2, [i, j]), eb)), Gp, [i, j])
                            yield_([])
                        yield_([])

                def cascade(tx, ty, Gp, up, sp):
                    c0, cl, c1 = (ConstantOp(IndexType.get(), x) for x in (0, CAS - 1, 1))

                    def send(t):
                        ChannelPut("cascade", Gp, indices=[tx, t])
                        ChannelPut("cascade", up, indices=[tx, t])
                        ChannelPut("cascade", sp, indices=[tx, t])

                    def recv():
                        G2, u2, s2 = (AllocOp(l1(s, f32), [], []) for s in ([TQ, DK], [TQ, 1], [TQ, 1]))
                        ChannelGet("cascade", G2, indices=[tx, ty])
                        ChannelGet("cascade", u2, indices=[tx, ty])
                        ChannelGet("cascade", s2, indices=[tx, ty])
                        merge(tx, ty, Gp, up, sp, G2, u2, s2)
                        for x in (G2, u2, s2):
                            DeallocOp(x)

                    def finish():
                        for i in range_(TQ):
                            for j in range_(DK):
                                store(arith.divf(load(Gp, [i, j]), load(sp, [i, c0])), Gp, [i, j])
                                yield_([])
                            yield_([])
                        ChannelPut("Out1", Gp, indices=[tx, 0])

                    if CAS == 1:
                        finish()
                        return
                    d1 = AffineDimExpr.get(0) if False else AffineSymbolExpr.get(0)
                    last = IntegerSet.get(0, 1, [AffineExpr.get_add(d1, AffineConstantExpr.get(-(CAS - 1)))], [True])
                    first = IntegerSet.get(0, 1, [d1], [True])
                    i1 = affine.AffineIfOp(last, cond_operands=[ty], has_else=True)
                    with InsertionPoint(i1.then_block):
                        send(arith.subi(ty, c1))
                        affine.AffineYieldOp([])
                    with InsertionPoint(i1.else_block):
                        i2 = affine.AffineIfOp(first, cond_operands=[ty], has_else=True)
                        with InsertionPoint(i2.then_block):
                            recv()
                            finish()
                            affine.AffineYieldOp([])
                        with InsertionPoint(i2.else_block):
                            recv()
                            send(arith.subi(ty, c1))
                            affine.AffineYieldOp([])
                        affine.AffineYieldOp([])

                if a.mode == "inside":

                    @herd(name="herd_0", sizes=[NQ, CAS], operands=[Qb, Kb, G, V, Gp, up, sp, r])
                    def hb(tx, ty, sx, sy, Qb, Kb, G, V, Gp, up, sp, r):
                        initial(Gp, up, sp)
                        ChannelGet("Q2", Qb, indices=[tx, ty])
                        for c in range_(CH):
                            step(tx, ty, Qb, Kb, G, V, Gp, up, sp, r)
                            yield_([])
                        cascade(tx, ty, Gp, up, sp)
                else:

                    @herd(name="herd_0", sizes=[NQ, CAS], operands=[Qb, Gp, up, sp])
                    def hb(tx, ty, sx, sy, Qb, Gp, up, sp):
                        initial(Gp, up, sp)
                        ChannelGet("Q2", Qb, indices=[tx, ty])

                    for c in range_(CH):

                        @herd(name="herd_0", sizes=[NQ, CAS], operands=[Qb, Kb, G, V, Gp, up, sp, r])
                        def hb(tx, ty, sx, sy, Qb, Kb, G, V, Gp, up, sp, r):
                            step(tx, ty, Qb, Kb, G, V, Gp, up, sp, r)

                        yield_([])

                    @herd(name="herd_0", sizes=[NQ, CAS], operands=[Gp, up, sp])
                    def hb(tx, ty, sx, sy, Gp, up, sp):
                        cascade(tx, ty, Gp, up, sp)

                for i in range(NQ):
                    ChannelGet("Out1", o2, indices=[i, 0], offsets=[TQ * i, 0], sizes=[TQ, DK], strides=[DK, 1])
                ChannelPut("OutL3", o2, indices=[0])
                for z in [q2, o2, *kk, *vv, Qb, Kb, G, V, Gp, up, sp, r]:
                    DeallocOp(z)


mod = build()
if a.print_module_only:
    print(mod)
    exit(0)
rng = np.random.default_rng(0)
q, k, v = (rng.standard_normal(s).astype(np.float32) for s in ((H, LQ, DK), (H, DK, LK), (H, LK, DK)))
s = q @ k
e = np.exp(s - s.max(-1, keepdims=True))
e /= e.sum(-1, keepdims=True)
exit(
    XRTRunner(
        omit_while_true_loop=False, runtime_loop_tiling_sizes=[1, 1], stack_size=2048, omit_pingpong="all" if False else ""
    ).run_test(mod, inputs=[q, k, v], expected_outputs=[e @ v], rtol=1e-2, atol=1e-3)
)
