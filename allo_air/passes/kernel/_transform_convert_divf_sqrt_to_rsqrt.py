"""`transform.air.convert_divf_sqrt_to_rsqrt`: combines a division and a square root."""

from __future__ import annotations

from allo_air.core.walking import is_result_of, walk_named
from allo_air.mlir import ir, math
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Replaces 1 / sqrt(x), if the square root has no other use, by rsqrt(x); returns the operations."""

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect_isolated(target)
        for division in walk_named(target, "arith.divf"):
            numerator, root = division.operands
            if not is_result_of(root, "math.sqrt") or not _is_one(numerator):
                continue
            sqrt = root.owner.operation
            if len(list(root.uses)) != 1:
                continue
            with ir.InsertionPoint(division), division.location:
                result = math.rsqrt(sqrt.operands[0])
            division.results[0].replace_all_uses_with(result)
            division.erase()
            sqrt.erase()
        return target

    return call.each(rewrite)


def _is_one(value: ir.Value) -> bool:
    if not is_result_of(value, "arith.constant"):
        return False
    attribute = value.owner.operation.attributes["value"]
    if isinstance(attribute, ir.DenseElementsAttr):
        if not attribute.is_splat:
            return False
        attribute = attribute.get_splat_value()
    return isinstance(attribute, ir.FloatAttr) and attribute.value == 1.0
