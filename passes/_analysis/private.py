"""Whether a buffer could be another one in each run of a loop's body, or in each instance of a hierarchy."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from allo_air.access.footprint import Footprint
from allo_air.core.constants import constant_of
from allo_air.core.walking import parents
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import VIEWS, root_of
from allo_air.passes._analysis.effects import accesses, is_pure
from allo_air.passes._analysis.footprint import visited
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.loops import loop_of
from allo_air.passes._analysis.parallel import CONDITIONS, HIERARCHIES
from allo_air.passes._ir.rebuild import operand_groups

_TRANSFERS = {"air.channel.put": (2,), "air.channel.get": (2,), "air.dma_memcpy_nd": (1, 5)}
"""Where the operand groups of a transfer hold a memref; its lists follow."""


def is_private(value: Any, around: Any) -> bool:
    """Whether no run of the body of `around`, which alone uses memref `value`, needs what another run left there.

    So it is where there is but one run; where all runs do the same to the buffer, as the first one finds nothing in it; and
    where each run begins with writing all that it reads.
    """
    return _runs_once(around) or _is_uniform(value, around) or _writes_first(value, around)


def _runs_once(around: Any) -> bool:
    if around.name in HIERARCHIES:
        deps, rank, *_ = around.attributes["operandSegmentSizes"]
        return all(constant_of(v) == 1 for v in list(around.operands)[deps : deps + rank])
    loop = loop_of(around) if around.name == "scf.for" else None
    return loop is not None and loop.trips <= 1


def _is_uniform(value: Any, around: Any) -> bool:
    block, root = around.regions[0].blocks[0], root_of(value)
    for user in _users(value, around):
        held = [v for v in _placing(user, root) if not _is_memref(v)]
        for outer in parents(user):
            if outer == around:
                break
            if outer.name in CONDITIONS or outer.name in ("scf.for", "scf.parallel", "scf.index_switch"):
                held += [v for v in outer.operands if isinstance(v.type, (ir.IndexType, ir.IntegerType))]
        if any(_depends(v, block, set()) for v in held):
            return False
    return True


def _users(value: Any, around: Any) -> Iterator[Any]:
    """The operations in `around` that use `value`, under whatever name."""
    todo = [value]
    while todo:
        for use in todo.pop().uses:
            user = use.owner.operation
            if user.name in HIERARCHIES:
                deps, rank, *_ = user.attributes["operandSegmentSizes"]
                todo.append(user.regions[0].blocks[0].arguments[use.operand_number - deps + rank])
            elif user.name == "air.execute_terminator":
                todo.append(user.parent.operation.results[use.operand_number + 1])
            if user == around:
                continue
            if user.name not in HIERARCHIES:
                yield user
            if user.name in VIEWS:
                todo += list(user.results)


def _placing(user: Any, root: Any) -> list[Any]:
    """The operands that say where in the buffer `root` its `user` works."""
    if user.name not in _TRANSFERS:
        return list(user.operands)
    groups = operand_groups(user)
    return [v for n in _TRANSFERS[user.name] if root_of(groups[n][0]) == root for part in groups[n + 1 : n + 4] for v in part]


def _depends(value: Any, block: Any, seen: set[Any]) -> bool:
    """Whether `value` may be another one each time that `block` runs; tokens do not count."""
    if value in seen or str(value.type) == "!air.async.token":
        return False
    seen.add(value)
    if isinstance(value, ir.BlockArgument):
        return bool(value.owner == block) or _argument_depends(value, block, seen)
    owner = value.owner.operation
    if all(p.regions[0].blocks[0] != block for p in parents(owner) if len(p.regions) and len(p.regions[0].blocks)):
        return False
    if owner.name == "air.execute":
        last = list(owner.regions[0].blocks[0].operations)[-1].operation
        return _depends(last.operands[value.result_number - 1], block, seen)
    if is_pure(owner):
        return any(_depends(v, block, seen) for v in owner.operands)
    return owner.name != "memref.alloc"


def _argument_depends(value: Any, block: Any, seen: set[Any]) -> bool:
    owner = value.owner.owner
    if owner.name in HIERARCHIES:
        deps, rank, *_ = owner.attributes["operandSegmentSizes"]
        at = value.arg_number - rank
        return at >= 0 and _depends(owner.operands[deps + at], block, seen)
    if owner.name == "scf.for":
        last = list(value.owner.operations)[-1].operation
        held = list(owner.operands)[:3]
        if value.arg_number:
            held = [owner.operands[value.arg_number + 2], last.operands[value.arg_number - 1]]
        return any(_depends(v, block, seen) for v in held)
    if owner.name == "scf.parallel":
        return any(_depends(v, block, seen) for v in owner.operands)
    return bool(owner.name != "func.func")


def _writes_first(value: Any, around: Any) -> bool:
    indices, root = IndexValues(), root_of(value)
    written: Footprint | None = None
    for access in happening_in(around):
        if access.root != root or access.kind == "free":
            continue
        touched = visited(access.memref, lists_of(access), indices)
        if touched is None or not root.type.has_static_shape:
            return False
        if written is None:
            whole = access.end is not None or access.op.name.startswith(("linalg.", "memref.copy", "air."))
            if access.kind != "write" or not whole:
                return False
            written = _after_loops(touched, access.op, around, indices)
            if written is None:
                return False
        if touched != written and not written.covers(prod(root.type.shape)):
            return False
    return True


def happening_in(around: Any) -> Iterator[Any]:
    """What happens to buffers in `around`, hierarchies and all, in the order of the text."""
    for region in around.regions:
        for block in region.blocks:
            for inner in block.operations:
                op = inner.operation
                holds = len(op.regions) and not op.name.startswith("linalg.") and not any(map(_is_memref, op.operands))
                yield from happening_in(op) if op.name in HIERARCHIES or holds else accesses(op)


def _after_loops(touched: Footprint, op: Any, around: Any, indices: IndexValues) -> Footprint | None:
    """What the write `op` has surely written when the loops around it, in `around`, are done; None for one that may not run."""
    found: Footprint | None = touched
    for outer in parents(op):
        if outer == around or found is None:
            return found
        if outer.name == "scf.for":
            loop = loop_of(outer)
            found = found.over(loop.block, indices) if loop is not None and loop.trips else None
        elif outer.name not in ("air.execute", *HIERARCHIES):
            return None
    return found


def lists_of(access: Any) -> list[list[Any]] | None:
    """The offsets, sizes and strides of the side of a transfer that `access` is; None for any other operation."""
    groups = operand_groups(access.op) if access.op.name in _TRANSFERS else []
    for n in _TRANSFERS.get(access.op.name, ()):
        if groups[n][0] == access.memref:
            return groups[n + 1 : n + 4]
    return None


def _is_memref(value: Any) -> bool:
    return isinstance(value.type, (ir.MemRefType, ir.UnrankedMemRefType))
