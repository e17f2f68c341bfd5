"""Small transfers between external memory and L2 that can share a channel of a bundle that carries much more."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.loops import Loop
from allo_air.core.names import channel_of
from allo_air.core.walking import ancestor_in, enclosing, walk_pre_order
from allo_air.dialects.air_values import is_join, is_token
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.channel_ends import GET, GROUP
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.operands import with_operands
from allo_air.passes._ir.order import move_before
from allo_air.passes._ir.tokens import add_deps
from allo_air.passes.memory._slabs import Channels, places_of
from allo_air.passes.memory._widen import WideBundle, bytes_of, times_of

_PART = 8
"""The least ratio of the bytes on a channel, before it is split, to those of an operand that is multiplexed on one half. The
half then carries at most 1/2 + 1/8 of the former bytes.
"""


def multiplexed_transfers(transfers: list[ir.Operation], wide: WideBundle, channels: Channels, most: int) -> list[Any]:
    """The transfers among `transfers` that can share a channel of `wide` after it is split.

    Each moves few bytes and has a channel of its own. At both ends its whole loop can precede the loops of the bundle. A
    memtile then needs a descriptor for each iteration of both loops, since its ring repeats neither alone: at most `most`. The
    list is empty if channels are to be fused (`allo.fuse_group`), since the cores then fix the order, and if `wide` has
    results, since they come last.
    """
    if wide.end != GET or any(GROUP in declared.attributes for declared in channels.declared.values()):
        return []
    results = [t for t in transfers if t.name != wide.end and channel_of(t) != wide.name]
    ring = max(times_of(t) for b in wide.buffers for t in b.transfers if channel_of(t) == wide.name)
    return [
        t
        for t in results
        if prod(channels.declared[channel_of(t)].opview.size) == 1
        and channels.is_single(t)
        and bytes_of(t) * _PART <= wide.each
        and times_of(t) + ring <= most
        and all(_is_movable(end) for end in (t, *channels.other(t)))
    ]


def multiplex(transfer: ir.Operation, name: str, place: int, channels: Channels) -> None:
    """Moves a transfer and its counterpart at the other end to channel `place` of bundle `name`, before the transfers of that
    channel.
    """
    old = channels.declared[channel_of(transfer)]
    for end in (transfer, *channels.other(transfer)):
        same = next(t for t in walk_pre_order(_hierarchy(end)) if t.name == end.name and _is_at(t, name, place, end))
        end.attributes["chan_name"] = ir.FlatSymbolRefAttr.get(name)
        constants = Indices()
        moved = with_operands(end, {"indices": [constants.constant(number, end) for number in (place, 0)]})
        top = _outermost(moved)
        before = ancestor_in(same, top.block)
        move_before(top, before)
        add_deps(before, [r for r in top.results if is_token(r)])
    old.erase()


def _is_at(t: AnyOp, name: str, place: int, end: AnyOp) -> bool:
    return channel_of(t) == name and places_of(t)[0] == place and _hierarchy(t) == _hierarchy(end)


def _hierarchy(op: AnyOp) -> Any:
    return enclosing(op, "air.launch", "air.segment", "air.herd")


def _outermost(op: AnyOp) -> Any:
    block = _hierarchy(op).regions[0].blocks[0]
    return ancestor_in(op, block)


def _is_movable(t: AnyOp) -> bool:
    """Whether a transfer is asynchronous, and is the only work of the loop around it, if there is one."""
    top = _outermost(t)
    inner_ops = [op for op in walk_pre_order(top) if op != t and op != top]
    is_plain = all(is_pure(op) or is_join(op) or op.name in ("scf.yield", "scf.for") for op in inner_ops)
    return len(t.results) > 0 and (top == t or (top.name == "scf.for" and is_plain and Loop(top).trips() is not None))
