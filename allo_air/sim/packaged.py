"""Reads a design back from a package's register writes: tiles, locks, BDs, streams and starts.

The programs of the cores are those of the design, since ELFs of a package contain machine code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate, Device
from allo_air.sim.array import Design
from allo_air.sim.cascades import matching_links
from allo_air.sim.layout import Layout
from allo_air.sim.programs import Descriptor, Start
from allo_air.sim.switches import Switch, routes_through
from allo_air.target.bd_layout import WORDS
from allo_air.target.control_packets import controllers
from allo_air.target.formats.binary import FormatError
from allo_air.target.formats.packets import PacketWrite, with_tiles
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE, LOCK_BASE, LOCK_STRIDE, QUEUE_BASE
from allo_air.target.npu_words import BlockWrite, MaskWrite, Write
from allo_air.target.registers import (
    CASCADE,
    CORE_CONTROL,
    DEMUX_PORTS,
    ENABLE,
    MUX_PORTS,
    PACKET_ENABLE,
    PORT_ENABLE,
    SHIM_DEMUX,
    SHIM_MUX,
    SLAVES,
    SLOT_STRIDE,
    SLOTS,
    SLOTS_PER_PORT,
    SWITCH,
    port_name,
)

if TYPE_CHECKING:
    from allo_air.sim._engine import Array

_MUXED = {3: ("DMA", 0), 7: ("DMA", 1)}
_DEMUXED = {2: ("DMA", 0), 3: ("DMA", 1)}
_DROP = 1 << 7


@dataclass
class Image:
    """The registers and memories of an array after a load, and the tasks that it queued, in order."""

    device: Device
    registers: dict[tuple[Coordinate, int], int] = field(default_factory=dict)
    queued: list[tuple[Coordinate, int, int, int]] = field(default_factory=list)  # tile, direction, channel, word

    def load(self, operations: Iterable[Write | MaskWrite | BlockWrite]) -> Image:
        for operation in operations:
            match operation:
                case Write(address, value):
                    self._write(address, value, 0xFFFFFFFF)
                case MaskWrite(address, value, mask):
                    self._write(address, value, mask)
                case BlockWrite(address, data):
                    for index, value in enumerate(data):
                        self._write(address + 4 * index, value, 0xFFFFFFFF)
        return self

    def _write(self, address: int, value: int, mask: int) -> None:
        column, row, offset = self.device.split(address)
        if not self.device.holds(column, row):
            raise FormatError(f"writes register {offset:#x} of tile ({column}, {row}), which {self.device.name} does not have")
        tile = column, row
        kind = self.device.kind(column, row)
        for direction, base in enumerate(QUEUE_BASE.get(kind, ())):
            channel, rest = divmod(offset - base, 8)
            if not rest and 0 <= channel < self.device.tile(column, row).channels[direction]:
                self.queued.append((tile, direction, channel, value))
                return
        old = self.registers.get((tile, offset), 0)
        self.registers[tile, offset] = old & ~mask | value & mask

    def of(self, tile: Coordinate, offset: int) -> int:
        return self.registers.get((tile, offset), 0)

    @property
    def tiles(self) -> list[Coordinate]:
        return sorted({tile for tile, _ in self.registers})

    def put_into(self, engine: Array) -> None:
        """Sets the data memories and locks of an engine's tiles."""
        for (tile, offset), value in self.registers.items():
            kind = self.device.kind(*tile)
            if offset < self.device.tile(*tile).memory:
                engine.memory(*tile)[offset : offset + 4] = np.frombuffer(value.to_bytes(4, "little"), np.uint8)
                engine.mark_written(*tile, offset, 4)
            elif kind in LOCK_BASE:
                number, rest = divmod(offset - LOCK_BASE[kind], LOCK_STRIDE)
                if not rest and 0 <= number < self.device.tile(*tile).locks:
                    engine.set_lock(*tile, number, value & 0x3F)


