"""Names, orders and numbers the channels and transfers that splitting created, in program order."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.buffers import CHANNEL_OPS, buffers_in


def order_channels(module: ir.Operation, before: AbstractSet[str]) -> bool:
    """Names channels that are not among `before` in the order of the L2 buffers that they reach, and declares them last.

    Their transfers, and all others, get their `id` in the order of the text. Returns whether there is a new channel.
    """
    declared = walk_named(module, "air.channel")
    new = {sym_name_of(c): c for c in declared if sym_name_of(c) not in before}
    if not new:
        return False
    segments = walk_named(module, "air.segment")
    used = [channel_of(op) for segment in segments for buffer in buffers_in(segment) for op in buffer.transfers]
    order = [name for name in dict.fromkeys(used) if name in new]
    names = dict(zip(order, sorted(order, key=_number), strict=True))
    for op in walk_named(module, *CHANNEL_OPS):
        if (name := channel_of(op)) in names:
            op.attributes["chan_name"] = ir.FlatSymbolRefAttr.get(names[name])
    last = declared[-1]
    for old in order:
        channel = new[old]
        channel.attributes["sym_name"] = ir.StringAttr.get(names[old])
        if channel != last:
            channel.move_after(last)
        last = channel
    return True


def number_transfers(function: ir.Operation) -> None:
    """Numbers puts and gets from 1, in the order of the text, as air-renumber-dma does."""
    i32 = ir.IntegerType.get_signless(32)
    for number, op in enumerate(walk_named(function, *CHANNEL_OPS), start=1):
        op.attributes["id"] = ir.IntegerAttr.get(i32, number)


def channels_of(module: ir.Operation) -> set[str]:
    """The names of the channels of `module`."""
    return {sym_name_of(c) for c in walk_named(module, "air.channel")}


def _number(name: str) -> int:
    return int(name.rpartition("_")[2])
