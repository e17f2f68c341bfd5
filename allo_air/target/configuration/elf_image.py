"""Core ELFs as the register library loads them: their segments as writes to program and data memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate, Device
from allo_air.dialects.declarations import device_of
from allo_air.errors import counted
from allo_air.target.configuration.elf_checks import OWNERS, check_elf
from allo_air.target.configuration.memory import data_writes
from allo_air.target.npu_words import BlockWrite, MaskWrite
from allo_air.target.registers import PROGRAM_MEMORY

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_HEADER = Struct("<16sHHIIIIIHHHHHH")
_SEGMENT = Struct("<8I")
_PT_LOAD = 1
MACHINE = 264
"""The number of AIE cores in an ELF's header."""

_DATA = 0x40000
_WINDOW = 0x10000


@dataclass(frozen=True)
class Segment:
    """Bytes that are loaded at `address`; `size` in memory may be more than `data`, the rest is zeros."""

    address: int
    data: bytes
    size: int
    after: bytes = b""  # following bytes of the file, of which the loader may use up to 3


@dataclass(frozen=True)
class CoreElf:
    """The parts of a core's ELF that the loader uses."""

    segments: tuple[Segment, ...]

    @property
    def program_bytes(self) -> int:
        """The end of the program in program memory."""
        return max((s.address + s.size for s in self.segments if s.address < _DATA), default=0)


class ElfProblem(ValueError):
    """Raised for a file that cannot be loaded as a core's ELF, with the reason."""


def read_elf(content: bytes) -> CoreElf:
    """The loadable segments of a core's ELF; raises ElfProblem if it is for another machine or damaged."""
    if content[:4] != b"\x7fELF":
        raise ElfProblem("is not an ELF file")
    if content[4:6] != b"\x01\x01" or len(content) < _HEADER.size:
        raise ElfProblem(f"is an ELF of class {content[4]}, data encoding {content[5]}; cores take 32 bits, little endian")
    _, _, machine, _, _, _, _, _, _, _, count, *_ = _HEADER.unpack_from(content)
    if machine != MACHINE:
        raise ElfProblem(f"is for machine {machine}; AIE cores are machine {MACHINE}")
    end = _HEADER.size + count * _SEGMENT.size
    if end > len(content):
        raise ElfProblem(f"says that it has {counted(count, 'program header')}, and ends before the last")
    segments = []
    for header in range(_HEADER.size, end, _SEGMENT.size):
        kind, offset, _, address, in_file, size, _, _ = _SEGMENT.unpack_from(content, header)
        if kind != _PT_LOAD or not size:
            continue
        if offset + in_file > len(content):
            raise ElfProblem(f"has a segment at {offset} of {counted(in_file, 'byte')}, and ends before that")
        data = content[offset : offset + in_file]
        segments.append(Segment(address, data, size, content[offset + in_file : offset + in_file + 3]))
    return CoreElf(tuple(segments))


def load_elf(device_op: AnyOp, tile: Coordinate, core: object, path: Path) -> Iterator[BlockWrite | MaskWrite]:
    """The writes that load the ELF at `path`; DiagnosticError, at the core, if it cannot be loaded."""
    device = device_of(device_op)
    try:
        content = path.read_bytes()
        elf = read_elf(content)
    except OSError as error:
        raise error_at(core, f"of tile {tile}: elf_file '{path}' cannot be read: {error.strerror or error}") from None
    except ElfProblem as problem:
        raise error_at(core, f"of tile {tile}: elf_file '{path}' {problem}") from None
    check_elf(device_op, elf.segments, content, tile, core, path)
    for segment in elf.segments:
        try:
            yield from _segment(device, tile, segment)
        except ElfProblem as problem:
            raise error_at(core, f"of tile {tile}: elf_file '{path}' {problem}") from None


def _segment(device: Device, tile: Coordinate, segment: Segment) -> Iterator[BlockWrite | MaskWrite]:
    room = device.tiles["core"].program_memory
    if segment.address < room:
        if segment.address + segment.size > room:
            end = segment.address + segment.size
            raise ElfProblem(f"has a program of {counted(end, 'byte')}; a core has {counted(room, 'byte')} of program memory")
        padded = segment.data + (segment.after if segment.size == len(segment.data) else b"")
        padded = padded.ljust(segment.size + 3, b"\0")
        words = [int.from_bytes(padded[first : first + 4], "little") for first in range(0, segment.size, 4)]
        yield BlockWrite(device.address(*tile, PROGRAM_MEMORY + segment.address), tuple(words))
        return
    data, address = segment.data.ljust(segment.size, b"\0"), segment.address
    while data:
        dx, dy = OWNERS.get(address >> 16, (None, None))
        if dx is None or dy is None:
            raise ElfProblem(
                f"has a segment at {address:#x}; cores are loaded with a program below {room:#x} and data in 0x40000 to 0x7ffff"
            )
        owner = tile[0] + dx, tile[1] + dy
        if not device.holds(*owner) or device.kind(*owner) != "core":
            raise ElfProblem(f"has a segment at {address:#x}, the memory of tile {owner}, which is not a core of {device.name}")
        piece = data[: _WINDOW - address % _WINDOW]
        yield from data_writes(device, owner, address % _WINDOW, piece)
        data, address = data[len(piece) :], address + len(piece)
