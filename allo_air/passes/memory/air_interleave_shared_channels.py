"""air-interleave-shared-channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any

from allo_air import dialects
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.loops import Loop, dim_of
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import body_of, is_inside, parents, walk_named, walk_pre_order
from allo_air.dialects.air_values import HIERARCHIES, is_token
from allo_air.mlir import AnyOp, affine, ir
from allo_air.passes._analysis.channel_ends import GET, GROUP, PUT, Ends
from allo_air.passes._ir.tokens import add_deps, deps_of, joined
from allo_air.passes.memory._round_parts import can_split, split

_NESTS = ("scf.for", "scf.parallel")

Rounds = tuple[int, int]
"""The product of the constant trip counts of loops, and the number of loops without constant bounds."""


@dataclass(frozen=True)
class AirInterleaveSharedChannels(Pass):
    """Fuses loops of transfers that will share a channel if the transfers of the cores alternate in a loop.

    `air-label-channels-to-fuse` marks the channels. If the ends of marked channels in a herd are in the same loops, their
    transfers must alternate at the other end, too; the same holds for channels that fill L2 and have their ends in a segment.
    There, each channel has loops of its own with the trip counts of the common loops. These loops become one, in which the
    transfers of the channel that is declared first come first. Loops stay separate if their trip counts differ, if neither step
    is a multiple of the other, or if an operation between them depends on the first loop and does more than free buffers. Each
    channel of an unrolled bundle is joined by itself. A transfer of external memory without loops that moves the data of all
    rounds becomes a loop over the parts of its outer dimension.

    Before:

        air.channel @a [] {allo.fuse_group = 0 : i64}
        air.channel @b [] {allo.fuse_group = 0 : i64}
        %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
          %3 = air.channel.put async [%t] @a[] (%x[] [] []) : (memref<64xi32, 1>)
          scf.yield %3 : !air.async.token
        }
        %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
          %3 = air.channel.put async [%t] @b[] (%y[] [] []) : (memref<8xi32, 1>)
          scf.yield %3 : !air.async.token
        }

    After:

        %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
          %2 = air.channel.put async [%t] @a[] (%x[] [] []) : (memref<64xi32, 1>)
          %3 = air.channel.put async [%2] @b[] (%y[] [] []) : (memref<8xi32, 1>)
          scf.yield %3 : !air.async.token
        }
    """

    name = "air-interleave-shared-channels"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        groups: dict[int, list[str]] = {}
        for channel in walk_named(op, "air.channel"):
            if GROUP in channel.attributes:
                groups.setdefault(channel.attributes[GROUP].value, []).append(sym_name_of(channel))
        ends = Ends(op) if groups else None
        for names in groups.values():
            for end, inside in ((PUT, GET), (GET, PUT)):
                for first, second in combinations(names, 2):
                    if ends is not None and _interleave(op, ends, first, second, end, inside):
                        ends = Ends(op)


def _interleave(module: AnyOp, ends: Ends, first: str, second: str, end: str, inside: str) -> bool:
    """Joins the loops around the transfers `end` of two channels, whose transfers `inside` are in a herd or fill L2; returns
    whether it did.
    """
    decide = [*ends.of(first, inside), *ends.of(second, inside)]
    rest = [_hierarchy(t) for name in (first, second) for t in ends.of(name, end)]
    rounds = _common(decide if all(_hierarchy(t) == "air.herd" for t in decide) or _fills(decide, rest) else [])
    is_split = rounds[0] > 1 and not rounds[1] and _split(ends, (first, second), end, inside, rounds[0])
    if is_split:
        ends = Ends(module)
    pairs = _members(ends.of(first, end), ends.of(second, end)) if rounds != (1, 0) else []
    joined = [_interleave_loops(_loops_around(first), _loops_around(second), rounds) for first, second in reversed(pairs)]
    return any(joined) or is_split


def _split(ends: Ends, names: tuple[str, str], end: str, inside: str, rounds: int) -> bool:
    """Puts the transfers `end` that have no loops around them into loops of `rounds` parts; returns whether it did."""
    whole = [(t, ends.of(name, inside)) for name in names for t in ends.of(name, end) if not _loops_around(t)]
    if not whole or not all(can_split(t, rounds, other_ends) for t, other_ends in whole):
        return False
    for transfer, _ in whole:
        split(transfer, rounds)
    return True


def _members(first_transfers: list[AnyOp], second_transfers: list[AnyOp]) -> list[tuple[Any, Any]]:
    """The pairs of transfers of two bundles: one each, or one for each channel at constant indices."""
    if len(first_transfers) == len(second_transfers) == 1:
        return [(first_transfers[0], second_transfers[0])]
    places = [
        [tuple(map(constant_of, t.opview.indices)) for t in transfers] for transfers in (first_transfers, second_transfers)
    ]
    is_constant = all(None not in place for item in places for place in item)
    if not is_constant or any(len(set(place)) < len(place) for place in places) or set(places[0]) != set(places[1]):
        return []
    return [
        (transfer, second_transfers[places[1].index(place)]) for transfer, place in zip(first_transfers, places[0], strict=True)
    ]


def _interleave_loops(first_loops: list[AnyOp], second_loops: list[AnyOp], rounds: Rounds) -> bool:
    """Joins the outermost loops of two nests that have the given trip counts in common; returns whether it did."""
    pairs, common = [], list[Any]()
    for a, b in zip(first_loops, second_loops, strict=False):
        if _rounds(common) == rounds:
            break
        if a != b and not (_is_plain(a) and _is_plain(b) and _steps_alike(a, b)):
            return False
        common.append(a)
        pairs += [(a, b)] if a != b else []
    if _rounds(common) != rounds:
        return False
    for done, (a, b) in enumerate(pairs):
        if not _join(a, b):
            return done > 0
    return bool(pairs)


def _steps_alike(first: AnyOp, second: AnyOp) -> bool:
    """Whether two loops have the same bounds, or the same trip count and one step that is a multiple of the other."""
    if first.name != second.name:
        return False
    return Loop(first).bounds() == Loop(second).bounds() or (
        first.name == "scf.for" and any(_linear_relation(*pair) is not None for pair in ((first, second), (second, first)))
    )


def _linear_relation(first: Any, second: Any) -> tuple[int, int] | None:
    """The factor and the addend that turn the variable of `first` into that of `second`; None if there are none."""
    first_dim, second_dim = dim_of(first), dim_of(second)
    if first_dim is None or second_dim is None or first_dim.trips != second_dim.trips or second_dim.step % first_dim.step:
        return None
    times = second_dim.step // first_dim.step
    return times, second_dim.lower - times * first_dim.lower


def _common(transfers: list[AnyOp]) -> Rounds:
    """The trip counts of the loops that contain all of `transfers` in their herd or segment."""
    nests = [_loops_around(t) for t in transfers]
    return _rounds([loop for loop in nests[0] if all(loop in nest for nest in nests)] if nests else [])


def _rounds(loops: list[AnyOp]) -> Rounds:
    """The total trip count of the scf.for loops among `loops`."""
    trips = [Loop(loop).trips() for loop in loops if loop.name == "scf.for"]
    return prod(n for n in trips if n is not None), trips.count(None)


def _fills(transfers: list[AnyOp], rest: list[str | None]) -> bool:
    """Whether `transfers` are in segments, and none of `rest`, the hierarchies of the transfers at the other ends, is a segment
    or a herd.
    """
    return all(_hierarchy(t) == "air.segment" for t in transfers) and not {"air.segment", "air.herd"} & set(rest)


def _hierarchy(op: AnyOp) -> str | None:
    """The name of the innermost hierarchy around `op`."""
    return next((str(p.name) for p in parents(op) if p.name in HIERARCHIES), None)


def _loops_around(op: AnyOp) -> list[Any]:
    """The loops around `op` in its hierarchy, outermost first."""
    results: list[Any] = []
    for parent in parents(op):
        if parent.name in HIERARCHIES:
            break
        if parent.name in _NESTS:
            results.insert(0, parent)
    return results


def _is_plain(loop: AnyOp) -> bool:
    """Whether `loop` carries one token and nothing else."""
    return len(loop.results) == 1 and is_token(loop.results[0])


def _join(first: Any, second: Any) -> bool:
    """Moves the body of `second` to the end of the body of `first`; returns whether that is possible."""
    if first.block != second.block:
        return False
    order = body_of(first.block.owner)
    first_at, second_at = order.index(first), order.index(second)
    between = order[first_at + 1 : second_at]
    if first_at > second_at:
        return False
    needed = [v.owner.operation for op in walk_pre_order(second) for v in op.operands if isinstance(v, ir.OpResult)]
    if any(op in between for op in needed):
        behind_both = _following_ops(first, between)
        if behind_both is None or any(op in behind_both for op in needed):
            return False
        for op in reversed(behind_both):
            op.move_after(second)
        first.move_before(second)
    _merge(first, second)
    return True


def _other_variable(first: AnyOp, second: AnyOp, variable: ir.Value) -> Any:
    """The variable of loop `second` computed from that of `first`, before the end of the body of `first`."""
    result = _linear_relation(first, second)
    assert result is not None
    map_ = ir.AffineMap.get(1, 0, [ir.AffineDimExpr.get(0) * result[0] + result[1]])
    with ir.InsertionPoint(Loop(first).terminator), second.location:
        return affine.apply(map_, [variable])


def _following_ops(first: AnyOp, between: Sequence[AnyOp]) -> list[Any] | None:
    """The operations of `between` that follow `first`, if they only free buffers or wait; None if one does other work."""
    results: list[Any] = []
    for op in between:
        if any(_uses(v, op) for later in (first, *results) for v in later.results):
            if op.name != "air.wait_all" and not _only_frees(op):
                return None
            results.append(op)
    return results


def _uses(value: ir.Value, op: AnyOp) -> bool:
    """Whether `op`, or an operation in it, uses `value`."""
    return any(is_inside(use.owner, op) for use in value.uses)


def _only_frees(op: AnyOp) -> bool:
    """Whether `op` only frees buffers."""
    inner = [o.name for o in walk_pre_order(op)][1:] if op.name == "air.execute" else [op.name]
    return set(inner) <= {"memref.dealloc", "air.execute_terminator"}


def _take_bounds(first: Any, second: Any) -> None:
    """Gives loop `first` the constant bounds of `second`, and computes its variable from the new one."""
    times, addend = _linear_relation(second, first) or (1, 0)
    [dim] = Loop(second).dims() or ()
    with first.location, ir.InsertionPoint(first):
        for number, value in enumerate((dim.lower, dim.upper, dim.step)):
            first.operands[number] = index_constant(value)
    body = Loop(first)
    with first.location, ir.InsertionPoint.at_block_begin(body.block):
        map_ = ir.AffineMap.get(1, 0, [ir.AffineDimExpr.get(0) * times + addend])
        variable = affine.apply(map_, [body.ivs[0]])
    body.ivs[0].replace_all_uses_except(variable, variable.owner.operation)


def _merge(first: AnyOp, second: AnyOp) -> None:
    if Loop(first).bounds() != Loop(second).bounds() and _linear_relation(first, second) is None:
        _take_bounds(first, second)
    first_loop, second_loop = Loop(first), Loop(second)
    end = first_loop.terminator
    start, token = second_loop.inits[0], first_loop.yielded[0]
    number = list(first.operands).index(first_loop.inits[0], len(first.operands) - 1)
    if start != first.results[0]:  # if surrounding loops were joined before, the second one waits for the first
        first.operands[number] = joined(list(dict.fromkeys([first_loop.inits[0], start])), first)
    for first_iv, second_iv in zip(first_loop.ivs, second_loop.ivs, strict=True):
        second_iv.replace_all_uses_with(
            first_iv if first_loop.bounds() == second_loop.bounds() else _other_variable(first, second, first_iv)
        )
    for carried in second_loop.iter_args:
        carried.replace_all_uses_with(token)
    moved = second_loop.body
    finished = second_loop.yielded[0]
    for op in moved:
        op.move_before(end)
    if first.name == "scf.parallel":
        for op in moved:
            if deps_of(op) and not any(isinstance(d, ir.OpResult) and d.owner.operation in moved for d in deps_of(op)):
                add_deps(op, [token])
    end.operands[0] = finished
    second.results[0].replace_all_uses_with(first.results[0])
    second.erase()
