"""Reads the stack frames of functions from an object file's section `.stack_sizes` (clang's -fstack-size-section)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

_RELA, _REL, _SYMBOLS = 4, 9, 2
"""Types of sections of an ELF file."""


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    offset: int
    size: int
    link: int
    info: int


class _Elf:
    """A little-endian ELF file of 32 or 64 bits."""

    def __init__(self, data: bytes) -> None:
        self.data, self.wide = data, data[4] == 2
        field_offset, form = (0x28, "<Q") if self.wide else (0x20, "<I")
        start = struct.unpack_from(form, data, field_offset)[0]
        size, count, names = struct.unpack_from("<HHH", data, 0x3A if self.wide else 0x2E)
        raw = [self._header(start + i * size) for i in range(count)]
        self.sections = [_Section(self.text(raw[names][2] + n), k, *rest) for n, k, *rest in raw]

    def _header(self, start: int) -> tuple[int, int, int, int, int, int]:
        if self.wide:
            name, kind, _, _, offset, size, link, info = struct.unpack_from("<IIQQQQII", self.data, start)
        else:
            name, kind, _, _, offset, size, link, info = struct.unpack_from("<IIIIIIII", self.data, start)
        return name, kind, offset, size, link, info

    def text(self, offset: int) -> str:
        """The zero-ended string at `offset`."""
        return self.data[offset : self.data.index(0, offset)].decode("utf-8", "replace")

    def symbols(self, number: int) -> list[tuple[str, int, int]]:
        """(name, section, value) of the symbols of section `number`."""
        table = self.sections[number]
        names, size = self.sections[table.link].offset, 24 if self.wide else 16
        symbols = []
        for offset in range(table.offset, table.offset + table.size, size):
            if self.wide:
                name, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", self.data, offset)
            else:
                name, value, _, _, _, section = struct.unpack_from("<IIIBBH", self.data, offset)
            symbols.append((self.text(names + name), section, value))
        return symbols

    def relocations(self, number: int) -> dict[int, tuple[int, int, int | None]]:
        """(symbol table, symbol, addend) by offset in section `number`; the addend is None if it is stored at that offset."""
        relocations: dict[int, tuple[int, int, int | None]] = {}
        for table in self.sections:
            if table.kind not in (_RELA, _REL) or table.info != number:
                continue
            form = ("<QQq" if self.wide else "<IIi") if table.kind == _RELA else ("<QQ" if self.wide else "<II")
            for offset in range(table.offset, table.offset + table.size, struct.calcsize(form)):
                position, info, *addend = struct.unpack_from(form, self.data, offset)
                relocations[position] = table.link, info >> (32 if self.wide else 8), addend[0] if addend else None
        return relocations


def stack_sizes(path: Path) -> dict[str, int]:
    """The size of each function's frame in bytes; empty if the file is not a little-endian ELF object or has none."""
    data = path.read_bytes()
    if data[:4] != b"\x7fELF" or data[5:6] != b"\x01":
        return {}
    try:
        return _sizes(_Elf(data))
    except (struct.error, IndexError, ValueError):  # a truncated file has no information
        return {}


def _sizes(elf: _Elf) -> dict[str, int]:
    sizes: dict[str, int] = {}
    tables = [n for n, s in enumerate(elf.sections) if s.kind == _SYMBOLS]
    named = {(section, value): name for n in tables for name, section, value in elf.symbols(n) if name and section}
    for number, section in enumerate(elf.sections):
        if section.name != ".stack_sizes":
            continue
        moved = elf.relocations(number)
        for place, address, size in _entries(elf, section):
            if place in moved:
                table, symbol, argument = moved[place]
                addend = address if argument is None else argument
                name, home, value = elf.symbols(table)[symbol]
                name = name if name and not addend else named.get((home, value + addend), name)
            else:
                name = next((n for (_, value), n in named.items() if value == address), "")
            if name:
                sizes[name] = size
    return sizes


def _entries(elf: _Elf, section: _Section) -> list[tuple[int, int, int]]:
    """(place in the section, address of the function, bytes of its frame)."""
    entries, offset, end = [], section.offset, section.offset + section.size
    while offset < end:
        place = offset - section.offset
        address = struct.unpack_from("<Q" if elf.wide else "<I", elf.data, offset)[0]
        offset += 8 if elf.wide else 4
        size = shift = 0
        while True:
            byte = elf.data[offset]
            offset, size, shift = offset + 1, size | (byte & 0x7F) << shift, shift + 7
            if byte < 0x80:
                break
        entries.append((place, address, size))
    return entries
