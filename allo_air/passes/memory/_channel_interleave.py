"""Unrolls loops that copy pieces to L2 by two, so that odd and even pieces use different channels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.cloning import clone, clone_body
from allo_air.core.constants import index_constant
from allo_air.core.loops import Dim, Loop, dim_of
from allo_air.core.names import channel_of
from allo_air.core.walking import walk_pre_order
from allo_air.dialects.air import ChannelOp
from allo_air.dialects.air_values import is_token
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.channel_ends import GET, GROUP, MULTIPLEXED, PUT
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.operands import with_operands
from allo_air.passes._ir.order import move_before
from allo_air.passes._ir.tokens import add_deps
from allo_air.passes.memory._slabs import Channels, places_of
from allo_air.passes.memory._widen import WideBundle, bytes_of


@dataclass(frozen=True)
class Ends:
    """The two ends of a channel: the transfer that fills L2, and the transfer outside the segment."""

    near: Any
    far: Any


@dataclass(frozen=True)
class Interleave:
    """A plan by which the pieces of bundle `wide` alternate between channels.

    The transfers `ends` of the bundle are in loop `near` of the segment and loop `far` of the launch, which run equally often.
    `multiplexed` are the other operand, which a loop inside `near` gets, and the operands that share its channel.
    """

    wide: WideBundle
    near: Any
    far: Any
    ends: tuple[Ends, ...]
    multiplexed: tuple[Ends, ...]


def interleave_of(wide: WideBundle, channels: Channels) -> Interleave | None:
    """The plan by which the pieces of `wide` alternate between two channels.

    None if `wide` brings no data to L2 or is to be fused, or if no single loop at each end, with equal trip counts, moves all
    pieces.
    """
    gets = [t for b in wide.buffers for t in b.transfers if t.name == GET]
    if wide.end != GET or GROUP in channels.declared[wide.name].attributes:
        return None
    ends = sorted((Ends(get, channels.other(get)[0]) for get in gets), key=lambda e: [n or 0 for n in places_of(e.near)])
    near, far = ({_only_loop_around(getattr(e, end)) for e in ends} for end in ("near", "far"))
    if len(near) != 1 or len(far) != 1:
        return None
    [inner], [outer] = near, far
    a, b = (None if loop is None else dim_of(loop) for loop in (inner, outer))
    places = [places_of(e.near) for e in ends]
    if a is None or b is None or a.trips != b.trips or places not in ([[n, 0] for n in range(len(ends))], [[]]):
        return None
    made_here = all(buffer.home.parent.operation == inner for buffer in wide.buffers)
    if not made_here or not all(_is_simple(loop) for loop in (inner, outer)):
        return None
    return Interleave(wide, inner, outer, tuple(ends), _multiplexed(wide, inner, outer, b, channels))


def interleave_loop(interleave: Interleave, channels: Channels, numbers: Iterator[int]) -> None:
    """Unrolls the loops by two, so that pieces alternate between two channels, each with the other operand multiplexed."""
    name, width = interleave.wide.name, len(interleave.ends)
    multiplex(interleave, channels)
    widen_bundle(channels.declared[name], 2 * width)
    _add_indices(interleave)
    for loop in (interleave.near, interleave.far):
        for copy in _unroll_by_two(loop, numbers):
            if channel_of(copy) == name:
                retarget(copy, name, width + (places_of(copy)[0] or 0))


def _add_indices(interleave: Interleave) -> None:
    """Gives transfers without an index, whose channel became a bundle, the index of the bundle's first channel."""
    for transfer in [t for loop in (interleave.near, interleave.far) for t in walk_pre_order(loop) if t.name in (GET, PUT)]:
        if channel_of(transfer) == interleave.wide.name and not list(transfer.opview.indices):
            retarget(transfer, interleave.wide.name)


def _only_loop_around(transfer: AnyOp) -> Any:
    """The only loop around a transfer that is directly in the launch or in the segment; None if there is no such loop, or
    there are several.
    """
    loop = transfer.parent.operation
    outer = loop.parent.operation if loop.name == "scf.for" else None
    return loop if outer is not None and outer.name in ("air.launch", "air.segment") else None


def _is_simple(loop: AnyOp) -> bool:
    """Whether a loop carries one token and nothing else."""
    return len(loop.results) == 1 and is_token(loop.results[0])


def _multiplexed(wide: WideBundle, inner: AnyOp, outer: AnyOp, dim: Dim, channels: Channels) -> tuple[Ends, ...]:
    """The transfers of `inner` that use one channel once per iteration of `outer`, in a loop with no other work; several
    transfers if they are to share one channel.
    """
    results: dict[Any, list[Ends]] = {}
    for get in (op for op in Loop(inner).body if op.name == GET and channel_of(op) != wide.name):
        if prod(channels.declared[channel_of(get)].opview.size) != 1 or not channels.is_single(get):
            continue
        [put_op] = channels.other(get)
        if (loop := _only_loop_around(put_op)) is not None and loop != outer and _is_simple(loop):
            results.setdefault(loop, []).append(Ends(get, put_op))
    for loop, ends in results.items():
        own = dim_of(loop)
        transfers = [op for op in walk_pre_order(loop) if op.name in (GET, PUT)]
        same = own is not None and (own.lower, own.upper, own.step) == (dim.lower, dim.upper, dim.step)
        is_alone = len(transfers) == len(ends) and sum(bytes_of(e.near) for e in ends) <= wide.each
        if same and is_alone and _comes_later(loop.results[0], outer):
            return tuple(sorted(ends, key=lambda e: transfers.index(e.far.operation)))
    return ()


