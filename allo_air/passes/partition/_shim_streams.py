"""Devices that only stream data from shim to shim: other devices can carry their streams on idle shim channels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.dialects._aie_tiles import TileOp
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.declarations import declarations, device_of
from allo_air.mlir import AnyOp, ir

_PARTS = ("aie.tile", "aie.flow", "aie.shim_dma_allocation", "aie.runtime_sequence")
_S2MM, _MM2S = 0, 1


class Channel(NamedTuple):
    """A channel of a shim's DMA."""

    column: int
    direction: int
    number: int


Stream = tuple[Channel, Channel]
"""The channel that reads external memory, and the one that writes it."""


def streams_of(device: AnyOp) -> list[Stream]:
    """The streams of a device that consists of streams between the channels of one shim; empty for any other device.

    The channels of a shim share its descriptors. Tasks of one shim therefore also fit several shims.
    """
    tiles, flows = declarations(device, "aie.tile"), declarations(device, "aie.flow")
    if any(o.operation.name not in _PARTS for o in declarations(device)) or [t.row for t in tiles] != [0]:
        return []
    streams = [
        (read, write) for flow in flows for read, write in [_shim_channels_of(flow)] if read is not None and write is not None
    ]
    ends = [end for stream in streams for end in stream]
    is_whole = len(streams) == len(flows) and shim_channels(device) <= set(ends)
    return streams if is_whole and len(ends) == len(set(ends)) else []


def shim_channels(device: AnyOp) -> set[Channel]:
    """The channels of shims that a device uses."""
    used = {_allocated(o) for o in declarations(device, "aie.shim_dma_allocation")}
    ends = [end for flow in declarations(device, "aie.flow") for end in _shim_channels_of(flow)]
    return used | {end for end in ends if end is not None} | {end for _, end in _packet_ports(device)}


def _packet_ports(device: AnyOp) -> list[tuple[Any, Channel]]:
    """The ends of packet flows at channels of shims, with their channels."""
    named = (("aie.packet_source", _MM2S), ("aie.packet_dest", _S2MM))
    ports = [(o.opview, direction) for name, direction in named for o in walk_named(device.operation, name)]
    ends = [(port, _channel(port.tile, port.bundle, direction, port.channel)) for port, direction in ports]
    return [(port, end) for port, end in ends if end is not None]


def shims_with_dma(device: Device) -> list[int]:
    """The columns of `device` whose shims reach external memory."""
    return [c for c in range(device.columns) if device.kind(c, 0) == "shim_noc"]


def idle_channels(device: AnyOp) -> list[Stream]:
    """Pairs of the channels of all shims that `device` does not use, in one column as long as there are such."""
    used = shim_channels(device)
    columns, counts = shims_with_dma(device_of(device)), device_of(device).tiles["shim_noc"].channels
    channels = [Channel(c, direction, n) for c in columns for direction in (_MM2S, _S2MM) for n in range(counts[direction])]
    idle = [c for c in channels if c not in used]
    reads, writes = ([c for c in idle if c.direction == direction] for direction in (_MM2S, _S2MM))
    results = []
    for near in (True, False):
        for read in list(reads):
            write = next((w for w in writes if w.column == read.column or not near), None)
            if write is not None:
                results.append((read, write))
                reads.remove(read)
                writes.remove(write)
    return results


def move_to_channels(device: AnyOp, streams: Iterable[Stream]) -> None:
    """Puts the streams of `device` on the channels of `streams`."""
    ends = [end for stream in streams for end in stream]
    move_channels(device, dict(zip((end for stream in streams_of(device) for end in stream), ends, strict=False)))


def move_channels(device: AnyOp, new: Mapping[Channel, Channel]) -> None:
    """Puts what `device` does on channels of shims on the channels of `new`, and erases shims that no longer have a use."""
    old = [t for t in declarations(device, "aie.tile") if not t.row]
    tiles: dict[int, Any] = {}

    def tile(column: int) -> Any:
        if column not in tiles:
            with device.operation.location:
                tiles[column] = TileOp(col=column, row=0, ip=ir.InsertionPoint.at_block_begin(device.opview.block)).tile
        return tiles[column]

    for allocation in declarations(device, "aie.shim_dma_allocation"):
        if (channel := new.get(_allocated(allocation))) is not None:
            allocation.operation.operands[0] = tile(channel.column)
            allocation.channel_index = channel.number
    for flow in declarations(device, "aie.flow"):
        read, write = (None if end is None else new.get(end) for end in _shim_channels_of(flow))
        if read is not None:
            flow.operation.operands[0], flow.source_channel = tile(read.column), read.number
        if write is not None:
            flow.operation.operands[1], flow.dest_channel = tile(write.column), write.number
    for port, end in _packet_ports(device):
        if end in new:
            port.operation.operands[0], port.channel = tile(new[end].column), new[end].number
    for shim in old:
        if not list(shim.tile.uses):
            shim.operation.erase()


def without_repetitions(device: AnyOp) -> None:
    """Erases tiles and flows that `device` has twice."""
    firsts: dict[tuple[int, int], Any] = {}
    for tile in declarations(device, "aie.tile"):
        first = firsts.setdefault((tile.col, tile.row), tile)
        if first != tile:
            tile.tile.replace_all_uses_with(first.tile)
            tile.operation.erase()
    visited = set[Any]()
    for flow in declarations(device, "aie.flow"):
        ends = _shim_channels_of(flow)
        if None not in ends and ends in visited:
            flow.operation.erase()
        visited.add(ends)


def _shim_channels_of(flow: Any) -> tuple[Channel | None, Channel | None]:
    """The channels of shims at the ends of a flow."""
    source = _channel(flow.source, flow.source_bundle, _MM2S, flow.source_channel)
    return source, _channel(flow.dest, flow.dest_bundle, _S2MM, flow.dest_channel)


def _channel(tile: ir.Value, bundle: int, direction: int, number: int) -> Channel | None:
    place = tile.owner.opview
    return Channel(place.col, direction, number) if BUNDLE.keyword(bundle) == "DMA" and not place.row else None


def _allocated(allocation: Any) -> Channel:
    return Channel(allocation.tile.owner.opview.col, allocation.channel_dir, allocation.channel_index)
