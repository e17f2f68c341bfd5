"""Assigns each DMA end a free channel of its tile."""

from __future__ import annotations

from typing import Any

from allo_air.arch.limits import NEIGHBOUR_CHANNELS
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.dialects._enums import BUNDLE
from allo_air.passes._analysis.objectfifos import Design, End, Place, place_of

_DMA = BUNDLE.cases["DMA"]
_S2MM, _MM2S = 0, 1
_PROGRAMS = ("aie.mem", "aie.memtile_dma", "aie.shim_dma")


def assign(design: Design) -> None:
    """Gives each end of a FIFO a DMA channel: pinned channels first, then the lowest free one, FIFO by FIFO, the producer
    before its consumers. DiagnosticError if no channel is free.

    Ends with objects in an adjacent memtile are assigned first, since not all channels reach it.
    """
    used_channels = _used_channels(design)
    fifos = [f for f in design.fifos.values() if f.producer is not None and f.consumers]
    ends = [end for f in fifos for end in (f.producer, *f.consumers) if end is not None]
    for end in ends:
        if end.port is not None:
            end.channel = end.port
        elif end.pin is not None:
            end.channel = _pinned(design, end, end.pin, used_channels)
    for end in sorted([e for e in ends if e.pin is None and e.port is None], key=lambda e: not _reaches_out(e)):
        end.channel = _next(design, end, used_channels)


def _pinned(design: Design, end: End, channel: int, used_channels: set[tuple[Place, int, int]]) -> int:
    """Reserves and returns the channel that `end` requests."""
    direction = _MM2S if end.produces else _S2MM
    name, attribute = ("input", "output")[direction], ("cons_dma_channels", "prod_dma_channel")[direction]
    channels = design.device.tile(*end.place).channels[direction]
    if not 0 <= channel < channels:
        raise error_at(
            end.op,
            f"`{attribute}` pins {name} DMA channel {channel} of tile {end.place}, which is out of range: it has {channels}",
        )
    if (end.place, direction, channel) in used_channels:
        raise error_at(
            end.op, f"`{attribute}` pins {name} DMA channel {channel} of tile {end.place}, which is already in use; pin another"
        )
    if _reaches_out(end) and channel >= NEIGHBOUR_CHANNELS:
        raise error_at(
            end.op,
            f"`{attribute}` pins {name} DMA channel {channel} of memtile {end.place}, and objects are in an "
            f"adjacent memtile, which only channels 0 to {NEIGHBOUR_CHANNELS - 1} reach; pin one of these",
        )
    used_channels.add((end.place, direction, channel))
    return channel


def _reaches_out(end: End) -> bool:
    return end.storage is not None and bool(end.storage.away)


def _next(design: Design, end: End, used_channels: set[tuple[Place, int, int]]) -> int:
    direction = _MM2S if end.produces else _S2MM
    channels = design.device.tile(*end.place).channels[direction]
    for channel in range(NEIGHBOUR_CHANNELS if _reaches_out(end) else channels):
        if (end.place, direction, channel) not in used_channels:
            used_channels.add((end.place, direction, channel))
            return channel
    users = [f"'@{f.name}'" for f in design.fifos.values() for e in (f.producer, *f.consumers) if _is_same_end(e, end)]
    name = ("input", "output")[direction]
    if end.storage is not None and end.storage.away:
        neighbours = ", ".join(sorted({str(place_of(tile)) for tile in end.storage.away.values()}))
        raise error_at(
            end.op,
            f"needs one more {name} DMA channel of memtile {end.place} from 0 to {NEIGHBOUR_CHANNELS - 1}, as these reach "
            f"the memory of memtile {neighbours}, where objects are that {end.place} has no room for;"
            " use fewer or smaller objects",
        )
    raise error_at(
        end.tile.owner,
        f"number of {name} DMA channel exceeded! Tile {end.place} has {channels}, for the objectFifos {', '.join(users)}",
    )


def _is_same_end(first: End | None, second: End) -> bool:
    return first is not None and first.place == second.place and first.produces == second.produces


def _used_channels(design: Design) -> set[tuple[Place, int, int]]:
    """Channels (tile, direction, number) of existing programs, flows and allocations."""
    used_channels: set[tuple[Any, int, int]] = set()
    for op in [o.operation for o in design.block.operations]:
        view = op.opview
        if op.name in _PROGRAMS:
            starts = [o.opview for o in walk_named(op, "aie.dma_start", "aie.dma")]
            used_channels |= {(place_of(view.tile), s.channel_dir, s.channel_index) for s in starts}
        elif op.name == "aie.flow":
            if view.source_bundle == _DMA:
                used_channels.add((place_of(view.source), _MM2S, view.source_channel))
            if view.dest_bundle == _DMA:
                used_channels.add((place_of(view.dest), _S2MM, view.dest_channel))
        elif op.name == "aie.packet_flow":
            for port in [o.opview for o in walk_named(op, "aie.packet_source", "aie.packet_dest")]:
                if port.bundle == _DMA:
                    direction = _MM2S if port.OPERATION_NAME == "aie.packet_source" else _S2MM
                    used_channels.add((place_of(port.tile), direction, port.channel))
        elif op.name == "aie.shim_dma_allocation":
            used_channels.add((place_of(view.tile), view.channel_dir, view.channel_index))
    return used_channels
