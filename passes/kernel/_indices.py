"""What is known of an index in a core's code: what it is a multiple of, and the values that it takes."""

from __future__ import annotations

from math import gcd
from typing import Any

from allo_air.mlir import ir

_PASSED = ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.trunci")


def constant(value: Any) -> int | None:
    """The number that `value` always is."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "arith.constant":
        return None
    found = owner.attributes["value"]
    return found.value if isinstance(found, ir.IntegerAttr) else None


def loop_values(value: Any) -> range | None:
    """The values of the counter of a loop with constant bounds; None for any other value."""
    if not isinstance(value.owner, ir.Block) or value.arg_number != 0:
        return None
    loop = value.owner.owner.operation
    if loop.name == "scf.for":
        low, high, step = (constant(v) for v in list(loop.operands)[:3])
        return None if low is None or high is None or not step else range(low, high, step)
    if loop.name == "affine.for":
        maps = [loop.attributes[name].value for name in ("lowerBoundMap", "upperBoundMap")]
        ends = [m.results[0] for m in maps]
        if all(len(m.results) == 1 and isinstance(e, ir.AffineConstantExpr) for m, e in zip(maps, ends, strict=True)):
            return range(ends[0].value, ends[1].value, loop.attributes["step"].value)
    return None


def values(value: Any) -> range | None:
    """All values of an index that is a constant or the counter of a loop with constant bounds; None for others."""
    number = constant(value)
    return range(number, number + 1) if number is not None else loop_values(value)


def divisor(value: Any) -> int:
    """A number that `value` is always a multiple of; 0 where it is always 0."""
    found = values(value)
    if found is not None:
        return gcd(found.start, found.step if len(found) > 1 else 0)
    owner = value.owner
    if isinstance(owner, ir.Block):
        return _of_counter(value)
    if owner.name in _PASSED:
        return divisor(owner.operands[0])
    if owner.name == "affine.apply":
        mapping = owner.attributes["map"].value
        return _of_expression(mapping.results[0], list(owner.operands), mapping.n_dims)
    parts = [divisor(v) for v in owner.operands] if owner.name.startswith("arith.") else []
    match owner.name:
        case "arith.muli":
            return parts[0] * parts[1]
        case "arith.addi" | "arith.subi" | "arith.minsi" | "arith.maxsi":
            return gcd(*parts)
        case "arith.select":
            return gcd(*parts[1:])
    return 1


def _of_counter(value: Any) -> int:
    loop = value.owner.owner.operation
    if loop.name == "scf.for" and value.arg_number == 0:
        return gcd(divisor(loop.operands[0]), divisor(loop.operands[2]))
    return 1


def _of_expression(expression: Any, operands: list[Any], dims: int) -> int:
    if isinstance(expression, ir.AffineConstantExpr):
        return abs(expression.value)
    if isinstance(expression, ir.AffineDimExpr):
        return divisor(operands[expression.position])
    if isinstance(expression, ir.AffineSymbolExpr):
        return divisor(operands[dims + expression.position])
    if isinstance(expression, ir.AffineAddExpr | ir.AffineMulExpr):
        a, b = (_of_expression(e, operands, dims) for e in (expression.lhs, expression.rhs))
        return gcd(a, b) if isinstance(expression, ir.AffineAddExpr) else a * b
    return 1