def packaged(design: Design, operations: Iterable[Write | MaskWrite | BlockWrite | PacketWrite]) -> Design:
    """Returns `design` as `operations` configure it; raises DiagnosticError if they start other cores."""
    layout = design.layout
    image = Image(layout.device).load(with_tiles(operations, layout.device, controllers(layout.op)))
    started = {tile for tile in image.tiles if layout.device.kind(*tile) == "core" and image.of(tile, CORE_CONTROL) & ENABLE}
    if started != set(design.core_ops):
        text = f"has cores {sorted(design.core_ops)}, and the package starts {sorted(started)}: it is of another design"
        raise error_at(layout.op, text)
    return replace(
        design,
        descriptors=_descriptors(design, image),
        starts=[_read_start(design, *queued) for queued in image.queued],
        routes=routes_through(layout, *_switches(layout, image)),
        cascades=matching_links(_directions(image, started)),
        image=image,
    )


def _descriptors(design: Design, image: Image) -> list[Descriptor]:
    op_of_bd = {(d.tile, d.number): d.op for d in design.descriptors}
    descriptors = []
    for tile in image.tiles:
        kind = image.device.kind(*tile)
        for number in range(image.device.tile(*tile).bds):
            first = BD_BASE[kind] + BD_STRIDE * number
            if (tile, first) in image.registers:
                words = tuple(image.of(tile, first + 4 * i) & 0xFFFFFFFF for i in range(WORDS[kind]))
                descriptors.append(Descriptor(op_of_bd.get((tile, number), design.layout.op), tile, number, words))
    return descriptors


def _read_start(design: Design, tile: Coordinate, direction: int, channel: int, word: int) -> Start:
    ops = [s.op for s in design.starts if (s.tile, s.direction, s.channel) == (tile, direction, channel)]
    op = ops[0] if ops else design.layout.op
    return Start(op, tile, direction, channel, word & 0x3F, word >> 16 & 0xFF)


def _directions(image: Image, cores: Iterable[Coordinate]) -> dict[Coordinate, tuple[str, str]]:
    directions = {}
    for tile in cores:
        value = image.of(tile, CASCADE)
        directions[tile] = ("West" if value & 1 else "North", "East" if value & 2 else "South")
    return directions


def _switches(layout: Layout, image: Image) -> tuple[dict[Coordinate, Switch], Any, Any]:
    """The switches of an image, and which of their ports shims connect to DMAs."""
    switches: dict[Coordinate, Switch] = {}
    sources: dict[Coordinate, Any] = {}
    sinks: dict[Coordinate, Any] = {}
    for tile in image.tiles:
        kind = image.device.kind(*tile)
        switch = _switch(layout, image, tile, kind)
        if switch.circuits or switch.masters:
            switches[tile] = switch
        if kind == "shim_noc":
            mux, demux = image.of(tile, SHIM_MUX), image.of(tile, SHIM_DEMUX)
            sources[tile] = {("South", n): _MUXED[n] for n, (mask, value) in MUX_PORTS.items() if mux & mask == value}
            sinks[tile] = {("South", n): _DEMUXED[n] for n, (mask, value) in DEMUX_PORTS.items() if demux & mask == value}
    return switches, sources, sinks


def _switch(layout: Layout, image: Image, tile: Coordinate, kind: str) -> Switch:
    switch, base = Switch(), SWITCH[kind]
    ports = image.device.tile(*tile).ports
    for index in range(sum(ports.masters.values())):
        value = image.of(tile, base + 4 * index)
        if not value & PORT_ENABLE:
            continue
        master = port_name(kind, index, master=True)
        if value & PACKET_ENABLE:
            listened = [(value & 7, select) for select in range(4) if value >> 3 + select & 1]
            switch.masters.append((master, listened, not value & _DROP, layout.op))
        else:
            switch.circuits[port_name(kind, value & 0x7F, master=False)].append((master, layout.op))
    for index in range(sum(ports.slaves.values())):
        if not image.of(tile, base + SLAVES + 4 * index) & PACKET_ENABLE:
            continue
        slave = port_name(kind, index, master=False)
        for slot in range(SLOTS_PER_PORT):
            value = image.of(tile, base + SLOTS + SLOT_STRIDE * index + 4 * slot)
            if value & 0x100:
                switch.rules[slave].append((value >> 16 & 0x1F, value >> 24 & 0x1F, (value & 7, value >> 4 & 3)))
    return switch
