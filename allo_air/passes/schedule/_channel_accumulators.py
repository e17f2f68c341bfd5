"""Hoists accumulators that a core gets and puts in each iteration of a loop, if nothing else accesses their outer memory in
between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone, replace
from allo_air.core.constants import constant_of
from allo_air.core.loops import Loop
from allo_air.core.names import channel_of
from allo_air.core.walking import body_of, is_unused, parents, walk_named, walk_post_order
from allo_air.dialects.air_values import is_join
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.channel_ends import GET, PUT, Ends
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._ir.dependences import Waits
from allo_air.passes._ir.leave_loop import can_leave, leave_loop
from allo_air.passes._ir.tokens import deps_of, token_of
from allo_air.passes.schedule._accumulators import touching, wrapped

_ENDS = ("scf.yield", "scf.reduce", "scf.reduce.return")


@dataclass(frozen=True)
class _CoreAccumulator:
    """An accumulator in the core's `loop`: `front` allocates and gets it, `back` puts and frees it. `far` is the other end of
    the channels.
    """

    loop: Any
    front: list[Any]
    back: list[Any]
    far: Any


def hoist_channel_accumulators(module: AnyOp) -> None:
    """Moves gets and puts of accumulators out of the loops in herds. The loops at the other end of the channels are replaced by
    one iteration.
    """
    for herd in walk_named(module, "air.herd"):
        for loop in [o for o in walk_post_order(herd) if o.name == "scf.for"]:
            while (result := _find(loop, Ends(module))) is not None:
                leave_loop(result.loop, result.front, result.back)
                _run_once(result.far)


def _find(loop: AnyOp, ends: Ends) -> _CoreAccumulator | None:
    body = body_of(loop)
    gets, puts = ([op for op in body if op.name == name] for name in (GET, PUT))
    pairs = [(get, put_op) for get in gets for put_op in puts if _are_equal(_transferred(get), _transferred(put_op))]
    return next(
        (result for get, put_op in pairs if (result := _core_accumulator(loop.operation, body, get, put_op, ends)) is not None),
        None,
    )


def _core_accumulator(
    loop: ir.Operation, body: list[ir.Operation], get: ir.Operation, put_op: ir.Operation, ends: Ends
) -> _CoreAccumulator | None:
    """The accumulator of `get` and `put_op`; None if the loop needs these transfers in each iteration."""
    far = _loop_at_far_end(get, put_op, ends)
    if far is None or not Loop(loop).trips() or Loop(loop).trips() != Loop(far).trips():
        return None
    local = root_of(get.opview.dst)
    frees = [
        n for n, op in enumerate(body) if wrapped(op).name == "memref.dealloc" and root_of(wrapped(op).operands[0]) == local
    ]
    allocs = [op for op in body if wrapped(op).name == "memref.alloc" and wrapped(op).results[0] == local]
    first, last = body.index(get), body.index(put_op)
    if (
        any(not first <= n <= last for n in touching(body, local) - set(frees))
        or any(n < last for n in frees)
        or len(frees) > 1
    ):
        return None
    front, back = [*allocs, get], [put_op, *(body[n] for n in frees)]
    return _CoreAccumulator(loop, front, back, far) if can_leave(loop, front, back) else None


def _loop_at_far_end(get: AnyOp, put_op: AnyOp, ends: Ends) -> Any:
    """The loop at the other end, if it only puts the data that `get` receives, and gets the data of `put_op` into the same
    memory; else None.
    """
    channels = [channel_of(op) for op in (get, put_op)]
    ends_of_channels = [ends.of(name, end) for name in channels for end in (PUT, GET)]
    if any(len(ops) != 1 for ops in ends_of_channels):
        return None
    source, target = ends_of_channels[0][0], ends_of_channels[3][0]
    loop, back = _loop(source), _loop(target)
    if loop is None or back is None or loop != back or len(loop.results) != 1 or not is_unused(Loop(loop).ivs[0]):
        return None
    inner_ops = [op for op in walk_post_order(loop) if op != loop]
    rest = [op for op in inner_ops if op not in (source, target) and not is_pure(op) and not is_join(op)]
    if any(op.name not in (*_ENDS, "scf.parallel") for op in rest) or not is_mirrored(source, target):
        return None
    return loop if _is_in_turn(source, target, loop) else None


def _loop(transfer: AnyOp) -> Any:
    """The scf.for around `transfer` with at most an scf.parallel in between, or None."""
    ancestors = list(parents(transfer))
    result = ancestors[1] if ancestors[0].name == "scf.parallel" else ancestors[0]
    return result if result.name == "scf.for" else None


def is_mirrored(source: AnyOp, target: AnyOp) -> bool:
    """Whether `target` gets, on the same channel of its bundle, into the source of `source`; each may be in a parallel
    loop.
    """
    grids = [p if p.name == "scf.parallel" else None for p in (next(iter(parents(op))) for op in (source, target))]
    if (grids[0] is None) != (grids[1] is None):
        return False
    matched: dict[Any, Any] = {}
    if grids[0] is not None and grids[1] is not None:
        first, second = (Loop(grid) for grid in grids)
        if first.bounds() != second.bounds() or any(None in bound for bound in first.bounds()):
            return False
        matched = dict(zip(first.ivs, second.ivs, strict=True))
    places = [list(op.opview.indices) for op in (source, target)]
    return _are_equal([*_transferred(source), places[0]], [*_transferred(target), places[1]], matched)


def _is_in_turn(source: ir.Operation, target: ir.Operation, loop: ir.Operation) -> bool:
    """Whether tokens order the put of each iteration after the get of the previous one."""
    waits = Waits()
    carried, end = Loop(loop).iter_args[0], Loop(loop).yielded[0]
    entering = deps_of(source) if source.block == Loop(loop).block else [*deps_of(source), *deps_of(source.parent)]
    if not any(d == carried or carried in waits.reached_from(d) for d in entering):
        return False
    top = target
    if target.block != Loop(loop).block:
        top = target.parent
        if token_of(target) not in Loop(top).yielded:
            return False
    return token_of(top) is not None and token_of(top) in waits.reached_from(end) | {end}


def _transferred(transfer: AnyOp) -> list[Any]:
    """The memref of a transfer, and its lists."""
    view, side = transfer.opview, "src" if transfer.name == PUT else "dst"
    if any(name in transfer.attributes for name in ("pad_before", "pad_after")):
        return [transfer]
    return [[getattr(view, side)], *(list(getattr(view, f"{side}_{part}")) for part in ("offsets", "sizes", "strides"))]


def _are_equal(
    some: list[list[ir.Value]], values: list[list[ir.Value]], matched: dict[ir.Value, ir.Value] | None = None
) -> bool:
    """Whether lists of values are equal; loop variables are compared by `matched`."""
    if [type(a) for a in some] != [type(b) for b in values] or not all(isinstance(a, list) for a in some):
        return False
    pairs = list(zip(some, values, strict=True))
    return all(len(a) == len(b) and all(_equal(x, y, matched or {}) for x, y in zip(a, b, strict=True)) for a, b in pairs)


def _equal(a: ir.Value, b: ir.Value, matched: dict[ir.Value, ir.Value]) -> bool:
    if a == b or (a in matched and matched[a] == b) or (constant_of(a) is not None and constant_of(a) == constant_of(b)):
        return True
    if (
        isinstance(a, ir.BlockArgument)
        or isinstance(b, ir.BlockArgument)
        or a.owner.name != b.owner.name
        or not is_pure(a.owner)
    ):
        return False
    first, second = a.owner, b.owner
    if dict(first.attributes.items()) != dict(second.attributes.items()):
        return False
    return all(_equal(x, y, matched) for x, y in zip(first.operands, second.operands, strict=True))


def _run_once(loop: AnyOp) -> None:
    """Replaces `loop` by its first iteration."""
    view = Loop(loop)
    values: dict[Any, Any] = dict(zip(view.iter_args, view.inits, strict=True))
    for op in view.body:
        result = clone(op, values, ir.InsertionPoint(loop))
        values.update(zip(op.results, result.results, strict=True))
    replace(loop, [values.get(v, v) for v in view.yielded])
