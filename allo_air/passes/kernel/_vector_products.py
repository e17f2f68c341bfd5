"""Products of f32, and sums of products, by vector operations that AIE has."""

from __future__ import annotations

from typing import Any

from allo_air.arch import core_of
from allo_air.mlir import arith, ir, vector
from allo_air.passes.kernel._bf16x3 import PARTS, extended, lanes_constant, low_precision_source, parts_of, product
from allo_air.passes.kernel._chains import products_used_once
from allo_air.passes.kernel._lane_values import splat
from allo_air.passes.kernel._op_signature import OpSignature
from allo_air.passes.kernel._real import INFINITY, Real, select_lanes


def _sum(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """A sum with one or two products, in the form that the tool chain lowers to one or two operations."""
    products = products_used_once(op)
    if form.lanes not in (16, 32) or not products:
        return None
    product = products[0]
    rest = op.operands[1] if op.operands[0] == product else op.operands[0]
    factors = list(product.owner.operands)
    if form.source == "f32" and form.lanes == 16 and all(low_precision_source(f) is not None for f in factors):
        return vector.FMAOp(factors[0], factors[1], rest).result
    if form.source == "f32" and not core_of(arch).forms.f32_products:
        return None  # the product is emulated
    if form.source != "f32" and len(products) < 2:
        return None
    if (number := lanes_constant(rest)) is not None:
        return arith.subf(product, splat(rest.type, -number))
    factors = factors if lanes_constant(factors[0]) is not None else factors[::-1]
    return arith.subf(rest, arith.mulf(_negated(factors[0]), factors[1]))


def _product(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """The sum of the products of the factors' parts; if the first product is infinite or NaN, that product."""
    lhs, rhs = op.operands
    if (
        core_of(arch).forms.f32_products
        or form.source != "f32"
        or form.lanes != 16
        or all(low_precision_source(v) is not None for v in op.operands)
    ):
        return None
    first = Real(product(lhs, rhs, 1))
    if all(len(parts_of(v, PARTS)) == 1 for v in op.operands):
        return first.value
    return select_lanes(first.is_above(INFINITY - 1), first, Real(product(lhs, rhs))).value


def _fused(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """A fused product from the factors' parts, if a factor is a constant or not an extended bf16."""
    lhs, rhs, addend = op.operands
    briefs = [low_precision_source(v) for v in (lhs, rhs)]
    if form.source != "f32" or form.lanes != 16 or all(b is not None and lanes_constant(b) is None for b in briefs):
        return None
    if all(len(parts_of(v, PARTS)) == 1 for v in (lhs, rhs)):
        [a], [b] = parts_of(lhs, 1), parts_of(rhs, 1)
        return vector.FMAOp(extended(a), extended(b), addend).result
    return product(lhs, rhs, PARTS, addend)


def _negated(value: ir.Value) -> Any:
    number = lanes_constant(value)
    return splat(value.type, -number) if number is not None else arith.subf(splat(value.type, 0.0), value)


SUMS = {"arith.addf": _sum}
RULES = {"arith.mulf": _product, "vector.fma": _fused}
