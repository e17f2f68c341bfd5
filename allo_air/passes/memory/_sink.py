"""Moves a buffer's allocation and deallocation into the only loop or hierarchy that uses the buffer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.walking import ancestor_in, is_unused, parents
from allo_air.dialects.air import L1, L2, WaitAllOp
from allo_air.dialects.air_values import ASYNC, HIERARCHIES, forwarded_value, is_join, is_token
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._analysis.memory import space
from allo_air.passes._analysis.private import is_private
from allo_air.passes._ir.hierarchies import prune_arguments
from allo_air.passes._ir.tokens import deps_of, distinct, joined, token_of, with_deps

_LOOPS = ("scf.for", "scf.parallel")
_MAY_HOLD = {"air.launch": (L2, L1), "air.segment": (L2, L1), "air.herd": (L1,)}
"""The memory spaces that a hierarchy may allocate."""


@dataclass(frozen=True)
class SinkableBuffer:
    """A buffer of constant size. `home` allocates it and `frees` free it, in one block, each bare or in an `air.execute`."""

    home: Any
    value: Any
    frees: tuple[Any, ...]

    @property
    def users(self) -> list[Any]:
        """The operations of the buffer's block that use it or contain a user of it, without `frees`."""
        owners = (use.owner.operation for use in self.value.uses)
        return distinct(op for o in owners if (op := ancestor_in(o, self.home.block)) not in self.frees)


def buffer_of(alloc: ir.Operation) -> SinkableBuffer | None:
    """The buffer of memref.alloc `alloc`; None if its size is not constant, or its execute contains other work."""
    alloc = alloc.operation
    home, value = alloc, alloc.results[0]
    outer = home.parent.operation
    if outer.name == "air.execute":
        ops = [o.operation for o in outer.regions[0].blocks[0].operations]
        if len(ops) != 2 or list(ops[1].operands) != [value]:
            return None
        home, value = outer, outer.results[1]
    if len(alloc.operands) or not value.type.has_static_shape:
        return None
    frees = []
    for use in value.uses:
        op = use.owner.operation
        if op.name == "memref.dealloc":
            freeing = op.parent.operation if op.parent.operation.name == "air.execute" else op.operation
            if freeing.operation.block == home.block:
                frees.append(freeing)
    return SinkableBuffer(home, value, tuple(frees)) if len(frees) <= 1 else None


def sink_buffer(buffer: SinkableBuffer) -> bool:
    """Moves `buffer` inward as far as possible: to the innermost loop of a perfect nest, and through hierarchies that may
    contain it.

    Before:

        %b = memref.alloc() : memref<8xi32, 1>
        scf.for %i = %c0 to %c4 step %c1 {
          air.channel.get @a[] (%b[] [] []) : (memref<8xi32, 1>)
          air.channel.put @c[] (%b[] [] []) : (memref<8xi32, 1>)
        }
        memref.dealloc %b : memref<8xi32, 1>

    After:

        scf.for %i = %c0 to %c4 step %c1 {
          %b = memref.alloc() : memref<8xi32, 1>
          air.channel.get @a[] (%b[] [] []) : (memref<8xi32, 1>)
          air.channel.put @c[] (%b[] [] []) : (memref<8xi32, 1>)
          memref.dealloc %b : memref<8xi32, 1>
        }
    """
    inside = None
    while (target := _target(buffer)) is not None:
        if inside in _LOOPS and target.name in _LOOPS and not _is_all_of_its_block(target, buffer):
            break
        inside = target.name
        buffer = _moved_into(buffer, target)
    return inside is not None


def _target(buffer: SinkableBuffer) -> ir.Operation | None:
    """The loop or hierarchy of the buffer's block that the buffer can move into."""
    users = buffer.users
    if len(users) != 1:
        return None
    [target] = users
    direct = [use for use in buffer.value.uses if use.owner.operation == target]
    if target.name in HIERARCHIES:
        fits = len(direct) == 1 and space(buffer.value.type) in _MAY_HOLD.get(target.name, ())
    else:
        fits = target.name in _LOOPS and not direct
    return target if fits and is_private(buffer.value, target) else None


def _is_all_of_its_block(loop: ir.Operation, buffer: SinkableBuffer) -> bool:
    """Whether the block of `loop` contains nothing else except allocations, deallocations, `air.wait_all` and computations of
    values.
    """
    rest = [o.operation for o in loop.block.operations if o.operation != loop][:-1]
    return all(is_pure(op) or is_join(op) or op == buffer.home or op in buffer.frees or _only_allocates(op) for op in rest)


def _only_allocates(op: ir.Operation) -> bool:
    inner_ops = [o.name for r in op.regions for b in r.blocks for o in b.operations] if op.name == "air.execute" else [op.name]
    return all(name in ("memref.alloc", "memref.dealloc", "air.execute_terminator") for name in inner_ops)


