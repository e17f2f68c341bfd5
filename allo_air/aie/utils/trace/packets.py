"""Decodes trace buffers as the public format says: packets by source, their bytes, commands, and the cycles of each slot.

Written from the format alone (docs/sources.md#hardware-flow, which is that of mlir-aie's parser), not from the encoder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from allo_air.errors import AlloAirError

Key = tuple[int, int, int, int]
"""Packet type, id, column, row."""


@dataclass
class Traced:
    """The record of one unit: its timer at the start, and the cycles (after the start) at which each slot was active."""

    timer: int = 0
    cycles: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    commands: list[str] = field(default_factory=list)

    def runs(self, slot: int) -> list[tuple[int, int]]:
        """The first and the last cycle of each interval in which the slot was active."""
        runs: list[tuple[int, int]] = []
        for cycle in self.cycles.get(slot, []):
            if runs and runs[-1][1] == cycle - 1:
                runs[-1] = (runs[-1][0], cycle)
            else:
                runs.append((cycle, cycle))
        return runs


def packets(words: object) -> dict[Key, list[int]]:
    """The data words of each source."""
    results: dict[Key, list[int]] = defaultdict(list)
    stream = [int(w) & 0xFFFFFFFF for w in np.asarray(words).view(np.uint32)]
    for i in range(0, len(stream) - 7, 8):
        header, *data = stream[i : i + 8]
        if header == 0:
            break
        if bin(header).count("1") % 2 == 0:
            raise AlloAirError(f"the trace's word {i}, {header:#x}, is not a header of a packet: its parity is even")
        key = (header >> 12 & 3, header & 31, header >> 21 & 0x7F, header >> 16 & 31)
        results[key] += data
    return results


def decode(words: object) -> dict[Key, Traced]:
    """The record of each unit."""
    return {key: _decode(data) for key, data in packets(words).items()}


def _decode(data: list[int]) -> Traced:
    stream = iter([word >> shift & 0xFF for word in data for shift in (24, 16, 8, 0)])
    traced = Traced()
    with suppress(StopIteration):  # the rest of the last command may be in a packet that was not written
        _commands(stream, traced)
    return traced


def _commands(stream: Iterator[int], traced: Traced) -> None:
    now, mask, idle = 0, 0, 0
    for byte in stream:
        if byte == 0xFE:
            continue
        if byte == 0xFF:
            now += 0x3FFFF
            traced.commands.append("sync")
            continue
        if byte & 0xFB == 0xF0:
            traced.timer = _take(stream, 7)
            now = 0
            traced.commands.append("start")
            continue
        if byte >> 4 == 0xE or byte >> 2 == 0x36:
            times = byte & 15 if byte >> 4 == 0xE else (byte & 3) << 8 | _take(stream, 1)
            traced.commands.append("repeat0" if byte >> 4 == 0xE else "repeat1")
        else:
            name, mask, idle = _command(byte, stream)
            traced.commands.append(name)
            times = 1
        for _ in range(times):
            now += 1 + idle
            for slot in range(8):
                if mask >> slot & 1:
                    traced.cycles[slot].append(now)


def _command(byte: int, stream: Iterator[int]) -> tuple[str, int, int]:
    """A command: its name, its slots, and the idle cycles before it."""
    if byte >> 7 == 0:
        return "single0", 1 << (byte >> 4), byte & 15
    if byte >> 5 == 0b100:
        return "single1", 1 << (byte >> 2 & 7), (byte & 3) << 8 | _take(stream, 1)
    if byte >> 5 == 0b101:
        return "single2", 1 << (byte >> 2 & 7), (byte & 3) << 16 | _take(stream, 2)
    if byte >> 4 == 0b1100:
        rest = _take(stream, 1)
        return "multiple0", (byte & 15) << 4 | rest >> 4, rest & 15
    if byte >> 2 == 0b110100:
        rest = _take(stream, 2)
        return "multiple1", (byte & 3) << 6 | rest >> 10, rest & 0x3FF
    if byte >> 2 == 0b110101:
        rest = _take(stream, 3)
        return "multiple2", (byte & 3) << 6 | rest >> 18, rest & 0x3FFFF
    raise AlloAirError(f"no command of a trace begins with {byte:#04x}")


def _take(stream: Iterator[int], count: int) -> int:
    value = 0
    for _ in range(count):
        value = value << 8 | next(stream)
    return value
