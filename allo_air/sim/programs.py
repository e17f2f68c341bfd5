"""DMA programs of a device (`aie.mem`, `aie.memtile_dma`, `aie.shim_dma`): their BDs numbered and their channels' starts.

Both forms are read: chains of blocks that begin at `aie.dma_start`, and an `aie.dma` with one region for each BD.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from allo_air.arch import arch_of
from allo_air.arch.limits import MAX_REPEAT
from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects.declarations import place_of
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.sim.bds import words_of
from allo_air.sim.layout import Layout

PROGRAMS = ("aie.mem", "aie.memtile_dma", "aie.shim_dma")


@dataclass(frozen=True)
class Descriptor:
    """A BD as it is configured before the run."""

    op: Any
    tile: Coordinate
    number: int
    words: tuple[int, ...]


@dataclass(frozen=True)
class Start:
    """A task that the configuration queues: BD `bd`, `repeat` + 1 runs."""

    op: Any
    tile: Coordinate
    direction: int
    channel: int
    bd: int
    repeat: int
    pad_value: int = 0  # the word that BDs of the channel pad with


@dataclass
class _Step:
    """A BD with the lock operations of its block, and the step that follows."""

    op: Any
    uses: list[Any]
    packet: tuple[int, int] | None
    next: _Step | None = None
    number: int | None = None


@dataclass(frozen=True)
class _Channel:
    """The start of a channel, and the step that it begins with."""

    op: Any
    first: _Step


def programs_of(layout: Layout) -> tuple[list[Descriptor], list[Start]]:
    """All BDs and starts of a device's DMA programs; DiagnosticError where one cannot be configured."""
    descriptors: list[Descriptor] = []
    starts: list[Start] = []
    for op in layout.op.block.operations:
        if op.operation.name not in PROGRAMS:
            continue
        tile = place_of(op, op.tile)
        steps, channels = _read(op)
        _number(layout, tile, steps, channels)
        for step in steps:
            following = None if step.next is None else step.next.number
            words = words_of(layout, tile, step.op, step.uses, following, step.packet)
            descriptors.append(Descriptor(step.op, tile, step.number or 0, words))
        _check_ends(tile, channels)
        starts += [_channel_start(layout, tile, channel) for channel in channels]
    return descriptors, starts


def _check_ends(tile: Coordinate, channels: list[_Channel]) -> None:
    """Raises an error for a task after an endless one, which would never start."""
    endless: set[tuple[int, int]] = set()
    for channel in channels:
        key = (channel.op.channel_dir, channel.op.channel_index)
        if key in endless:
            name = f"{('S2MM', 'MM2S')[key[0]]} {key[1]}"
            raise error_at(channel.op, f"starts {name} of tile {tile} again, whose first task is a loop of BDs that never ends")
        if list(_chain(channel.first))[-1].next is not None:
            endless.add(key)


def _read(op: ir.OpView) -> tuple[list[_Step], list[_Channel]]:
    """The BDs of a program in the order of its text, and its channels."""
    blocks = list(op.body.blocks)
    steps = {i: step for i, block in enumerate(blocks) if (step := _bd_of_block(block)) is not None}
    for i, step in steps.items():
        last = blocks[i].operations[-1].operation
        if last.name == "aie.next_bd":
            step.next = _reached(step.op, last.successors[0], blocks, steps, ends=True)
    channels = []
    regions: list[_Step] = []
    for inner in [o for block in blocks for o in block.operations]:
        if inner.operation.name == "aie.dma_start":
            first = _reached(inner, inner.dest, blocks, steps)
            assert first is not None
            channels.append(_Channel(inner, first))
        elif inner.operation.name == "aie.dma":
            chain = [step for region in inner.bds for block in region.blocks if (step := _bd_of_block(block)) is not None]
            if not chain:
                raise error_at(inner, "has no BD; expected a region with an aie.dma_bd")
            for step, following in zip(chain, [*chain[1:], chain[0] if inner.loop else None], strict=True):
                step.next = following
            regions += chain
            channels.append(_Channel(inner, chain[0]))
    return [*steps.values(), *regions], channels


def _reached(op: AnyOp, block: ir.Block, blocks: list[ir.Block], steps: dict[int, _Step], ends: bool = False) -> _Step | None:
    """The BD in `block`, or the first one after it, since blocks may have none; None at an aie.end, if the chain may end
    (`ends`).
    """
    visited: set[int] = set()
    while (index := blocks.index(block)) not in steps:
        last = block.operations[-1].operation if len(block.operations) else None
        if ends and last is not None and last.name == "aie.end":
            return None
        if index in visited or last is None or last.name != "aie.next_bd":
            raise error_at(op, "leads to blocks without an aie.dma_bd; expected at least one")
        visited.add(index)
        block = last.successors[0]
    return steps[index]


