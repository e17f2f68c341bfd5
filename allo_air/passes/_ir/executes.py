"""Simplifies `air.execute`: operations that need no asynchronous execution move out of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.walking import body_of, is_unused
from allo_air.dialects.air import WaitAllOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._ir.operands import with_operands
from allo_air.passes._ir.tokens import deps_of

CONSTANTS = ("arith.constant", "ub.poison")


def simplify_executes(ops: list[ir.Operation]) -> bool:
    """Simplifies the `air.execute` among `ops`; an erased one is replaced in the list by the wait_all for its token."""
    changed = False
    for i, op in enumerate(ops):
        if op is not None and op.name == "air.execute" and (new := _simplified(op)) is not op:
            ops[i] = new
            changed = True
    return changed


def _simplified(op: ir.Operation) -> ir.Operation:
    """Forwards values that need not wait, drops unused ones, and inlines a body without effects.

    Before:

        %t0, %v = air.execute [%a] -> (index) {            %t1, %m = air.execute [%a] -> (memref<4xf32, 2>) {
          %0 = affine.apply #map()[%i]                       %alloc = memref.alloc() : memref<4xf32, 2>
          air.execute_terminator %0 : index                  air.execute_terminator %alloc : memref<4xf32, 2>
        }                                                  }

    After:

        %v = affine.apply #map()[%i]                       (unchanged)
        %t0 = air.wait_all async [%a]
    """
    inside = body_of(op)
    if not inside or inside[-1].name != "air.execute_terminator":
        return op
    *body, terminator = inside
    if all(map(is_pure, body)):
        return _inlined(op, body, terminator)
    free = [_comes_from_outside(value, terminator.block) for value in terminator.operands]
    unused = [is_unused(value) for value in list(op.results)[1:]]
    if not any(free) and not any(unused):
        return op
    return _with_fewer_values(op, terminator, [not f and not u for f, u in zip(free, unused, strict=True)])


def _inlined(op: ir.Operation, body: Sequence[AnyOp], terminator: AnyOp) -> Any:
    """Moves an effect-free `body` before `op` and replaces `op` by a wait on its dependences."""
    for inner in body:
        inner.move_before(op)
    for value, yielded in zip(list(op.results)[1:], list(terminator.operands), strict=True):
        value.replace_all_uses_with(yielded)
    attributes = {name: attribute for name, attribute in op.attributes.items() if name == "id"}
    wait = WaitAllOp(deps=deps_of(op), token=True, attributes=attributes, loc=op.location, ip=ir.InsertionPoint(op))
    op.results[0].replace_all_uses_with(wait.token)
    op.erase()
    return wait.operation


def _comes_from_outside(value: ir.Value, block: ir.Block) -> bool:
    """Whether `value`, which `block` yields, is defined outside of it or is a constant."""
    if isinstance(value, ir.BlockArgument):
        return bool(value.owner != block)
    return value.owner.name in CONSTANTS or value.owner.operation.block != block


def _with_fewer_values(op: ir.Operation, terminator: ir.Operation, keep: list[bool]) -> Any:
    """Yields only the values to `keep`; others are replaced by their yielded values from outside of `op`."""
    block = terminator.block
    yielded = list(terminator.operands)
    for value, inner, keeps_value in zip(list(op.results)[1:], yielded, keep, strict=True):
        if keeps_value or is_unused(value):
            continue
        if isinstance(inner, ir.OpResult) and inner.owner.operation.block == block:
            inner.owner.operation.move_before(op)
        value.replace_all_uses_with(inner)
    with_operands(terminator, {"values": [v for v, is_kept in zip(yielded, keep, strict=True) if is_kept]})
    return with_operands(op, {}, results=[0, *(i + 1 for i, is_kept in enumerate(keep) if is_kept)])
