"""fold-quantization."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import body_of, walk_named
from allo_air.mlir import AnyOp
from allo_air.passes._ir.generic import drop_unused
from allo_air.passes.simplify._constants import fold_constants
from allo_air.passes.simplify._integer_products import remove_zero_points, rewrite_as_integers
from allo_air.passes.simplify._named import generalize


@dataclass(frozen=True)
class FoldQuantization(Pass):
    """Multiplies 8-bit integers instead of their scaled f32 values, in models with QuantizeLinear.

    With operands x = s (q - z) and w = t (r - y), where t and y may differ by channel, the sum of the K products of x and w is

        s t (sum(q r) - z sum(r) - y sum(q) + K z y)

    The sums of constant weights are computed at compile time. Constant weights that fit i8 without y lose their zero point. If
    both operands have zero points and their sums are unknown, 16-bit integers without zero points are multiplied. Integers are
    added exactly, in i32, so results are closer to exact arithmetic than f32 sums; products whose sums may overflow stay
    unchanged. `linalg.quantized_matmul` and similar operations lose their zero points in the same way, also if that of `x` is
    computed (dynamic quantization). Unsigned integers are
    read as signed ones plus 128.

    Before:

        %x = linalg.generic ins(%q : tensor<8x64xi8>) { yield 0.5 * (sitofp (extsi %in) - 3) }
        %w = linalg.generic ins(%r : tensor<64x16xi8>) { yield 0.25 * sitofp %in }
        %y = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x16xf32>) outs(%zero : tensor<8x16xf32>)

    After:

        %p = linalg.matmul ins(%q, %r : tensor<8x64xi8>, tensor<64x16xi8>) outs(%none : tensor<8x16xi32>)
        %y = linalg.generic ins(%p, %three_sums_of_r : tensor<8x16xi32>, tensor<16xi32>) { yield 0.125 * sitofp (%in - %in_0) }
    """

    name = "fold-quantization"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            if not _products(function) or not _holds_bytes(function):
                continue
            with function.location:
                generalize(function)  # erases named elementwise operations
                if any(map(_has_zero_points, _products(function))):
                    fold_constants(function)
                for product in _products(function):
                    if _has_zero_points(product):
                        remove_zero_points(product)
                    else:
                        rewrite_as_integers(product)
                drop_unused(function)


def _has_zero_points(op: AnyOp) -> bool:
    return op.name.startswith("linalg.quantized_") or op.name.endswith("_q")


def _products(function: AnyOp) -> list[AnyOp]:
    return [o for o in body_of(function) if o.name.startswith("linalg.") and len(o.operands) >= 3 and o.results]


def _holds_bytes(function: AnyOp) -> bool:
    return any("xi8>" in str(v.type) for o in body_of(function) for v in o.operands)
