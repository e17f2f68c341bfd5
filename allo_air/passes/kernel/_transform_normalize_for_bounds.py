"""`transform.air.normalize_for_bounds`: folds an affine map of the induction variable into a loop's bounds."""

from __future__ import annotations

from allo_air.core.constants import constant_of, index_constant
from allo_air.core.loops import trip_count
from allo_air.mlir import ir
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Folds the only affine.apply of an induction variable into the loop's bounds and step; returns the loops, other loops
    unchanged.

    Before: `scf.for %i = 0 to 16 step 4 { %k = affine.apply 8 * %i ... }`
    After:  `scf.for %k = 0 to 128 step 32 { ... }`
    """

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect(target, "scf.for")
        _normalize(target)
        return target

    return call.each(rewrite)


def _normalize(loop: ir.Operation) -> None:
    bounds = [constant_of(v) for v in list(loop.operands)[:3]]
    iv = loop.regions[0].blocks[0].arguments[0]
    uses = list(iv.uses)
    if None in bounds or len(uses) != 1 or not isinstance(iv.type, ir.IndexType):
        return
    lower, upper, step = (b for b in bounds if b is not None)
    apply_op = uses[0].owner.operation
    if apply_op.name != "affine.apply" or len(apply_op.operands) != 1 or step <= 0:
        return
    linear = _linear(apply_op.attributes["map"].value)
    if linear is None or linear[0] <= 0:
        return
    factor, constant = linear
    first, pace = factor * lower + constant, factor * step
    with ir.InsertionPoint(loop):
        new = [first, first + pace * trip_count(lower, upper, step), pace]
        for n, number in enumerate(new):
            loop.operands[n] = index_constant(number, loop.location)
    apply_op.results[0].replace_all_uses_with(iv)
    apply_op.erase()


def _linear(map_: ir.AffineMap) -> tuple[int, int] | None:
    """Factor and constant of a map of one operand, if it is linear."""
    [expression] = map_.results
    return _parts(expression)


def _parts(expression: ir.AffineExpr) -> tuple[int, int] | None:
    if isinstance(expression, (ir.AffineDimExpr, ir.AffineSymbolExpr)):
        return 1, 0
    if isinstance(expression, ir.AffineConstantExpr):
        return 0, ir.AffineConstantExpr(expression).value
    if not isinstance(expression, (ir.AffineAddExpr, ir.AffineMulExpr)):
        return None
    both = ir.AffineBinaryExpr(expression)
    left, right = _parts(both.lhs), _parts(both.rhs)
    if left is None or right is None:
        return None
    if isinstance(expression, ir.AffineAddExpr):
        return left[0] + right[0], left[1] + right[1]
    if left[0] and right[0]:
        return None
    return left[0] * right[1] + right[0] * left[1], left[1] * right[1]
