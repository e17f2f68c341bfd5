"""The effects of a sequence's words on DMA channels, in order: queued tasks, and tokens that are waited for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.device import Coordinate
from allo_air.sim.naming import Names
from allo_air.target.bd_layout import LAYOUTS, WORDS
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE
from allo_air.target.npu_registers import Push, effects_of_write
from allo_air.target.npu_words import BLOCKWRITE, SYNC, WRITE

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

Channel = tuple[Coordinate, int, int]
"""Tile, direction, number."""


@dataclass(frozen=True)
class Queued:
    """A task that the instruction at word `start` starts; `words` is the number that it moves, None for an endless task."""

    channel: Channel
    words: int | None
    token: bool
    start: int
    op: Any


@dataclass(frozen=True)
class Wait:
    """A wait for a token of any of some channels, which is at word `start`."""

    direction: int
    number: int
    columns: range
    rows: range
    start: int
    op: Any

    def takes(self, channel: Channel) -> bool:
        """Whether a token of `channel` ends the wait."""
        (column, row), direction, number = channel
        return (direction, number) == (self.direction, self.number) and column in self.columns and row in self.rows


class Walker:
    """Executes a sequence once; has its `events`, and the BDs at its end."""

    def __init__(self, names: Names) -> None:
        self.names, self.device = names, names.design.layout.device
        self.bds = {(d.tile, d.number): list(d.words) for d in names.design.descriptors}
        self.events = list(self._events())

    def _events(self) -> Iterator[Queued | Wait]:
        """The tasks and waits of the sequence."""
        control = self.names.control
        for start, op in zip(control.starts, control.ops, strict=True):
            words = control.words
            code = int(words[start]) & 0xFF
            if code == SYNC:
                what, which = int(words[start + 2]), int(words[start + 3])
                first, row = what >> 16 & 255, what >> 8 & 255
                columns, rows = range(first, first + (which >> 16 & 255)), range(row, row + (which >> 8 & 255))
                yield Wait(what & 255, which >> 24, columns, rows, start, op)
            elif code in (WRITE, BLOCKWRITE):
                count = 1 if code == WRITE else (int(words[start + 3]) - 16) // 4
                data = [int(w) for w in words[start + 4 : start + 4 + count]]
                yield from self._write(int(words[start + 2]), data, start, op)

    def _write(self, address: int, data: list[int], start: int, op: AnyOp) -> Iterator[Queued]:
        column, row, first = self.device.split(address)
        if not self.device.holds(column, row) or (kind := self.device.kind(column, row)) not in BD_BASE:
            return
        for offset, value in zip(range(first, first + 4 * len(data), 4), data, strict=True):
            number, place = divmod(offset - BD_BASE[kind], BD_STRIDE)
            if 0 <= number < self.device.tile(column, row).bds and place // 4 < WORDS[kind]:
                self.bds.setdefault(((column, row), number), [0] * WORDS[kind])[place // 4] = value
        for effect in effects_of_write(self.device, address, data):
            if isinstance(effect, Push):
                tile, channel = (column, row), ((column, row), effect.channel[2], effect.channel[3])
                lengths, again = self.chain(tile, effect.bd)
                moved = None if again is not None else sum(lengths) * (effect.repeat + 1)
                yield Queued(channel, moved, effect.token, start, op)

    def chain(self, tile: Coordinate, bd: int) -> tuple[list[int], int | None]:
        """The lengths of the BDs from `bd` on, in words, and the number of the BD to which the last one leads back; None if
        the chain ends.
        """
        layout = LAYOUTS[self.device.kind(*tile)]
        seen: list[int] = []
        lengths: list[int] = []
        while (tile, bd) in self.bds:
            words = tuple(self.bds[tile, bd])
            seen.append(bd)
            lengths.append(layout["length"].of(words))
            if not layout["use_next"].of(words):
                return lengths, None
            bd = layout["next_bd"].of(words)
            if bd in seen:
                return lengths, seen.index(bd)
        return lengths, None
