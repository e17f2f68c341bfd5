"""The interpreter's loops of reductions: the innermost one goes along rows, and sums keep their order."""

from __future__ import annotations

import numpy as np
import pytest

from allo_air.core.walking import walk_named
from allo_air.interp import kernel, loop_order
from allo_air.mlir import ir, new_context

PRODUCT = """func.func @kernel(%a: memref<6x40xf32>, %b: memref<40x9xf32>, %c: memref<6x9xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.matmul ins(%a, %b : memref<6x40xf32>, memref<40x9xf32>) outs(%c : memref<6x9xf32>)
  return
}"""
TURNED = PRODUCT.replace("40x9", "9x40").replace(
    "linalg.matmul ",
    "linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,"
    " affine_map<(m, n, k) -> (m, n)>] ",
)
CONVOLUTION = """func.func @kernel(%a: memref<1x3x8x9xf32>, %b: memref<4x3x3x3xf32>, %c: memref<1x4x6x7xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.conv_2d_nchw_fchw ins(%a, %b : memref<1x3x8x9xf32>, memref<4x3x3x3xf32>) outs(%c : memref<1x4x6x7xf32>)
  return
}"""
SHAPES = {PRODUCT: ((6, 40), (40, 9), (6, 9)), TURNED: ((6, 40), (9, 40), (6, 9))}
SHAPES[CONVOLUTION] = ((1, 3, 8, 9), (4, 3, 3, 3), (1, 4, 6, 7))


@pytest.mark.parametrize(("text", "iterators"), [(PRODUCT, "prp"), (TURNED, "ppr"), (CONVOLUTION, "ppprrrp")])
def test_rows_are_innermost_where_all_operands_go_along_them(text: str, iterators: str) -> None:
    with new_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        loop_order.go_along_rows(module.operation)
        [op] = walk_named(module.operation, "linalg.generic")
        assert "".join(str(kind)[len("#linalg.iterator_type<")] for kind in op.attributes["iterator_types"]) == iterators


@pytest.mark.parametrize("text", SHAPES)
def test_sums_have_the_same_bits(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def run() -> np.ndarray:
        generator = np.random.default_rng(0)
        first, second, result = (generator.standard_normal(shape).astype(np.float32) for shape in SHAPES[text])
        kernel.compiled.cache_clear()
        kernel.invoke(kernel.compiled(text), [kernel.describe_array(a) for a in (first, second, result)])
        return result

    ordered = run()
    monkeypatch.setattr(kernel, "go_along_rows", lambda _: None)
    assert (ordered == run()).all()