def _bd_of_block(block: ir.Block) -> _Step | None:
    """The BD in `block` with the other operations of the block; None if it has no BD."""
    names = [(o.operation.name, o) for o in block.operations]
    bd = next((o for name, o in names if name == "aie.dma_bd"), None)
    if bd is None:
        return None
    uses = [o for name, o in names if name == "aie.use_lock"]
    packets = [(o.packet_type, o.packet_id) for name, o in names if name == "aie.dma_bd_packet"]
    return _Step(bd, uses, packets[0] if packets else None)


def _number(layout: Layout, tile: Coordinate, steps: list[_Step], channels: list[_Channel]) -> None:
    """Numbers each BD: its own number, or the lowest free one that its channels can use."""
    count = layout.device.tile(*tile).bds
    usable: dict[int, range] = {}  # by index of the step
    places = {id(step): i for i, step in enumerate(steps)}
    for channel in channels:
        allowed = usable_bds(layout, tile, channel.op.channel_index)
        for step in _chain(channel.first):
            index = places[id(step)]
            if usable.setdefault(index, allowed) != allowed:
                raise error_at(
                    step.op, f"is in the chains of an even and an odd channel of memtile {tile}, which have BDs of their own"
                )
    op_of_number: dict[int, Any] = {}
    for i, step in enumerate(steps):
        bd_id = step.op.bd_id
        if bd_id is None:
            continue
        if bd_id not in usable.get(i, range(count)):
            allowed = usable.get(i, range(count))
            raise error_at(step.op, f"has BD id {bd_id}; its channel of tile {tile} can use BDs {allowed[0]} to {allowed[-1]}")
        if bd_id in op_of_number:
            raise error_at(step.op, f"has BD id {bd_id} of tile {tile}, which another aie.dma_bd has as well")
        op_of_number[bd_id] = step.op
        step.number = bd_id
    for i, step in enumerate(steps):
        if step.number is None:
            allowed = usable.get(i, range(count))
            number = next((n for n in allowed if n not in op_of_number), None)
            if number is None:
                raise error_at(step.op, f"is one BD too many: its channel of tile {tile} can use {len(allowed)}")
            op_of_number[number] = step.op
            step.number = number


def usable_bds(layout: Layout, tile: Coordinate, channel: int) -> range:
    """The BDs that a channel can use: a memtile's even channels have the lower half, its odd ones the upper."""
    count = layout.device.tile(*tile).bds
    if layout.device.kind(*tile) != "mem":
        return range(count)
    return range(count // 2) if channel % 2 == 0 else range(count // 2, count)


def _chain(first: _Step) -> Iterator[_Step]:
    visited: set[int] = set()
    step: _Step | None = first
    while step is not None and id(step) not in visited:
        visited.add(id(step))
        yield step
        step = step.next


def _channel_start(layout: Layout, tile: Coordinate, channel: _Channel) -> Start:
    op = channel.op
    count = layout.device.tile(*tile).channels[op.channel_dir]
    if not 0 <= op.channel_index < count:
        name = ("S2MM", "MM2S")[op.channel_dir]
        raise error_at(op, f"starts {name} channel {op.channel_index} of tile {tile}, which has {count} of this direction")
    repeat = op.repeat_count or 0
    if not 0 <= repeat < MAX_REPEAT:
        raise error_at(op, f"repeats {counted(repeat, 'time')}; a start holds 0 to {MAX_REPEAT - 1}")
    return Start(
        op, tile, op.channel_dir, op.channel_index, channel.first.number or 0, repeat, _pad_value(layout, tile, channel)
    )


def _pad_value(layout: Layout, tile: Coordinate, channel: _Channel) -> int:
    """The padding value of a channel: its own, or, as until August 2026, that of its BDs, which share one register."""
    arguments = [(step.op, step.op.pad_value) for step in _chain(channel.first) if step.op.pad_value is not None]
    own = channel.op.pad_value
    values = dict.fromkeys([value for _, value in arguments] if own is None else [own, *(value for _, value in arguments)])
    if len(values) > 1:
        result = " and ".join(map(str, values))
        raise error_at(channel.op, f"pads with {result}; a channel has one padding value for all its BDs")
    value = next(iter(values), 0)
    if value and not arch_of(layout.device).pad_values:
        what = f"pads with {value}; the memtiles of {layout.device.name} pad with zeros, a value is an AIE2p register"
        raise error_at(arguments[0][0] if arguments else channel.op, what)
    return value & 0xFFFFFFFF
