"""Finds checks that can move out of loop nests: linear, unconditional accesses whose order does not affect the result."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import parents, walk_named
from allo_air.core_model.access import Access
from allo_air.core_model.nodes import SYNCHRONIZING, identity
from allo_air.mlir import AnyOp, ir
from allo_air.sim.cores.linear import Linear, linear


def waiting(function: ir.Operation) -> set[int]:
    """The identities of the `scf.for` operations of `function` that contain a synchronization."""
    results: set[int] = set()
    for op in walk_named(function, *SYNCHRONIZING):
        for around in parents(op):
            if around.name == "scf.for":
                key = identity(around)
                if key in results:
                    break
                results.add(key)
    return results


def nests(op: ir.Operation, waits: set[int]) -> list[Any]:
    """The loops around `op` out of which its check can move, outermost first: nested `scf.for`s that are not in `waits`."""
    loops: list[Any] = []
    parent = op.parent
    while parent is not None and parent.operation.name == "scf.for":
        loop = parent.operation
        if identity(loop) in waits:
            break
        loops.append(loop)
        parent = loop.parent
    return loops[::-1]


def loops_between(outer: AnyOp, op: ir.Operation) -> list[Any]:
    """The loops around `op` from `outer` inwards."""
    loops = []
    parent = op.parent.operation
    while True:
        loops.append(parent)
        if parent == outer:
            return loops[::-1]
        parent = parent.parent.operation


def _values_inside(loop: ir.Operation) -> set[Any]:
    results: set[Any] = set()

    def visit(o: AnyOp) -> Any:
        if o != loop:
            results.update(o.results)
        for region in o.regions:
            for block in region.blocks:
                results.update(block.arguments)
        return ir.WalkResult.ADVANCE

    loop.walk(visit, ir.WalkOrder.PRE_ORDER)
    return results


def forms_around(loop: ir.Operation, members: list[Access]) -> list[list[Linear]] | None:
    """The linear forms of the members' indices if all their checks can move out of `loop`, otherwise None.

    `members` must have all accesses of the memory in the loop, in program order.
    """
    inside = _values_inside(loop)
    everything = []
    for access in members:
        if access.clipped or access.partial or access.strides is None or access.memref in inside:
            return None
        for each in loops_between(loop, access.op):
            if any(bound in inside for bound in list(each.operands)[:3]):
                return None
        forms = [linear(v, inside) for v in access.indices]
        if any(f is None for f in forms):
            return None
        everything.append([f for f in forms if f is not None])
    return everything if _order_is_clear(members) else None


def other_accesses(loop: ir.Operation, members: list[Access], group: list[Access]) -> list[Access]:
    """Accesses of the same memory in `loop` that are not `members` (they need not run), if any of all these accesses writes."""
    member_ids = {id(m) for m in members}
    rest = [a for a in group if id(a) not in member_ids and _is_within(loop, a.op)]
    return rest if any(a.writes for a in (*members, *rest)) else []


def _is_within(loop: ir.Operation, op: ir.Operation) -> bool:
    """Whether `op` is in `loop`."""
    parent = op.parent
    while parent is not None:
        if parent.operation == loop:
            return True
        parent = parent.operation.parent
    return False


def leaders(members: list[Access]) -> list[Access]:
    """The accesses that no earlier access of the same elements precedes in the iteration. Each element that the nest touches
    is first touched by one of these.
    """
    accesses: list[Access] = []
    for access in members:
        earlier = (e for e in accesses if (e.memref, e.indices, e.extents) == (access.memref, access.indices, access.extents))
        if not any(_holds(e.op.block, access.op) for e in earlier):
            accesses.append(access)
    return accesses


def _order_is_clear(members: list[Access]) -> bool:
    """Whether all elements are read first, or all written first, however the iterations overlap."""
    if not any(m.writes for m in members) or not any(m.reads for m in members):
        return True
    first = leaders(members)
    return not any(m.writes for m in first) or not any(m.reads for m in first)


def constant_offset(access: Access, forms: list[Linear]) -> int:
    """The constant part of the offset of `access`, in elements."""
    return sum(f.constant * s for f, s in zip(forms, access.strides or [], strict=True))


def pattern(loop: ir.Operation, access: Access, forms: list[Linear]) -> Any:
    """A key that accesses share which differ in the constant part of their offset only."""
    variable = tuple((frozenset(f.terms), frozenset(f.invariants)) for f in forms)
    loops = tuple(identity(each) for each in loops_between(loop, access.op))
    return access.memref, access.extents, variable, loops


def _holds(block: ir.Block, op: ir.Operation | None) -> bool:
    """Whether `op` is in `block` or in an operation of it."""
    while op is not None:
        if op.operation.block == block:
            return True
        op = op.operation.parent
        if op is None or op.operation.name == "func.func":
            return False
    return False
