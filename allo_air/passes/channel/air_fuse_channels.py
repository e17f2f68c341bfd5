"""air-fuse-channels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import ancestor_in, walk_named
from allo_air.dialects.air_values import HIERARCHIES, is_token
from allo_air.errors import OptionError, counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.channel_ends import GET, GROUP, PUT, Ends
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._analysis.memory import LEVELS, space
from allo_air.passes._ir.tokens import add_deps, deps_of, distinct, token_of, with_deps, without_joins
from allo_air.passes.channel._alternation import End, are_in_order, chain, common, members_of, rounds_of, take_turns
from allo_air.passes.channel._moves import advance, move_after, moved_after, moved_before
from allo_air.passes.channel._reorder import put_in_order, write_out
from allo_air.passes.channel._repeats import merge_repeats


@dataclass(frozen=True)
class AirFuseChannels(Pass):
    """Merges the channels that `air-label-channels-to-fuse` marked into one; their transfers share it in a fixed order.

    In the innermost block around all of them, the transfers of the channel that is declared first precede those of the second,
    and so on, at both ends, unless both ends have the opposite order or one end allows only that; tokens enforce this. An
    asynchronous transfer, or a loop of such transfers, is moved if it precedes one that it has to follow. In the body of a
    loop, transfers may alternate, in the same order at both ends. Transfers at different positions of a bundle need no order.
    The channels must have the same size, broadcast and type.

    With `aggressive-mode`, unmarked channels between the same places are merged as well, if their transfers alternate at both
    ends or have one order in the same blocks, and if one end is in one of the listed memories (L1, L2, L3). The data of the
    first transfer must not depend on the second.

    With `repeats`, two channels between the same places become one if each has one put and one get, and if the puts send the
    same part of one buffer, the second after the first. Equal loops around the puts run twice, and a put next to a loop whose
    next iteration would send the same part becomes that iteration. The gets keep their places. Buffers that cores fill in two
    consecutive loops must differ.

    Errors: marked channels of different sizes, broadcasts or types; transfers that cannot be ordered.

    Before:

        air.channel @in [] {allo.fuse_group = 0 : i64}
        air.channel @bias [] {allo.fuse_group = 0 : i64}
        %0 = air.channel.put async @in[] (%a[] [] []) : (memref<64xi32, 1>)
        %1 = air.channel.put async @bias[] (%b[] [] []) : (memref<8xi32, 1>)

    After:

        air.channel @in []
        %0 = air.channel.put async @in[] (%a[] [] []) : (memref<64xi32, 1>)
        %1 = air.channel.put async [%0] @in[] (%b[] [] []) : (memref<8xi32, 1>)
    """

    name = "air-fuse-channels"
    anchor = "builtin.module"
    aggressive_mode: tuple[str, ...] = ()
    """Memories (L1, L2, L3) at which unmarked channels are fused, too, if tokens alone can order their transfers."""
    same_source: bool = False
    """Fuse marked channels only if all send from the same buffers."""
    repeats: bool = True
    """Fuse unmarked channels, too, that send the same data one after another."""

    def run(self, op: AnyOp, /) -> None:
        if unknown := [name for name in self.aggressive_mode if name not in LEVELS]:
            raise OptionError(
                f"pass 'air-fuse-channels': option 'aggressive-mode' lists '{unknown[0]}', expected some of {', '.join(LEVELS)}"
            )
        dialects.load(op.context, ("air",))
        groups: dict[int, list[Any]] = {}
        for channel in walk_named(op, "air.channel"):
            if GROUP in channel.attributes:
                groups.setdefault(channel.attributes[GROUP].value, []).append(channel)
        for channels in groups.values():
            if not self.same_source or _have_same_source(Ends(op), channels):
                _fuse(op, channels)
        if self.aggressive_mode:
            _multiplex(op, {LEVELS[name] for name in self.aggressive_mode})
        if self.repeats:
            merge_repeats(op)


def _have_same_source(channel_ends: Ends, channels: list[AnyOp]) -> bool:
    names = [sym_name_of(c) for c in channels]
    sources = [{root_of(put_op.opview.src) for put_op in channel_ends.of(name, PUT)} for name in names]
    return all(source == sources[0] for source in sources)


def _fuse(module: AnyOp, channels: list[AnyOp]) -> None:
    """Fuses `channels` into one: first those whose transfers alternate, then those whose transfers follow one another."""
    first, *rest = _in_turns(module, channels)
    for channel in rest:
        _check_alike(first, channel)
        pairs = _ends_of_both(Ends(module), first, channel)
        if take_turns(pairs):
            _join_in_turns(module, first, channel, pairs)
            continue
        reverse = [(two_ends, one_ends) for one_ends, two_ends in pairs]
        is_reversed = all(_follows(*end) for end in pairs) or (_can_follow(reverse) and not _can_follow(pairs))
        _join(first, channel, pairs, members_of(reverse if is_reversed else pairs))
    del first.attributes[GROUP]


def _follows(later: list[Any], earlier: list[Any]) -> bool:
    """Whether all of `later` must stay after all of `earlier` in one block, because an operation in between has no token."""
    if not later or not earlier:
        return False
    block = common([*later, *earlier])
    order = [o.operation for o in block.operations]
    before = sorted(order.index(ancestor_in(op, block)) for op in earlier)
    start = min(order.index(ancestor_in(op, block)) for op in later)
    return before[-1] < start and any(token_of(op) is None and not is_pure(op) for op in order[before[0] : start + 1])


def _can_follow(ends: list[End]) -> bool:
    """Whether the second transfers of each end follow the first ones, or can be moved so."""
    for first_end, second_end in ends:
        if not first_end or not second_end:
            continue
        block = common([*first_end, *second_end])
        order = [o.operation for o in block.operations]
        last = max((ancestor_in(op, block) for op in first_end), key=order.index)
        for top in distinct(ancestor_in(op, block) for op in second_end):
            is_before = order.index(top) <= order.index(last)
            if is_before and not (moved_before(first_end, top) or moved_after(top, second_end, last)):
                return False
    return True


def _in_turns(module: AnyOp, channels: list[AnyOp]) -> list[Any]:
    """Fuses those of the channels whose transfers alternate, and returns the remaining channels."""
    distinct_channels: list[Any] = []
    for channel in channels:
        for first in distinct_channels:
            pairs = _ends_of_both(Ends(module), first, channel)
            if not take_turns(pairs) and write_out(pairs):
                pairs = _ends_of_both(Ends(module), first, channel)
            if take_turns(pairs) or (put_in_order(pairs) and take_turns(pairs)):
                _check_alike(first, channel)
                _join_in_turns(module, first, channel, pairs)
                break
        else:
            distinct_channels.append(channel)
    return distinct_channels


def _multiplex(module: AnyOp, spaces: set[int]) -> None:
    """Merges channels that move data from or to one of the memories `spaces`, if tokens alone can order their transfers."""
    distinct_channels: list[Any] = []
    for channel in walk_named(module, "air.channel"):
        channel_ends = Ends(module)
        name = sym_name_of(channel)
        moved = [t.opview.src for t in channel_ends.of(name, PUT)] + [t.opview.dst for t in channel_ends.of(name, GET)]
        if not {space(value.type) for value in moved} & spaces:
            continue
        for first in (c for c in distinct_channels if channel_ends.kind(sym_name_of(c)) == channel_ends.kind(name)):
            pairs = _ends_of_both(channel_ends, first, channel)
            if take_turns(pairs):
                _join_in_turns(module, first, channel, pairs)
                break
            if are_in_order(pairs):
                _join(first, channel, pairs, members_of(pairs))
                break
        else:
            distinct_channels.append(channel)


def _join_in_turns(module: AnyOp, first: AnyOp, second: AnyOp, pairs: list[End]) -> None:
    for pair in pairs:
        chain(pair)
    _join(first, second, _ends_of_both(Ends(module), first, second), [])


def _join(first: AnyOp, second: AnyOp, pairs: list[End], ordered: list[End]) -> None:
    """Merges channel `second` into `first`. At each of the ends `ordered`, transfers of one list are made to precede those of
    the other.
    """
    _check_rounds(ordered)
    waits = [wait for first_end, second_end in ordered for wait in _waits(first_end, second_end)]
    for _, second_end in pairs:
        for transfer in second_end:
            transfer.attributes["chan_name"] = ir.FlatSymbolRefAttr.get(sym_name_of(first))
    formers = [deps_of(op) for op, _ in waits]
    later = [add_deps(op, tokens) for op, tokens in waits]
    for op, former in zip(later, formers, strict=True):
        _release(op, former, later)
    second.erase()


def _release(op: AnyOp, former: list[Any], later: list[AnyOp]) -> None:
    """Makes herds and segments that wait for `op` wait for `former` instead, what `op` waited for before, unless they take one
    of its buffers or are among `later`. The transfers that `op` follows now may need them to run.
    """
    tokens = {r for r in op.results if is_token(r)}
    buffers = {root_of(t.opview.src if t.name == PUT else t.opview.dst) for t in walk_named(op, PUT, GET)}
    for item in [o.operation for o in op.block.operations if o.operation.name in HIERARCHIES]:
        deps = without_joins(deps_of(item))
        if item in later or tokens.isdisjoint(deps):
            continue
        if not any(isinstance(v.type, ir.MemRefType) and root_of(v) in buffers for v in item.operands):
            with_deps(item, distinct([t for t in deps if t not in tokens] + former))


def _check_rounds(ends: list[End]) -> None:
    """Raises an error unless both channels alternate equally often at all ends."""
    results = [
        (first_end, second_end, rounds_of(common([*first_end, *second_end])))
        for first_end, second_end in ends
        if first_end and second_end
    ]
    other_rounds = results[0][2] if results else None
    for first, second, rounds in results:
        if rounds is not None and other_rounds is not None and rounds != other_rounds:
            names = [f"'@{op.attributes['chan_name'].value}'" for op in (first[0], second[0])]
            raise error_at(
                second[0],
                f"cannot share a channel: {names[0]} and {names[1]} alternate {counted(rounds, 'time')} here, but "
                f"{counted(other_rounds, 'time')} at the other end, "
                f"where one would receive the other's data; put them in the same loops at both ends",
            )


def _ends_of_both(channel_ends: Ends, first: AnyOp, second: AnyOp) -> list[End]:
    """The transfers of both channels, at the put end and at the get end."""
    first_name, second_name = (sym_name_of(c) for c in (first, second))
    return [(channel_ends.of(first_name, end), channel_ends.of(second_name, end)) for end in (PUT, GET)]


def _check_alike(first: AnyOp, channel: AnyOp) -> None:
    for name in ("size", "broadcast_shape", "channel_type"):
        first_text, second_text = (str(c.attributes[name]) if name in c.attributes else "none" for c in (first, channel))
        if first_text != second_text:
            raise error_at(
                channel,
                f"is to share a channel with '@{first.attributes['sym_name'].value}', but its {name} is "
                f"{second_text}, not {first_text}; "
                f"only channels between the same places can; remove {GROUP}",
            )


def _waits(first_end: list[ir.Operation], second_end: list[ir.Operation]) -> list[tuple[Any, list[Any]]]:
    """The operations of `second_end`, or the loops around them, and the tokens that each must wait for to follow those of
    `first_end`."""
    if not first_end or not second_end:
        return []
    block = common([*first_end, *second_end])
    order = [o.operation for o in block.operations]
    last = max((ancestor_in(op, block) for op in first_end), key=order.index)
    waits: list[tuple[Any, list[Any]]] = []
    for op in second_end:
        outer = ancestor_in(op, block)
        if order.index(outer) <= order.index(last):
            if not advance(first_end, outer):
                move_after(op, outer, second_end, last)
                last = outer
            order = [o.operation for o in block.operations]
            last = max((ancestor_in(m, block) for m in [*first_end, last]), key=order.index)
        waiting = outer if outer.name in ("scf.for", "scf.parallel", *HIERARCHIES) else op
        before = [ancestor_in(m, block) for m in first_end if _may_meet(m, op)]
        tokens = distinct(r for o in before for r in o.results if is_token(r))
        if tokens and waiting not in [w for w, _ in waits]:
            waits.append((waiting, tokens))
    return waits


def _may_meet(first: AnyOp, second: AnyOp) -> bool:
    """Whether two transfers may use the same channel of a bundle: no pair of constant indices differs."""
    pairs = zip(first.opview.indices, second.opview.indices, strict=True)
    constants = [(constant_of(a), constant_of(b)) for a, b in pairs]
    return all(a is None or b is None or a == b for a, b in constants)
