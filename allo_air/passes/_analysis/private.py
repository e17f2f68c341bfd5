"""Decides whether each iteration of a loop, or each instance of a hierarchy, can have a buffer of its own."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.access.footprint import Footprint
from allo_air.core.constants import constant_of
from allo_air.core.loops import Loop
from allo_air.core.walking import parents
from allo_air.dialects.air_values import HIERARCHIES, forwarded_value, grid_of, is_token, outer_operand
from allo_air.dialects.operands import MEMREFS, AccessLists, lists_of, operands_of
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import VIEWS, root_of
from allo_air.passes._analysis.effects import accesses, is_pure
from allo_air.passes._analysis.footprint import visited
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.parallel import CONDITIONS

if TYPE_CHECKING:
    from allo_air.passes._analysis.effects import Access


def is_private(value: ir.Value, scope: ir.Operation) -> bool:
    """Whether no execution of the body of `scope`, the only user of memref `value`, reads data of another execution.

    This is true if there is only one execution, if all executions access the same elements of the buffer in the same order, or
    if each writes the elements that it reads before it reads them.
    """
    return _runs_once(scope) or _is_uniform(value, scope) or _writes_first(value, scope)


def _runs_once(scope: ir.Operation) -> bool:
    if scope.name in HIERARCHIES:
        return all(constant_of(v) == 1 for v in grid_of(scope))
    trips = Loop(scope).trips() if scope.name == "scf.for" else None
    return trips is not None and trips <= 1


def _is_uniform(value: ir.Value, scope: ir.Operation) -> bool:
    """Whether no offset, condition or bound of the accesses to `value` depends on the iteration or instance of `scope`."""
    block, root = scope.regions[0].blocks[0], root_of(value)
    for user in _users(value, scope):
        operands = [v for v in _placing(user, root) if not _is_memref(v)]
        for outer in parents(user):
            if outer == scope:
                break
            if outer.name in CONDITIONS or outer.name in ("scf.for", "scf.parallel", "scf.index_switch"):
                operands += [v for v in outer.operands if isinstance(v.type, (ir.IndexType, ir.IntegerType))]
        if any(_depends(v, block, set()) for v in operands):
            return False
    return True


def _users(value: ir.Value, scope: ir.Operation) -> Iterator[ir.Operation]:
    """The operations in `scope` that use `value`, also through views and arguments."""
    todo = [value]
    while todo:
        for use in todo.pop().uses:
            user = use.owner.operation
            if (forwarded := forwarded_value(use)) is not None:
                todo.append(forwarded)
            if user == scope:
                continue
            if user.name not in HIERARCHIES:
                yield user
            if user.name in VIEWS:
                todo += list(user.results)


def _placing(user: ir.Operation, root: ir.Value) -> list[ir.Value]:
    """The operands that determine which elements of buffer `root` operation `user` accesses."""
    if user.name not in MEMREFS:
        return list(user.operands)
    placing = [field for field in MEMREFS[user.name] if root_of(operands_of(user)[field][0]) == root]
    return [v for field in placing for values in lists_of(user, field) for v in values]


def _depends(value: ir.Value, block: ir.Block, seen: set[ir.Value]) -> bool:
    """Whether `value` may differ between executions of `block`. Tokens are ignored."""
    if value in seen or is_token(value):
        return False
    seen.add(value)
    if isinstance(value, ir.BlockArgument):
        return bool(value.owner == block) or _argument_depends(value, block, seen)
    owner = value.owner.operation
    if all(p.regions[0].blocks[0] != block for p in parents(owner) if len(p.regions) and len(p.regions[0].blocks)):
        return False
    if owner.name == "air.execute":
        return _depends(outer_operand(value), block, seen)
    if is_pure(owner):
        return any(_depends(v, block, seen) for v in owner.operands)
    return owner.name != "memref.alloc"


def _argument_depends(value: ir.BlockArgument, block: ir.Block, seen: set[ir.Value]) -> bool:
    owner = value.owner.owner
    if owner.name in HIERARCHIES:
        outer = outer_operand(value)
        return outer is not None and _depends(outer, block, seen)
    if owner.name == "scf.for":
        last = list(value.owner.operations)[-1].operation
        operands = list(owner.operands)[:3]
        if value.arg_number:
            operands = [owner.operands[value.arg_number + 2], last.operands[value.arg_number - 1]]
        return any(_depends(v, block, seen) for v in operands)
    if owner.name == "scf.parallel":
        return any(_depends(v, block, seen) for v in owner.operands)
    return bool(owner.name != "func.func")


def _writes_first(value: ir.Value, scope: ir.Operation) -> bool:
    indices, root = IndexValues(), root_of(value)
    written: Footprint | None = None
    for access in accesses_in(scope):
        if access.root != root or access.kind == "free":
            continue
        touched = visited(access.memref, access_lists(access), indices)
        if touched is None or not root.type.has_static_shape:
            return False
        if written is None:
            whole = access.end is not None or access.op.name.startswith(("linalg.", "memref.copy", "air."))
            if access.kind != "write" or not whole:
                return False
            written = _after_loops(touched, access.op, scope, indices)
            if written is None:
                return False
        if touched != written and not written.covers(prod(root.type.shape)):
            return False
    return True


def accesses_in(scope: ir.Operation) -> Iterator[Any]:
    """The accesses to buffers in `scope`, including its hierarchies, in program order."""
    for region in scope.regions:
        for block in region.blocks:
            for inner in block.operations:
                op = inner.operation
                holds = len(op.regions) and not op.name.startswith("linalg.") and not any(map(_is_memref, op.operands))
                yield from accesses_in(op) if op.name in HIERARCHIES or holds else accesses(op)


def _after_loops(touched: Footprint, op: ir.Operation, scope: ir.Operation, indices: IndexValues) -> Footprint | None:
    """The elements that the write `op` has certainly written when the loops around it, inside `scope`, have ended; None if it
    may not run.
    """
    footprint: Footprint | None = touched
    for outer in parents(op):
        if outer == scope or footprint is None:
            return footprint
        if outer.name == "scf.for":
            loop = Loop(outer)
            footprint = footprint.over(loop.block, indices) if loop.trips() else None
        elif outer.name not in ("air.execute", *HIERARCHIES):
            return None
    return footprint


def access_lists(access: Access) -> AccessLists | None:
    """The offsets, sizes and strides of the transfer end of `access`; None for any other operation."""
    fields = MEMREFS.get(access.op.name, ())
    return next((lists_of(access.op, f) for f in fields if operands_of(access.op)[f][0] == access.memref), None)


def _is_memref(value: ir.Value) -> bool:
    return isinstance(value.type, (ir.MemRefType, ir.UnrankedMemRefType))
