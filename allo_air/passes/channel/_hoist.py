"""Moves channel ends, allocations and deallocations out of hierarchies that cannot contain them, to directly before the
hierarchy.
"""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import enclosing, is_unused, walk_named
from allo_air.dialects.air import WaitAllOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.operands import with_operands
from allo_air.passes._ir.tokens import deps_of, joined
from allo_air.passes.channel._groups import grouped, waits_for
from allo_air.passes.channel._nests import build_nest
from allo_air.passes.channel._order import append_deps, followers, needed
from allo_air.passes.channel._places import grids, home_of, level, space_at
from allo_air.passes.channel._split import ExternalOp, points_of


def pass_segment_ids(module: AnyOp) -> None:
    """Passes the ids of a segment to its herds that contain copies, since each instance of the segment has its own channels."""
    for segment in walk_named(module, "air.segment"):
        ids = segment.opview.ids
        for herd in walk_named(segment, "air.herd") if ids else []:
            if not walk_named(herd, "air.dma_memcpy_nd"):
                continue
            new = with_operands(herd, {"args": [*herd.opview.args, *ids]})
            for _ in ids:
                new.regions[0].blocks[0].add_argument(ir.IndexType.get(), new.location)


def misplaced_buffers(module: AnyOp) -> list[ExternalOp]:
    """Allocations and deallocations of memory that belongs outside of the hierarchy that contains them."""
    external_ops = []
    for op in walk_named(module, "memref.alloc", "memref.dealloc"):
        memref = op.results[0] if op.name == "memref.alloc" else op.operands[0]
        memory = space_at(op, memref)
        if memory >= level(op):
            continue
        parent = op.parent.operation
        unit = parent if parent.name == "air.execute" else op
        herd = next((g for g in grids(op) if g.name == "air.herd"), None)
        points = points_of(op, herd) if herd is not None else ()
        external_ops.append(ExternalOp(unit, home_of(op, memory), op.name, is_anchored=False, points=points))
    return external_ops


def misplaced_transfers(module: AnyOp) -> list[ExternalOp]:
    """Puts and gets on memory that belongs outside of the hierarchy that contains them. Operations that waited for one now wait
    for its dependences.
    """
    external_ops = []
    for op in walk_named(module, "air.channel.put", "air.channel.get"):
        memory = space_at(op, op.opview.src if op.name == "air.channel.put" else op.opview.dst)
        if memory >= level(op):
            continue
        herd = next((g for g in grids(op) if g.name == "air.herd"), None)
        points = points_of(op, herd) if herd is not None else ()
        for token in op.results:
            with op.location:
                token.replace_all_uses_with(joined(list(op.opview.deps), ir.InsertionPoint(op)))
        external_ops.append(ExternalOp(op, home_of(op, memory), op.name, is_anchored=False, points=points))
    return external_ops


def hoist(module: AnyOp, externals: list[ExternalOp], *, share: bool) -> None:
    """Moves `externals` out of their hierarchies, to directly before them; first out of segments, then out of herds.

    With `share`, ends on two function arguments share a loop nest if one of them is written.
    """
    for top in walk_named(module, "air.segment", "air.herd"):
        own_externals = _in_text_order(top, [s for s in externals if s.top == top])
        if own_externals:
            _hoist_out_of(top, own_externals, share=share)


def _in_text_order(top: ir.Operation, externals: list[ExternalOp]) -> list[ExternalOp]:
    places = walk_named(top, *{s.op.name for s in externals}) if externals else []
    return [s for place in places for s in externals if s.op == place]


def _hoist_out_of(top: ir.Operation, externals: list[ExternalOp], *, share: bool) -> None:
    deps = deps_of(top)
    done: list[tuple[list[ExternalOp], list[Any]]] = []
    for group in grouped(externals, share=share):
        touches = [t for s in group for t in s.touches]
        tokens = needed(deps, touches)
        tokens += [t for earlier, ends in done if waits_for(group, earlier) for t in ends if t not in tokens]
        done.append((group, build_nest(group, tokens)))
    for external in reversed(externals):
        _erase(external)
    _add_dependences(top, done)


def _add_dependences(top: ir.Operation, done: list[tuple[list[ExternalOp], list[ir.Value]]]) -> None:
    """Makes the operations that follow hierarchy `top` also wait for the nests before it, if they access the same buffers."""
    if not top.results:
        after = list(top.block.operations)
        index = next(n for n, o in enumerate(after) if o.operation == top)
        WaitAllOp(deps=[t for _, ends in done for t in ends], loc=top.location, ip=ir.InsertionPoint(after[index + 1]))
        return
    waiting: list[tuple[ir.Operation, int, list[ir.Value]]] = []
    for group, ends in done:
        touched = [t for s in group for t in s.touches]
        for user, number in followers(top.results[0], touched):
            entry = next((w for w in waiting if w[0] == user and w[1] == number), None)
            if entry is None:
                waiting.append((user, number, list(ends)))
            else:
                entry[2].extend(ends)
    for user, number, tokens in waiting:
        append_deps(user, number, tokens)


def _erase(external: ExternalOp) -> None:
    """Erases the operations that were moved out. Users of the token of a moved alloc or dealloc wait for its dependences
    instead.
    """
    op = external.op
    if op.name == "air.execute":
        with op.location:
            op.results[0].replace_all_uses_with(_deps_token(op))
    uses = [u for r in op.results for u in r.uses if not is_unused(r)]
    if uses:
        user = uses[0].owner.operation
        outer = enclosing(user, "air.herd", "air.segment")
        raise error_at(
            user, f"uses memory that belongs outside of '{outer.name}', and only copies reach that; copy it to a buffer inside"
        )
    op.erase()


def _deps_token(op: ir.Operation) -> Any:
    deps = list(op.operands)
    ip = ir.InsertionPoint(op)
    return joined(deps, ip)
