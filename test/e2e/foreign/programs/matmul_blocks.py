"""Products of packed micro-tiles on 4 x 4 cores with accumulators in one buffer, tiled and vectorized by a script."""

import os

import numpy as np
from ml_dtypes import bfloat16
from air.ir import *
from air.dialects.affine import apply as affine_apply
from air.dialects.linalg import fill
from air.dialects.air import *
from air.dialects.arith import ConstantOp
from air.dialects.memref import AllocOp, DeallocOp, load, store, subview
from air.dialects.func import FuncOp
from air.dialects.scf import for_, yield_
from air.dialects import linalg
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.backend.xrt import XRTBackend
from air.compiler.util import run_transform
import air.dialects.linalg.opdsl.lang as linalg_lang
from air.extras import types as extrasT

range_ = for_


@linalg_lang.linalg_structured_op()
def block_matmul(
    A=linalg_lang.TensorDef(
        linalg_lang.TV.T1, linalg_lang.S.a, linalg_lang.S.c, linalg_lang.S.f, linalg_lang.S.d, linalg_lang.S.g, linalg_lang.S.i
    ),
    B=linalg_lang.TensorDef(
        linalg_lang.TV.T2, linalg_lang.S.b, linalg_lang.S.c, linalg_lang.S.e, linalg_lang.S.f, linalg_lang.S.i, linalg_lang.S.h
    ),
    C=linalg_lang.TensorDef(
        linalg_lang.U,
        linalg_lang.S.b,
        linalg_lang.S.a,
        linalg_lang.S.e,
        linalg_lang.S.d,
        linalg_lang.S.g,
        linalg_lang.S.h,
        output=True,
    ),
):
    linalg_lang.domain(
        linalg_lang.D.a,
        linalg_lang.D.b,
        linalg_lang.D.c,
        linalg_lang.D.d,
        linalg_lang.D.e,
        linalg_lang.D.f,
        linalg_lang.D.g,
        linalg_lang.D.h,
        linalg_lang.D.i,
    )
    C[linalg_lang.D.b, linalg_lang.D.a, linalg_lang.D.e, linalg_lang.D.d, linalg_lang.D.g, linalg_lang.D.h] += (
        linalg_lang.TypeFn.cast_signed(
            linalg_lang.U,
            A[linalg_lang.D.a, linalg_lang.D.c, linalg_lang.D.f, linalg_lang.D.d, linalg_lang.D.g, linalg_lang.D.i],
        )
        * linalg_lang.TypeFn.cast_signed(
            linalg_lang.U,
            B[linalg_lang.D.b, linalg_lang.D.c, linalg_lang.D.e, linalg_lang.D.f, linalg_lang.D.i, linalg_lang.D.h],
        )
    )


