"""Collects the connections between the tiles of a device, and the DMA channels that each tile needs for them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from allo_air.device import Device
from allo_air.dialects._enums import BUNDLE
from allo_air.dialects.declarations import declarations, device_of
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoOp
    from allo_air.mlir import AnyOp

INTO, OUT = 0, 1


@dataclass(frozen=True, eq=False)
class Wire:
    """A connection from one tile to others: an objectFifo, a flow, packets. If it may use shared memory it needs no channel
    there.
    """

    source: Any
    dests: tuple[Any, ...]
    through_memory: bool = False
    name: str = ""
    """The attribute of an objectFifo, if it is one."""

    @property
    def ends(self) -> tuple[Any, ...]:
        return (self.source, *self.dests)


@dataclass
class Node:
    """A tile, logical or not: its connections, and by direction the channels that they need; those through memory are
    separate.
    """

    op: Any
    wires: list[Wire] = field(default_factory=list)
    channels: tuple[set[Hashable], set[Hashable]] = field(default_factory=lambda: (set(), set()))
    peers: tuple[list[Any], list[Any]] = field(default_factory=lambda: ([], []))
    """By direction, the tiles at the other ends of wires that may go through memory."""

    @property
    def demand(self) -> int:
        """The number of channels that the tile needs without shared memory."""
        return sum(map(len, (*self.channels, *self.peers)))


def nodes_of(device_op: AnyOp) -> dict[Any, Node]:
    """The tiles of a device by their values, with their connections."""
    tiles = declarations(device_op, "aie.tile", "aie.logical_tile")
    nodes = {op.tile: Node(op) for op in tiles}
    device = device_of(device_op)
    cores = {op.tile for op in tiles if _kind(device, op) == "core"}
    for fifo in declarations(device_op, "aie.objectfifo"):
        _fifo(nodes, fifo, cores)
    for flow in declarations(device_op, "aie.flow"):
        wire = Wire(flow.source, (flow.dest,))
        _join(
            nodes,
            wire,
            [(flow.source, flow.source_bundle, flow.source_channel)],
            [(flow.dest, flow.dest_bundle, flow.dest_channel)],
        )
    for flow in declarations(device_op, "aie.packet_flow"):
        ops = list(flow.ports.blocks[0].operations)
        sources, dests = (
            [(e.tile, e.bundle, e.channel) for e in ops if e.operation.name == name]
            for name in ("aie.packet_source", "aie.packet_dest")
        )
        for source in sources:
            _join(nodes, Wire(source[0], tuple(d[0] for d in dests)), [source], dests)
    return nodes


def _kind(device: Device, op: ir.OpView) -> str:
    if op.OPERATION_NAME == "aie.logical_tile":
        return ("core", "mem", "shim_noc", "shim_pl")[op.tile_type]
    return device.kind(op.col, op.row) if device.holds(op.col, op.row) else ""


def _fifo(items: dict[ir.Value, Node], fifo: ObjectFifoOp, cores: set[ir.Value]) -> None:
    dests = tuple(fifo.consumerTiles)
    source, name = fifo.producerTile, fifo.sym_name
    repeated = (fifo.repeat_count or fifo.memtile_repeat_count or 1) > 1
    moved = fifo.via_DMA or repeated or fifo.aie_stream is not None or fifo.consumerElemType is not None
    is_single = len(dests) == 1 and not moved and not _has_sizes(fifo.dimensionsToStream)
    through = is_single and {source, *dests} <= cores and source != dests[0]
    wire = Wire(source, dests, through, name)
    for value in dict.fromkeys(wire.ends):
        items[value].wires.append(wire)
    if through:
        items[source].peers[OUT].append(dests[0])
        items[dests[0]].peers[INTO].append(source)
        return
    if fifo.aie_stream not in (0, 2):  # 0: the producer is a core's stream port, which takes no DMA, 1: consumers, 2: both
        items[source].channels[OUT].add(("fifo", name))
    for number, dest in enumerate(dests if fifo.aie_stream not in (1, 2) else ()):
        items[dest].channels[INTO].add(("fifo", name, number))


def _has_sizes(dimensions: ir.Attribute | None) -> bool:
    return dimensions is not None and any(c.isdigit() for c in str(dimensions))


def _join(items: Mapping[ir.OpResult, Node], wire: Wire, sources: Iterable[Any], dests: Iterable[Any]) -> None:
    for value in dict.fromkeys(wire.ends):
        if value in items:
            items[value].wires.append(wire)
    for ends, direction in ((sources, OUT), (dests, INTO)):
        for tile, bundle, channel in ends:
            if tile in items and BUNDLE.keyword(bundle) == "DMA":
                items[tile].channels[direction].add(("DMA", channel))