def _comes_later(token: ir.Value, op: AnyOp) -> bool:
    """Whether all users of `token` follow `op` in its block."""
    order = [o.operation for o in op.parent.regions[0].blocks[0].operations]
    users = [use.owner.operation for use in token.uses]
    return all(user in order and order.index(user) > order.index(op) for user in users)


def multiplex(interleave: Interleave, channels: Channels, parts: int = 1, *, apart: bool = False) -> None:
    """Moves the multiplexed transfers to the channel of the first buffer, before the transfer that fills that buffer, at both
    ends.

    The operand is to be divided among `parts` channels (`air-split-l2-pieces`). Transfers that shared its channel
    are not divided; with `apart` they use the second channel.
    """
    assert interleave.multiplexed
    old = [channels.declared[channel_of(e.near)] for e in interleave.multiplexed]
    loop = _only_loop_around(interleave.multiplexed[0].far)
    source, target = Loop(loop), Loop(interleave.far)
    ip = ir.InsertionPoint(interleave.ends[0].far)
    copies, _ = clone_body(
        loop.regions[0].blocks[0], dict(zip(source.block.arguments, target.block.arguments, strict=True)), ip
    )
    loop.results[0].replace_all_uses_with(interleave.far.results[0])
    for op in (loop, *old):
        op.erase()
    puts = [op for op in copies if op.name == PUT]
    first = interleave.ends[0].near.operation
    for get in (e.near for e in interleave.multiplexed):
        move_before(get, first)
    for ends, hosts in (
        (puts, [e.far for e in interleave.ends]),
        ([e.near for e in interleave.multiplexed], [e.near for e in interleave.ends]),
    ):
        _multiplex(ends, hosts[: 1 + apart], interleave.wide.name, parts)


def _multiplex(multiplexed: list[AnyOp], hosts: list[AnyOp], name: str, parts: int) -> None:
    """Moves transfers before those of `hosts` at one end, onto their channels: the first transfer before the first host, the
    others before the last.
    """
    for n, transfer in enumerate(multiplexed):
        place = 0 if n == 0 else len(hosts) - 1
        moved = retarget(transfer, name, place)
        moved.attributes[MULTIPLEXED] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), parts if n == 0 else 1)
        hosts[place] = add_deps(hosts[place], [moved.results[0]])


def retarget(transfer: AnyOp, name: str, place: int = 0, constants: Indices | None = None) -> Any:
    """`transfer`, moved to channel `place` of bundle `name`; calls that share `constants` look for them once."""
    transfer.attributes["chan_name"] = ir.FlatSymbolRefAttr.get(name)
    constants = constants or Indices()
    return with_operands(transfer, {"indices": [constants.constant(n, transfer) for n in (place, 0)]})


def widen_bundle(declared: AnyOp, count: int) -> None:
    """Replaces the declaration of a bundle by one with `count` channels."""
    own = ("sym_name", "size", "channel_type")
    attributes = {k: v for k, v in declared.attributes.items() if k not in own}
    name, kind = declared.opview.sym_name, declared.opview.channel_type
    ip = ir.InsertionPoint(declared)
    ChannelOp(sym_name=name, size=[count, 1], channel_type=kind, attributes=attributes, loc=declared.location, ip=ip)
    declared.erase()


def _unroll_by_two(op: ir.Operation, numbers: Iterator[int]) -> list[Any]:
    """Unrolls the loop `op` by two and halves its trip count; returns the copies of its transfers."""
    loop, dim = Loop(op), dim_of(op)
    assert dim is not None
    last, location = loop.terminator, op.location
    with ir.InsertionPoint(op):
        op.operands[2] = index_constant(2 * dim.step, location)
    with ir.InsertionPoint(last):
        following = arith.AddIOp(loop.ivs[0], index_constant(dim.step, location), loc=location).result
    body, values = loop.body[:-2], dict(zip(loop.block.arguments, [following, *loop.yielded], strict=True))
    copies = [clone(part, values, ir.InsertionPoint(last)) for part in body]
    for n, value in enumerate(loop.yielded):
        last.operands[n] = values.get(value, value)
    transfers = [inner for copy in copies for inner in walk_pre_order(copy) if inner.name in (GET, PUT)]
    for transfer in transfers:
        if "id" in transfer.attributes:
            transfer.attributes["id"] = ir.IntegerAttr.get(transfer.attributes["id"].type, next(numbers))
    return transfers