@module_builder
def build_module(m, k, n, tile_m, tile_k_l2, tile_k_l1, tile_n, herd_m, herd_n, np_dtype_in, np_dtype_out, mkn):
    assert m % tile_m == 0 and k % tile_k_l2 == 0
    mm, mk, mn = mkn
    ti, to = type_mapper(np_dtype_in), type_mapper(np_dtype_out)
    tyA, tyB, tyO = MemRefType.get([m, k], ti), MemRefType.get([k, n], ti), MemRefType.get([m, n], to)
    l1s = IntegerAttr.get(extrasT.i32(), MemorySpace.L1)
    l2s = IntegerAttr.get(extrasT.i32(), MemorySpace.L2)
    a1 = MemRefType.get(shape=[1, 1, tile_k_l1 // mk, tile_m // mm, mm, mk], element_type=ti, memory_space=l1s)
    b1 = MemRefType.get(shape=[1, 1, tile_n // mn, tile_k_l1 // mk, mk, mn], element_type=ti, memory_space=l1s)
    ch = [herd_m, herd_n, tile_n // mn, tile_m // mm, mm, mn]
    c1h = MemRefType.get(shape=ch, element_type=to, memory_space=l1s)
    a2 = MemRefType.get(shape=[herd_m, 1, tile_m, tile_k_l2], element_type=ti, memory_space=l2s)
    b2 = MemRefType.get(shape=[1, herd_n, tile_k_l2, tile_n], element_type=ti, memory_space=l2s)
    c2 = MemRefType.get(shape=[herd_m, herd_n, tile_m, tile_n], element_type=to, memory_space=l2s)

    @FuncOp.from_py_func(tyA, tyB, tyO)
    def matmul_bf16(arg0, arg1, arg2):
        @launch(operands=[arg0, arg1, arg2], sizes=[m // tile_m // herd_m, n // tile_n // herd_n])
        def launch_body(ivx, ivy, sx, sy, l3_a, l3_b, l3_c):
            @segment(name="matmul_seg", operands=[ivx, ivy, sx, sy, l3_a, l3_b, l3_c])
            def segment_body(ivx_s, ivy_s, _sx, _sy, l3_a_s, l3_b_s, l3_c_s):
                l2a, l2b, l2c = AllocOp(a2, [], []), AllocOp(b2, [], []), AllocOp(c2, [], [])
                l1a, l1b, l1c = AllocOp(a1, [], []), AllocOp(b1, [], []), AllocOp(c1h, [], [])
                mapx = AffineMap.get(
                    0, 1, [AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(tile_m * herd_m))]
                )
                mapy = AffineMap.get(
                    0, 1, [AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(tile_n * herd_n))]
                )
                ox = affine_apply(mapx, [ivx_s])
                oy = affine_apply(mapy, [ivy_s])

                @herd(name="herd_0", sizes=[herd_m, herd_n], operands=[l1c])
                def herd_body(tx, ty, sx, sy, c):
                    sv = subview(c, offsets=[tx, ty, 0, 0, 0, 0], sizes=[1, 1] + ch[2:], strides=[1] * 6)
                    z = ConstantOp(FloatAttr.get(to, 0.0) if not isinstance(to, IntegerType) else IntegerAttr.get(to, 0), None)
                    fill(z, outs=[sv])

                for i in range_(0, k // tile_k_l2):
                    km = AffineMap.get(0, 1, [AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(tile_k_l2))])
                    ro = affine_apply(km, [i])
                    dma_memcpy_nd(
                        l2a,
                        l3_a_s,
                        src_offsets=[0, 0, ox, ro],
                        src_sizes=[herd_m, 1, tile_m, tile_k_l2],
                        src_strides=[k * tile_m, tile_k_l2, k, 1],
                    )
                    dma_memcpy_nd(
                        l2b,
                        l3_b_s,
                        src_offsets=[0, 0, ro, oy],
                        src_sizes=[1, herd_n, tile_k_l2, tile_n],
                        src_strides=[n * tile_k_l2, tile_n, n, 1],
                    )

                    @herd(name="herd_0", sizes=[herd_m, herd_n], operands=[l1a, l1b, l1c, l2a, l2b])
                    def herd_body(tx, ty, sx, sy, _a, _b, _c, _a2, _b2):
                        for j in range_(0, tile_k_l2 // tile_k_l1):
                            jm = AffineMap.get(
                                0, 1, [AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(tile_k_l1))]
                            )
                            ro1 = affine_apply(jm, [j])
                            dma_memcpy_nd(
                                _a,
                                _a2,
                                src_offsets=[tx, 0, 0, 0, 0, ro1],
                                src_sizes=[1, 1, tile_k_l1 // mk, tile_m // mm, mm, mk],
                                src_strides=[tile_m * tile_k_l2, tile_m * tile_k_l2, mk, mm * tile_k_l2, tile_k_l2, 1],
                            )
                            dma_memcpy_nd(
                                _b,
                                _b2,
                                src_offsets=[0, ty, 0, 0, ro1, 0],
                                src_sizes=[1, 1, tile_n // mn, tile_k_l1 // mk, mk, mn],
                                src_strides=[herd_n * tile_n * tile_k_l2, tile_k_l2 * tile_n, mn, mk * tile_n, tile_n, 1],
                            )
                            sv = subview(_c, offsets=[tx, ty, 0, 0, 0, 0], sizes=[1, 1] + ch[2:], strides=[1] * 6)
                            block_matmul(_a, _b, outs=[sv])
                            yield_([])

                    yield_([])

                @herd(name="herd_0", sizes=[herd_m, herd_n], operands=[l1c, l2c])
                def herd_body(tx, ty, sx, sy, _c, _c2):
                    dma_memcpy_nd(
                        _c2,
                        _c,
                        dst_offsets=[tx, ty, 0, 0],
                        dst_sizes=[1, 1, tile_m, tile_n],
                        dst_strides=[herd_n * tile_m * tile_n, tile_m * tile_n, tile_n, 1],
                        src_offsets=[tx, ty, 0, 0, 0, 0],
                        src_sizes=[1, 1, tile_m // mm, mm, tile_n // mn, mn],
                        src_strides=[herd_n * tile_m * tile_n, tile_m * tile_n, mm * mn, mn, tile_m * mn, 1],
                    )

                dma_memcpy_nd(
                    l3_c_s,
                    l2c,
                    dst_offsets=[ox, oy],
                    dst_sizes=[herd_m * tile_m, herd_n * tile_n],
                    dst_strides=[n, 1],
                    src_offsets=[0, 0, 0, 0],
                    src_sizes=[herd_m, tile_m, herd_n, tile_n],
                    src_strides=[tile_m * herd_n * tile_n, tile_n, tile_m * tile_n, 1],
                )
                for x in (l2a, l2b, l2c, l1a, l1b, l1c):
                    DeallocOp(x)


SCRIPT = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %f0 = transform.structured.match ops{["func.func"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f0 {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %m = transform.structured.match ops{["linalg.generic"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [0, 0, 0, 1, 1, 1, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %fl = transform.structured.match ops{["linalg.fill"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %tf, %lf:2 = transform.structured.tile_using_for %fl tile_sizes [0, 0, 1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %h = transform.structured.match ops{["air.herd"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %v = transform.air.herd_vectorize %h : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""

np.random.seed(1)
kinds = [
    (bfloat16, np.float32, (4, 8, 4)),
    (np.int8, np.int32, (4, 8, 8) if "npu1" in os.environ.get("AIR_TARGET_DEVICE", "npu1") else (8, 8, 8)),
]
for kind_in, kind_out, mkn in kinds:
    mod = build_module(64, 32, 64, 16, 32, 16, 16, 4, 4, kind_in, kind_out, mkn)
    with mod.context:
        run_transform(Module.parse(SCRIPT, context=mod.context), mod)
    a, b = np.random.randint(-8, 8, (64, 32)).astype(kind_in), np.random.randint(-8, 8, (32, 64)).astype(kind_in)
    expected = (a.astype(np.float32) @ b.astype(np.float32)).astype(kind_out)
    runner = XRTRunner(omit_while_true_loop=False, runtime_loop_tiling_sizes=[2, 2])
    if runner.run_test(mod, inputs=[a, b], expected_outputs=[expected], rtol=0.05):
        exit(1)
