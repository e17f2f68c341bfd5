"""`transform.air.broadcast_before_unary`: moves a broadcast before a unary operation."""

from __future__ import annotations

from allo_air.core.walking import walk_named
from allo_air.mlir import ir, vector
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Replaces a broadcast of f(x), if f(x) has no other use, by f of a broadcast of x; returns the operations.

    `op_name` selects f; without it, f is any arith or math operation with one operand and a result of the same type.
    """
    name = call.option("op_name", "")

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect_isolated(target)
        for broadcast in walk_named(target, "vector.broadcast"):
            unary = _unary(broadcast.operands[0], name)
            if unary is not None:
                _exchange(broadcast, unary)
        return target

    return call.each(rewrite)


def _unary(value: ir.Value, name: str) -> ir.Operation | None:
    """The operation that defines `value` and can work on vectors instead."""
    if isinstance(value, ir.BlockArgument):
        return None
    op: ir.Operation = value.owner.operation
    named = op.name == name if name else op.name.split(".")[0] in ("arith", "math")
    if not named or len(op.operands) != 1 or len(op.results) != 1 or len(op.regions) or len(list(value.uses)) != 1:
        return None
    kind = value.type
    single = not isinstance(kind, ir.ShapedType) or (isinstance(kind, ir.VectorType) and all(n == 1 for n in kind.shape))
    return op if single and op.operands[0].type == kind else None


def _exchange(broadcast: ir.Operation, unary: ir.Operation) -> None:
    wide = broadcast.results[0].type
    with ir.InsertionPoint(broadcast), unary.location:
        spread = vector.broadcast(wide, unary.operands[0])
        op = ir.Operation.create(unary.name, [wide], [spread], dict(unary.attributes.items()))
    broadcast.results[0].replace_all_uses_with(op.results[0])
    broadcast.erase()
    unary.erase()
