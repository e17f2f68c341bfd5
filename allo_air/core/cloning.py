"""Clones operations with other operands, and unrolls loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.loops import Dim, Loop
from allo_air.core.walking import walk_post_order

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir


def clone(op: AnyOp, values: dict[Any, Any], ip: ir.InsertionPoint | None = None) -> Any:
    """A copy of `op` at `ip`, or the current one, in which the keys of `values` are replaced, also in regions; adds its
    results to `values`."""
    new = op.clone(ip=ip).operation
    for inner in walk_post_order(new) if len(new.regions) else (new,):
        for i, value in enumerate(inner.operands):
            if value in values:
                inner.operands[i] = values[value]
    values.update(zip(op.results, new.results, strict=True))
    return new


def clone_computed(value: ir.Value, block: ir.Block, values: dict[ir.Value, ir.Value]) -> Any:
    """`value` recomputed at the insertion point: clones the operations of `block` that it depends on."""
    owner = value.owner
    if value in values or not hasattr(owner, "operands") or owner.operation.block != block:
        return values.get(value, value)
    for operand in owner.operands:
        clone_computed(operand, block, values)
    clone(owner.operation, values)
    return values[value]


def clone_body(
    block: ir.Block, values: dict[Any, Any], ip: ir.InsertionPoint | None = None
) -> tuple[list[AnyOp], list[ir.Value]]:
    """Clones the operations of `block` except its terminator, like `clone`; returns the copies and the operands of the
    terminator.
    """
    *body, last = [o.operation for o in block.operations]
    clones = [clone(op, values, ip) for op in body]
    return clones, [values.get(v, v) for v in last.operands]


def replace(op: AnyOp, values: ir.OpResultList | Sequence[ir.Value]) -> None:
    """Replaces the results of `op` by `values` and erases `op`."""
    for old, new in zip(op.results, values, strict=True):
        old.replace_all_uses_with(new)
    op.operation.erase()


def unroll(dim: Dim, constant: Callable[[int], object]) -> list[AnyOp]:
    """Unrolls the loop of `dim` at the insertion point, with `constant(n)` for its counter; returns the new operations.

    Before:
        %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> f32 { %y = "use"(%i, %a) scf.yield %y }
    After:
        %0 = "use"(%c0, %x)
        %r = "use"(%c1, %0)
    """
    loop, ops = Loop(dim.op), list[Any]()
    carried = loop.inits
    for value in dim.values:
        mapping = dict(zip(loop.block.arguments, [constant(value), *carried], strict=True))
        copies, carried = clone_body(loop.block, mapping)
        ops += copies
    replace(loop.op, carried)
    return ops
