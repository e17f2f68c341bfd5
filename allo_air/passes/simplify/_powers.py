"""Turns powers with a constant exponent into products, roots and reciprocals."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import replace
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes.simplify._evaluate import constant_array
from allo_air.passes.simplify._scalars import constant

_MOST = 64
"""Largest exponent that is expanded to products; it needs twelve of them."""


def expand_powers(function: AnyOp) -> None:
    """Rewrites x to an integer power as products, to +-0.5 as (reciprocal) square root, and powers of 2 as exp2.

    Before:

        %p = math.fpowi %x, %c3 : f32, i32

    After:

        %s = arith.mulf %x, %x : f32
        %p = arith.mulf %s, %x : f32
    """
    for op in walk_named(function, "math.fpowi", "math.powf"):
        if not isinstance(op.results[0].type, ir.FloatType):
            continue
        base, exponent = op.operands
        number, of = constant_array(exponent), constant_array(base)
        with ir.InsertionPoint(op), op.location:
            if number is not None and (result := _power(base, float(number))) is not None:
                replace(op, [result])
            elif op.name == "math.powf" and of is not None and float(of) == 2.0:
                replace(op, [_function_named("math.exp2", exponent)])


def _power(base: ir.Value, exponent: float) -> Any:
    if exponent in (0.5, -0.5):
        return _function_named("math.sqrt" if exponent > 0 else "math.rsqrt", base)
    if exponent != int(exponent) or abs(exponent) > _MOST:
        return None
    if exponent == 0:
        return constant(1, base.type)
    product = _product(base, abs(int(exponent)))
    return product if exponent > 0 else _function_named("arith.divf", constant(1, base.type), product)


def _product(base: ir.Value, exponent: int) -> Any:
    """Repeated squaring over the bits of the exponent, the highest first."""
    product = base
    for bit in bin(exponent)[3:]:
        product = _function_named("arith.mulf", product, product)
        if bit == "1":
            product = _function_named("arith.mulf", product, base)
    return product


def _function_named(name: str, *operands: ir.Value) -> Any:
    return ir.Operation.create(name, [operands[0].type], list(operands)).results[0]
