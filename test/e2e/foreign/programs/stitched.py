"""Two modules joined as text into one function, a launch each, as builders of decoder layers do."""

import re

import numpy as np
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith, linalg
from air.dialects.affine import apply as affine_apply
from air.dialects.air import *
from air.dialects.arith import ConstantOp
from air.dialects.func import FuncOp
from air.dialects.memref import AllocOp, DeallocOp, load, store, subview
from air.dialects.scf import for_, yield_
from air.ir import *
from ml_dtypes import bfloat16

range_ = for_
rng = np.random.default_rng(3)


def l1(shape, t):
    return MemRefType.get(shape=shape, element_type=t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))


def l2(shape, t):
    return MemRefType.get(shape=shape, element_type=t, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L2))


def times(c):
    return AffineMap.get(0, 1, [AffineExpr.get_mul(AffineSymbolExpr.get(0), AffineConstantExpr.get(c))])


def stitch():
    """modules joined as text, a launch each: as builders of decoder layers do"""
    N = 256

    def part(kind):
        @module_builder
        def build():
            t = BF16Type.get()
            m = MemRefType.get([N], t)

            @FuncOp.from_py_func(m, m, m)
            def body(a, b, c):
                @launch(operands=[a, b, c])
                def l(a, b, c):
                    @segment(name=f"{kind}_seg", operands=[a, b, c])
                    def s(a, b, c):
                        @herd(name=f"{kind}_herd", sizes=[2, 1], operands=[a, b, c])
                        def h(tx, ty, sx, sy, a, b, c):
                            x, y, z = (AllocOp(l1([N // 2], t), [], []) for _ in range(3))
                            o = affine_apply(times(N // 2), [tx])
                            L = dict(src_offsets=[o], src_sizes=[N // 2], src_strides=[1])
                            dma_memcpy_nd(x, a, **L)
                            dma_memcpy_nd(y, b, **L)
                            (linalg.add if kind == "add" else linalg.mul)(x, y, outs=[z])
                            dma_memcpy_nd(c, z, dst_offsets=[o], dst_sizes=[N // 2], dst_strides=[1])
                            for q in (x, y, z):
                                DeallocOp(q)

        return str(build())

    texts = [part("add"), part("mul")]
    maps, bodies = [], []
    for n, (text, args) in enumerate(zip(texts, (["%arg0", "%arg1", "%arg2"], ["%arg2", "%arg1", "%arg3"]))):
        lines = text.split("\n")
        maps += [re.sub(r"#map(\d*)", rf"#p{n}_map\1", l) for l in lines if l.startswith("#map")]
        start = next(i for i, l in enumerate(lines) if "func.func @" in l) + 1
        end = max(i for i, l in enumerate(lines) if l.strip() == "return")
        b = "\n".join(lines[start:end])
        b = re.sub(r"%([a-zA-Z0-9_]+)", rf"%p{n}_\1", b)
        b = re.sub(r"#map(\d*)", rf"#p{n}_map\1", b)
        for k, a in enumerate(args):
            b = re.sub(rf"%p{n}_arg{k}\b", a, b)
        bodies.append(b)
    m = f"memref<{N}xbf16>"
    text = (
        "\n".join(maps)
        + f"\nmodule {{\n  func.func @layer(%arg0: {m}, %arg1: {m}, %arg2: {m}, %arg3: {m}) {{\n"
        + "\n".join(bodies)
        + "\n    return\n  }\n}\n"
    )
    A, B = (rng.standard_normal(N).astype(bfloat16) for _ in range(2))
    with Context() as ctx, Location.unknown():
        mod = Module.parse(text)
    return mod, [A, B], [A + B, (A + B) * B], {"rtol": 1e-2}


module, inputs, outputs, how = stitch()
options = how.pop("options", {})
exit(XRTRunner(**options).run_test(module, inputs=inputs, expected_outputs=outputs, **how))
