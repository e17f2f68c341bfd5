"""Finds out how a math function is used: its argument is a constant times a bf16, or its result is only a part of a divisor."""

from __future__ import annotations

from math import sqrt
from typing import Any

from allo_air.core.walking import defining_op, is_result_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.element_types import element_of
from allo_air.passes.kernel._bf16x3 import lanes_constant, low_precision_source
from allo_air.passes.kernel._flow import is_constant

_LEAST = 2.0**-20
_NEAR = 1e-6
"""Relative error of an argument's factor when it is rounded to f32."""


def scaled(value: ir.Value) -> tuple[Any, float]:
    """If `value` is a constant times an extended bf16: the extended value and the constant; otherwise None."""
    factor = 1.0
    while low_precision_source(value) is None:
        owner = defining_op(value)
        if owner is None or element_of(value.type) != "f32":
            return None, factor
        operands = list(owner.operands)
        if owner.name == "arith.negf" or (owner.name == "arith.subf" and is_constant(operands[0], lambda number: number == 0)):
            value, factor = operands[-1], -factor
        elif owner.name == "arith.addf" and operands[0] == operands[1]:
            value, factor = operands[0], 2 * factor
        elif owner.name == "arith.mulf" and (number := lanes_constant(operands[1])) is not None:
            value, factor = operands[0], number * factor
        else:
            return None, factor
    return value, factor


def is_limited(exp: AnyOp) -> bool:
    """Whether results of `exp` above 2^126 may be infinite: the result is only added to positive constants, and the sums are
    only divisors.
    """
    users = [use.owner.operation for use in exp.results[0].uses]
    return bool(users) and all(
        user.name == "arith.addf"
        and any(is_constant(v, lambda number: number > _LEAST) for v in user.operands)
        and all(use.owner.operation.name == "arith.divf" and use.operand_number == 1 for use in user.results[0].uses)
        for user in users
    )


def is_limited_sum(value: ir.Value) -> bool:
    """Whether `value` is a sum with an exponential for which `is_limited` holds; it is then finite."""
    if not is_result_of(value, "arith.addf"):
        return False
    owners = [v.owner for v in value.owner.operands if not isinstance(v, ir.BlockArgument)]
    return any(owner.name == "math.exp" and is_limited(owner) for owner in owners)


def factors(value: ir.Value) -> tuple[list[Any], float]:
    """The factors of `value` that are not constants, and the product of the constants."""
    number = lanes_constant(value)
    if number is not None:
        return [], number
    if not is_result_of(value, "arith.mulf"):
        return [value], 1.0
    (left, a), (right, b) = map(factors, value.owner.operands)
    return [*left, *right], a * b


def of_gelu(product: AnyOp) -> Any:
    """The x, an extended bf16, for which `product` is x / 2 erfc(-x / sqrt 2); None for others."""
    result, number = factors(product.results[0])
    if number != 0.5 or len(result) != 2:
        return None
    for x, y in (result, result[::-1]):
        if low_precision_source(x) is not None and is_result_of(y, "math.erfc"):
            value, factor = scaled(y.owner.operands[0])
            if value == x and abs(factor * sqrt(2) + 1) < _NEAR:
                return x
    return None
