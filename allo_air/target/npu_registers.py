"""Decodes register writes to DMA queues and descriptors, from any instruction (sources.md#device)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.device import Device
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE, QUEUE_BASE
from allo_air.target.npu_words import BlockWrite, Instruction, MaskWrite, Patch, Write

_TOKEN = 1 << 31


@dataclass(frozen=True)
class Push:
    """A task was queued on a channel (column, row, direction, number), from BD `bd` on, with `repeat` repetitions."""

    channel: tuple[int, int, int, int]
    bd: int
    repeat: int
    token: bool


@dataclass(frozen=True)
class Rewrite:
    """A BD of a tile was written, wholly or in part."""

    column: int
    row: int
    bd: int


def effects(instruction: Instruction, device: Device) -> list[Push | Rewrite]:
    """The effects of an instruction on DMA channels and descriptors."""
    match instruction:
        case Write(address, value):
            return effects_of_write(device, address, (value,))
        case MaskWrite(address, value, mask):
            return effects_of_write(device, address, (value & mask,))
        case BlockWrite(address, data):
            return effects_of_write(device, address, data)
        case Patch(address):
            return effects_of_write(device, address, (0,))
    return []


def effects_of_write(device: Device, address: int, data: Sequence[int]) -> list[Push | Rewrite]:
    """The effects of words written to the registers from `address` on."""
    column, row, first = device.split(address)
    if not device.holds(column, row) or device.kind(column, row) not in BD_BASE:
        return []
    kind, tile = device.kind(column, row), device.tile(column, row)
    results: dict[Push | Rewrite, None] = {}
    for offset, value in zip(range(first, first + 4 * len(data), 4), data, strict=True):
        bd = (offset - BD_BASE[kind]) // BD_STRIDE
        if 0 <= bd < tile.bds:
            results[Rewrite(column, row, bd)] = None
        for direction, base in enumerate(QUEUE_BASE[kind]):
            number, rest = divmod(offset - base, 8)
            if rest == 0 and 0 <= number < tile.channels[direction]:
                bds = 0x3F if kind == "mem" else 0xF
                results[Push((column, row, direction, number), value & bds, value >> 16 & 0xFF, bool(value & _TOKEN))] = None
    return list(results)
