"""The columns of the array that a device uses, as a block. Blocks can be shifted and merged into one device side by side.

A device that only streams from shim to shim needs no columns: others carry its streams on idle shim channels. This is also how
a device reaches external memory by shims that are not below its cores and memtiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from allo_air.arch.limits import MAX_PACKET_ID
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.device import Device
from allo_air.dialects._places import size_stride_pairs
from allo_air.dialects.declarations import declarations, device_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.names import Names
from allo_air.passes.partition._shim_streams import (
    Channel,
    idle_channels,
    move_channels,
    move_to_channels,
    shim_channels,
    shims_with_dma,
    streams_of,
    without_repetitions,
)

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp

_MOVABLE = (
    "aie.tile",
    "aie.lock",
    "aie.buffer",
    "aie.core",
    "aie.mem",
    "aie.memtile_dma",
    "aie.flow",
    "aie.cascade_flow",
    "aie.packet_flow",
    "aie.shim_dma_allocation",
    "aie.runtime_sequence",
)
"""Operations of a device that refer to tiles only by SSA values, so that they can be shifted."""
_BY_NAME = (
    "aiex.dma_configure_task_for",
    "aiex.dma_start_task",
    "aiex.dma_await_task",
    "aiex.dma_free_task",
    "aiex.npu.dma_memcpy_nd",
    "aiex.npu.dma_wait",
    "aie.dma_bd",
    "aie.next_bd",
    "aie.end",
)
"""Operations of a runtime sequence that refer to symbols of its device, but to no tile or register."""


class Block(NamedTuple):
    """The part of the array that a device uses: columns from its first core or memtile to its last, packet ids, and channels of
    shims. With `streams`, it only uses this number of channels in each direction, on any shim.
    """

    columns: int
    ids: int
    channels: frozenset[Channel]
    """The channels, with columns relative to the first. Those of shims `beyond` the columns can be on any other shim."""
    streams: int

    @property
    def beyond(self) -> list[Channel]:
        """The channels of shims that are not below the columns."""
        return sorted(c for c in self.channels if not 0 <= c.column < self.columns)


def block(device: DeviceOp) -> Block | None:
    """The block of `device`; None if the device cannot be shifted."""
    inside = declarations(device)
    if not all(_is_one(o, _MOVABLE) for o in inside) or not all(_is_by_name(o) for o in inside if _is_sequence(o)):
        return None
    ids = {f.ID for f in _flows(device)}
    if ids and not _is_stamped(device, ids):
        return None
    if not declarations(device, "aie.tile"):
        return None
    streams, channels = len(streams_of(device)), [] if streams_of(device) else shim_channels(device)
    first, last = _span(device)
    relative = frozenset(c._replace(column=c.column - first) for c in channels)
    return Block(0 if streams else last - first + 1, len(ids), relative, streams)


def can_be_adjacent(blocks: Iterable[tuple[Any, Block | None]]) -> bool:
    """Whether blocks fit on the array side by side; devices that only stream use idle channels of shims one after another."""
    results = list(blocks)
    kinds = {device_of(d) for d, _ in results}
    blocks_present = [block for _, block in results if block]
    fits = len(blocks_present) == len(results) and sum(b.ids for b in blocks_present) <= MAX_PACKET_ID + 1
    if len(kinds) != 1 or not fits:
        return False
    [device], streams = kinds, max((b.streams for b in blocks_present), default=0)
    counts = [len(shims_with_dma(device)) * count for count in device.tiles["shim_noc"].channels]
    used = [streams + sum(c.direction == d for b in blocks_present for c in b.channels) for d in (0, 1)]
    return all(n <= count for n, count in zip(used, counts, strict=True)) and _arranged(blocks_present, device) is not None


def _arranged(blocks: Sequence[Block], device: Device) -> list[tuple[int, dict[Channel, Channel]]] | None:
    """The first column of each block on `device`, side by side, and new channels for its shims beyond its columns; None if the
    blocks do not fit.

    The tasks of a shim beyond a block's columns move to idle channels of shims near the block that have no other tasks of the
    block: the channels of a shim share its descriptors.
    """
    firsts = [0, *accumulate(block.columns for block in blocks)]
    if firsts.pop() > device.columns:
        return None
    results = list[tuple[int, dict[Channel, Channel]]]()
    inside = [block.channels.difference(block.beyond) for block in blocks]
    own = [{c._replace(column=c.column + first) for c in ends} for ends, first in zip(inside, firsts, strict=True)]
    used = {channel for channels in own for channel in channels}
    shims, counts = shims_with_dma(device), device.tiles["shim_noc"].channels
    for block, first, channels in zip(blocks, firsts, own, strict=True):
        new, taken = dict[Channel, Channel](), {c.column for c in channels}
        for column, ends in groupby(block.beyond, key=lambda c: c.column):
            near = [c for _, c in sorted((abs(c - column - first), c) for c in shims if c not in taken)]
            for end in ends:
                idle = (Channel(c, end.direction, n) for c in near for n in range(counts[end.direction]))
                channel = next((c for c in idle if c not in used), None)
                if channel is None:
                    return None
                new[end._replace(column=end.column + first)] = channel
                used.add(channel)
            taken |= {c.column for c in new.values()}
        results.append((first, new))
    return results


def join(devices: list[DeviceOp], name: str) -> None:
    """Merges `devices`, placed side by side, into one, called `name`; those that only stream use idle channels one after
    another.
    """
    streaming = sorted((d for d in devices if streams_of(d)), key=lambda d: -len(streams_of(d)))
    first, *rest = [d for d in devices if d not in streaming] or [streaming.pop(0)]
    ids = set[int]()
    blocks = [block(device) for device in (first, *rest)]
    places = _arranged([b for b in blocks if b], device_of(first))
    assert places is not None
    for device, (column, channels) in zip((first, *rest), places, strict=True):
        _shift(device, column - _span(device)[0])
        move_channels(device, channels)
        _renumber(device, ids)
        ids |= {f.ID for f in _flows(device)}
    for device in rest:
        _append_device(device, first)
    idle = streams_of(first) or idle_channels(first)
    for device in streaming:
        move_to_channels(device, idle)
        _append_device(device, first)
    without_repetitions(first)
    first.operation.attributes["sym_name"] = ir.StringAttr.get(name)


def _append_device(device: DeviceOp, first: DeviceOp) -> None:
    """Appends the contents of `device` to those of `first`."""
    _rename(device, first)
    end = first.block.operations[-1].operation
    for op in [o.operation for o in device.block.operations]:
        op.move_after(end)
        end = op
    device.operation.erase()


def _is_sequence(op: AnyOp) -> bool:
    return bool(op.operation.name == "aie.runtime_sequence")


def _is_by_name(sequence: AnyOp) -> bool:
    """Whether a runtime sequence refers to no tile by its coordinates."""
    return all(_is_one(o, _BY_NAME) for o in walk_pre_order(sequence.operation) if o != sequence.operation)


def _is_one(op: AnyOp, names: tuple[str, ...]) -> bool:
    """Whether `op` is one of `names`, or does not depend on the array."""
    name = op.operation.name
    return name in names or name.split(".")[0] not in ("aie", "aiex", "air", "airrt")


def _span(device: AnyOp) -> tuple[int, int]:
    """The first and the last column of the cores and memtiles of `device`, or of its shims if it has only these."""
    tiles = declarations(device, "aie.tile")
    columns = [t.col for t in tiles if t.row] or [t.col for t in tiles]
    return min(columns), max(columns)


def _shift(device: AnyOp, columns: int) -> None:
    """Shifts the tiles of `device` to the east by `columns`."""
    for tile in walk_named(device.operation, "aie.tile") if columns else ():
        column = tile.attributes["col"]
        tile.attributes["col"] = ir.IntegerAttr.get(column.type, column.value + columns)


def _flows(device: AnyOp) -> list[Any]:
    return declarations(device, "aie.packet_flow")


def _header_writers(device: AnyOp) -> list[ir.Operation]:
    """The operations of `device` that set packet headers."""
    return [o for o in walk_pre_order(device.operation) if "packet" in o.attributes]


def _is_stamped(device: AnyOp, ids: set[int]) -> bool:
    """Whether all packets of `device` with these ids get their headers from attribute `packet`, and no receiver reads a
    header.
    """
    is_read = any(f.keep_pkt_header for f in _flows(device)) or walk_named(device.operation, "aie.dma_bd_packet")
    return not is_read and ids == {size_stride_pairs(o.attributes["packet"])[0][1] for o in _header_writers(device)}


def _renumber(device: AnyOp, used_ids: set[int]) -> None:
    """Gives the packets of `device` new ids if theirs are in `used_ids`."""
    flows = _flows(device)
    own = sorted({f.ID for f in flows})
    free = (n for n in range(MAX_PACKET_ID + 1) if n not in used_ids and n not in own)
    new = {n: next(free) for n in own if n in used_ids}
    for flow in flows:
        flow.ID = new.get(flow.ID, flow.ID)
    for op in _header_writers(device) if new else ():
        kind, number = size_stride_pairs(op.attributes["packet"])[0]
        op.attributes["packet"] = ir.Attribute.parse(
            f"#aie.packet_info<{kind} : i64, {new.get(number, number)} : i64>", device.operation.context
        )


def _rename(device: AnyOp, first: AnyOp) -> None:
    """Renames the symbols of `device` that `first` has, too; equal functions and constants are erased."""
    names_of_first = {sym_name_of(o): o for o in _named_operations(first)}
    names = Names(first.operation, device.operation)
    new: dict[str, str] = {}
    for op in _named_operations(device):
        name = sym_name_of(op)
        if name not in names_of_first:
            continue
        if op.name in ("func.func", "memref.global") and str(op) == str(names_of_first[name]):
            op.erase()
        else:
            new[name] = names.fresh(name)
            op.attributes["sym_name"] = ir.StringAttr.get(new[name])
    for op in walk_pre_order(device.operation) if new else ():
        for attribute in list(op.attributes):
            value = op.attributes[attribute]
            if isinstance(value, ir.FlatSymbolRefAttr) and value.value in new:
                op.attributes[attribute] = ir.FlatSymbolRefAttr.get(new[value.value])


def _named_operations(device: AnyOp) -> list[Any]:
    return [o.operation for o in declarations(device) if "sym_name" in o.operation.attributes]
