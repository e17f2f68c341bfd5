"""The NPU controller's instruction stream: each operation as words, and a whole stream with its header.

Layouts are those of the transaction format 0.1, little-endian 32-bit words (docs/sources.md#npu-instructions).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.device import Device
from allo_air.errors import AlloAirError

WRITE, BLOCKWRITE, MASKWRITE, PREEMPT, LOADPDI, SYNC, PATCH = 0x00, 0x01, 0x03, 0x06, 0x08, 0x80, 0x81
CREATE_SCRATCHPAD, UPDATE_REGISTER = 0x0A, 0x0C
_GENERATION = {"AIE2": 3, "AIE2p": 4}
_NOOP = 0x05
_MASK = 0xFFFFFFFF


@dataclass(frozen=True)
class Write:
    """Writes `value` to one register."""

    address: int
    value: int

    def words(self) -> list[int]:
        return [WRITE, 0, self.address, 0, self.value & _MASK, 24]


@dataclass(frozen=True)
class MaskWrite:
    """Writes the bits of `value` that `mask` selects."""

    address: int
    value: int
    mask: int

    def words(self) -> list[int]:
        return [MASKWRITE, 0, self.address, 0, self.value & _MASK, self.mask & _MASK, 28]


@dataclass(frozen=True)
class BlockWrite:
    """Writes consecutive registers; `place` is (column, row) if the operation names one."""

    address: int
    data: tuple[int, ...]
    place: tuple[int, int] | None = None

    def words(self) -> list[int]:
        column, row = self.place or (0, 0)
        return [BLOCKWRITE, column | row << 8, self.address, 4 * (4 + len(self.data)), *(d & _MASK for d in self.data)]


@dataclass(frozen=True)
class Patch:
    """Adds the address of host argument `argument`, plus `offset` bytes, to the BD base at `address`."""

    address: int
    argument: int
    offset: int

    def words(self) -> list[int]:
        return [PATCH, 48, 0, 0, 0, 0, self.address, 0, self.argument, 0, self.offset & _MASK, 0]


@dataclass(frozen=True)
class Sync:
    """Waits for a completion token of each channel in a range of tiles; direction 0 is S2MM, 1 is MM2S."""

    column: int
    row: int
    direction: int
    channel: int
    columns: int = 1
    rows: int = 1

    def words(self) -> list[int]:
        channel = self.direction | self.row << 8 | self.column << 16
        return [SYNC, 16, channel, self.rows << 8 | self.columns << 16 | self.channel << 24]


@dataclass(frozen=True)
class LoadPdi:
    """Loads the device configuration `id` of `size` bytes at `address`."""

    id: int
    size: int
    address: int

    def words(self) -> list[int]:
        return [LOADPDI | self.id << 16, self.size, self.address & _MASK, self.address >> 32]


@dataclass(frozen=True)
class Preempt:
    """A point at which the stream may be preempted."""

    level: int

    def words(self) -> list[int]:
        return [PREEMPT | self.level << 8]


@dataclass(frozen=True)
class CreateScratchpad:
    """Creates a table of `size` bytes, written by the host for each run."""

    size: int
    usage: int = 0

    def words(self) -> list[int]:
        return [CREATE_SCRATCHPAD | self.usage << 8, self.size, 0, 0]


@dataclass(frozen=True)
class UpdateRegister:
    """Updates the 48-bit number at `address` by entry `index` of the scratchpad: times (0), plus (1) or minus (2)."""

    index: int
    function: int
    argument: int
    address: int

    def words(self) -> list[int]:
        return [UPDATE_REGISTER | self.index << 8 | self.function << 16, self.argument, self.address]


Instruction = Write | MaskWrite | BlockWrite | Patch | Sync | LoadPdi | Preempt | CreateScratchpad | UpdateRegister


_SIZES = {
    WRITE: 6,
    MASKWRITE: 7,
    PREEMPT: 1,
    _NOOP: 1,
    LOADPDI: 4,
    SYNC: 4,
    PATCH: 12,
    CREATE_SCRATCHPAD: 4,
    UPDATE_REGISTER: 3,
}
"""Words of an instruction by its code; a block write says how many bytes it has."""

HEADER = 4
"""Words before the first instruction."""


def starts_of(words: Sequence[int]) -> list[int]:
    """The word offsets of the instructions of a stream of version 0.1, as far as it is well-formed."""
    starts, start = [], HEADER
    while start < len(words):
        code = words[start] & 0xFF
        size = words[start + 3] // 4 if code == BLOCKWRITE and start + 3 < len(words) else _SIZES.get(code, 0)
        if size < 1 or start + size > len(words):
            break
        starts.append(start)
        start += size
    return starts


HIGH_ARGUMENT, HIGH_BASE = 5, 0x80000000
"""Arguments from this one on are patched with this many bytes more in the words for an xclbin (`--fold-ddr-addr-offset`)."""


def folded(instructions: Sequence[Instruction]) -> list[Instruction]:
    """Instructions for an xclbin, whose firmware takes this off the offset of the later arguments again."""
    return [
        Patch(i.address, i.argument, high(i.argument, i.offset)) if isinstance(i, Patch) and i.argument >= HIGH_ARGUMENT else i
        for i in instructions
    ]


def high(argument: int, offset: int) -> int:
    """The offset of a patch in the words for an xclbin; raises AlloAirError if it does not fit the word."""
    if offset < HIGH_BASE:
        return offset + HIGH_BASE
    raise AlloAirError(
        f"a transfer begins at byte {offset:,} of argument {argument}; in an xclbin, transfers of arguments from "
        f"{HIGH_ARGUMENT} on begin below byte {HIGH_BASE:,}: make it one of the first {HIGH_ARGUMENT} arguments, or split it"
    )


def fold(words: Sequence[int], sign: int = 1) -> list[int]:
    """Applies `folded` to the words of a stream; `sign` -1 reverses it."""
    results = list(words)
    for start in starts_of(words):
        if words[start] & 0xFF == PATCH and words[start + 8] >= HIGH_ARGUMENT:
            offset = words[start + 10]
            results[start + 10] = high(words[start + 8], offset) if sign > 0 else offset - HIGH_BASE * (offset >= HIGH_BASE)
    return results


def loads_of(words: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Splits a stream at its loads of configurations; returns the number of each, and the stream up to the next load."""
    results: list[tuple[int, list[int], int]] = []
    starts = starts_of(words)
    for start, end in zip(starts, [*starts[1:], len(words)], strict=True):
        if words[start] & 0xFF == LOADPDI:
            results.append((words[start] >> 16, [], 0))
        elif results:
            number, body, count = results[-1]
            results[-1] = number, [*body, *words[start:end]], count + 1
    return [(number, [*words[:2], count, 4 * (HEADER + len(body)), *body]) for number, body, count in results]


def stream(device: Device, instructions: Sequence[Instruction]) -> list[int]:
    """The whole instruction stream for `device`, header included, as 32-bit words."""
    body = [word for instruction in instructions for word in instruction.words()]
    header = [
        device.rows << 24 | _GENERATION[device.arch] << 16 | 1 << 8,
        len(device.mem_rows) << 8 | device.columns,
        len(instructions),
        4 * (4 + len(body)),
    ]
    return header + body