def _moved_into(buffer: SinkableBuffer, target: ir.Operation) -> SinkableBuffer:
    """The buffer after the move into `target`."""
    block = target.regions[0].blocks[0]
    old = buffer.value
    if target.name in HIERARCHIES:
        [old] = [forwarded_value(use) for use in buffer.value.uses if use.owner.operation == target]
    values: dict[ir.Value, ir.Value] = {}
    home = clone(buffer.home, values, ir.InsertionPoint.at_block_begin(block))
    if home.name in ASYNC:
        home = with_deps(home, [])
    new = home.results[-1]
    for op in _replace(old, new, buffer):
        if (token := token_of(home)) not in deps_of(op):
            with_deps(op, [token, *deps_of(op)])
    frees = [_copy_dealloc(free, buffer.value, new, block) for free in buffer.frees]
    for old_op in (*buffer.frees, buffer.home):
        if old_op == buffer.home and target.name in HIERARCHIES:
            prune_arguments([target])
        _bypass(old_op)
        if (token := token_of(old_op)) is not None and is_unused(token):
            deps = deps_of(old_op) if old_op == buffer.home else []
            WaitAllOp(deps=deps, token=True, loc=old_op.location, ip=ir.InsertionPoint(old_op))
        old_op.erase()
    return SinkableBuffer(home, new, tuple(frees))


def _replace(old: ir.Value, new: ir.Value, buffer: SinkableBuffer) -> list[AnyOp]:
    """Replaces `old` by `new` in all users except the deallocations; returns the operations that can wait for the
    allocation.
    """
    waiting = []
    for use in list(old.uses):
        user = use.owner.operation
        if any(user == free or user.parent.operation == free for free in buffer.frees):
            continue
        user.operands[use.operand_number] = new
        result = _asynchronous(user, new.owner.operation.block)
        if result is not None:
            waiting.append(result)
    return distinct(waiting) if buffer.home.name in ASYNC else []


def _asynchronous(user: ir.Operation, block: ir.Block) -> ir.Operation | None:
    """The innermost operation around `user` that can wait for a token of `block`; `user` itself if it can."""
    op = user if user.name in ASYNC else None
    if user.block == block:
        return op
    for outer in parents(user):
        if outer.name in HIERARCHIES or (op is None and outer.name in ASYNC):
            op = outer
        if outer.block == block:
            return op
    return op


def _copy_dealloc(free: AnyOp, old: ir.OpResult, new: ir.OpResult, block: ir.Block) -> AnyOp:
    """A copy of `free`, of `new`, at the end of `block`, after all users of the buffer; the users of the block's token wait
    for it.
    """
    last = list(block.operations)[-1].operation
    users = distinct(op for use in new.uses if (op := ancestor_in(use.owner, block)) != last)
    result = clone(free, {old: new}, ir.InsertionPoint(last))
    if result.name not in ASYNC:
        return result
    order = [o.operation for o in block.operations][::-1]  # the last user first, as mlir-air walks uses
    tokens = [t for op in order if op in users and (t := token_of(op)) is not None]
    result = with_deps(result, tokens)
    ends = [n for n, v in enumerate(last.operands) if is_token(v)]
    if ends:
        last.operands[ends[0]] = joined([last.operands[ends[0]], token_of(result)], last)
    return result


def _bypass(old: ir.Operation) -> None:
    """Makes users of the token of `old` wait for what `old` waited for."""
    token = next((r for r in old.results if is_token(r)), None)
    if token is None:
        return
    waiting = [op for use in token.uses if (op := use.owner.operation).name in ASYNC and op.block == old.block]
    for op in distinct(waiting):
        with_deps(op, distinct([t for t in deps_of(op) if t != token] + deps_of(old)))
    if not is_unused(token):
        token.replace_all_uses_with(joined(deps_of(old), old))


def hoist(buffer: SinkableBuffer, *, keep_frees: bool) -> None:
    """Moves the allocation of `buffer` before the loop that contains it, and its deallocations after the loop, unless
    `keep_frees`.
    """
    loop = buffer.home.parent.operation
    home = buffer.home
    outside = [t for t in deps_of(home) if not _is_inside(t, loop)] if home.name in ASYNC else []
    home.move_before(loop)
    if home.name in ASYNC:
        with_deps(home, outside)
    for free in buffer.frees if not keep_frees else ():
        _bypass(free)
        copy = clone(free, {}, ir.InsertionPoint.after(loop))
        free.erase()
        if copy.name in ASYNC:
            with_deps(copy, [r for r in loop.results if is_token(r)])


def _is_inside(token: ir.Value, loop: ir.Operation) -> bool:
    op = token.owner.owner if isinstance(token, ir.BlockArgument) else token.owner.operation
    return op.operation == loop or any(p == loop for p in parents(op))
