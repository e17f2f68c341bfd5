"""Checks of a core's ELF against its design: missing symbols, data over the stack or buffers, a stack that is too small. The
loader only reads segments; sections are checked if the file has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from struct import Struct, error
from typing import Any, Protocol

from allo_air.core.diagnostics import emit, error_at, position
from allo_air.device import Coordinate
from allo_air.dialects.declarations import declarations, place_of
from allo_air.errors import Diagnostic, counted
from allo_air.target.configuration.memory import buffers_of

OWNERS = {4: (0, -1), 5: (-1, 0), 6: (0, 1), 7: (0, 0)}
"""Which tile's memory an address of data is in, by its bits 31 to 16: south, west, north, own."""

_SECTIONS = Struct("<I10xHHH")  # in the header: offset, size and number of the section headers, and the section of their names
_SECTION = Struct("<10I")
_SYMBOL = Struct("<IIIBBH")
_SYMTAB, _GLOBAL = 2, 1
_SHOWN = 5


class Loaded(Protocol):
    """A segment: its load address and its bytes in memory."""

    @property
    def address(self) -> int: ...
    @property
    def size(self) -> int: ...


def check_elf(device_op: object, segments: Iterable[Loaded], content: bytes, tile: Coordinate, core: Any, path: Path) -> None:
    """DiagnosticError, at the core, for an ELF that cannot run in its design."""
    where = f"of tile {tile}: elf_file '{path}'"
    try:
        undefined, frames = list(_undefined(content)), list(_frames(content))
    except (error, IndexError, ValueError):
        undefined, frames = [], []  # sections of a truncated file: the loaded segments are complete, as read_elf has checked
    if undefined:
        names = ", ".join(undefined[:_SHOWN]) + (", ..." if len(undefined) > _SHOWN else "")
        raise error_at(core, f"{where} does not define {names}; name the object files that do by link_with")
    room = core.stack_size
    if frames and max(frames) > room:
        most = max(frames)
        raise error_at(
            core, f"{where} has a function with {counted(most, 'byte')} of stack; the core has {room}, by stack_size"
        )
    if sum(frames) > room:
        text = (
            f"'aie.core' op {where} has functions with "
            f"{counted(sum(frames), 'byte')} of stack in all, and the core has {room}: where "
            "they call each other they write over buffers; raise stack_size"
        )
        emit(Diagnostic("warning", *position(core.operation.location), text))
    for segment in segments:
        if (result := _overlapped(device_op, segment, tile)) is not None:
            end = segment.address + segment.size
            raise error_at(core, f"{where} has data at {segment.address:#x} to {end:#x}, over {result}; link it by our script")


def _overlapped(device_op: Any, segment: Loaded, tile: Coordinate) -> str | None:
    """The stack or buffer of the design that a segment of data overlaps, or None."""
    stacks = {place_of(op, op.tile): op.stack_size for op in declarations(device_op, "aie.core")}
    for window, (dx, dy) in OWNERS.items():
        base, owner = window << 16, (tile[0] + dx, tile[1] + dy)
        spans = [("the stack", 0, stacks.get(owner, 0))]
        spans += [(f"buffer '{b.name}'", b.address, b.size) for b in buffers_of(device_op, owner)]
        for name, address, size in spans:
            if segment.address < base + address + size and base + address < segment.address + segment.size:
                return f"{name} of tile {owner} at {base + address:#x} to {base + address + size:#x}"
    return None


def _sections(content: bytes) -> list[tuple[int, ...]]:
    """The section headers; empty if the file has none."""
    start, size, count, _ = _SECTIONS.unpack_from(content, 32)
    return [_SECTION.unpack_from(content, start + size * n) for n in range(count)] if start and size else []


def _text(content: bytes, offset: int) -> str:
    return content[offset : content.index(0, offset)].decode("ascii", "replace")


def _undefined(content: bytes) -> Iterator[str]:
    """Symbols that have no definition and are not weak."""
    sections = _sections(content)
    for _, kind, _, _, start, size, link, _, _, _ in sections:
        if kind != _SYMTAB:
            continue
        names = sections[link][4]
        for offset in range(start, start + size, _SYMBOL.size):
            name, _, _, info, _, section = _SYMBOL.unpack_from(content, offset)
            if name and not section and info >> 4 == _GLOBAL:
                yield _text(content, names + name)


def _frames(content: bytes) -> Iterator[int]:
    """The stack bytes of each function, from .stack_sizes: entries of a 4-byte address and a LEB128 number."""
    sections = _sections(content)
    if not sections:
        return
    names = sections[_SECTIONS.unpack_from(content, 32)[3]][4]
    for name, _, _, _, start, size, *_ in sections:
        if _text(content, names + name) != ".stack_sizes":
            continue
        offset = start
        while offset < start + size:
            offset, value, shift = offset + 4, 0, 0
            while True:
                byte = content[offset]
                value, offset, shift = value | (byte & 0x7F) << shift, offset + 1, shift + 7
                if not byte & 0x80:
                    break
            yield value
