"""Full ELFs: configurations and the instructions that load them in one file, for npu2 (docs/sources.md#packaging).

The format follows XRT's reader. It was not compared with a file of aiebu or tested on an NPU: see docs/packaging.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from allo_air.target.formats.binary import FormatError, aligned, to_bytes, to_words
from allo_air.target.formats.instruction_elf import (
    BUFFER_SYMBOLS,
    HEADER,
    NOTE,
    RELOCATION,
    SECTION,
    SEGMENT,
    SHIM_DMA_48,
    SYMBOL,
    Strings,
    is_instruction_elf,
    relocated,
    sections_of,
    text_at,
)
from allo_air.target.npu_words import LOADPDI, starts_of

_IDENT = b"\x7fELF\x01\x01\x01\x45\x10".ljust(16, b"\0")
_PROGBITS, _SYMTAB, _STRTAB, _RELA, _NOTES, _DYNSYM, _GROUP = 1, 2, 3, 4, 7, 11, 17
_ALLOC, _WRITE, _EXECUTE = 2, 1, 4
_WEAK_FUNCTION, _WEAK_OBJECT, _GLOBAL_OBJECT = 0x22, 0x21, 0x11
_ADDRESS_64 = 8
_UID, _CONFIGURATION = 4, 6
_CONFIGURATION_NOTE = ".note.xrt.configuration"
_LOAD = 1

UNCHECKED = (
    "full ELF: sections, symbols and relocations are as XRT's sources read them; no file of aiebu's was compared, and "
    "none was loaded on an NPU"
)


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    data: bytes
    flags: int = 0
    grain: int = 1
    entry: int = 0
    link: str = ""
    info: int = 0


def full_elf(words: Sequence[int], pdis: Sequence[bytes], columns: int, kernel: str, instance: str, buffers: int) -> bytes:
    """The ELF of one kernel with one instance: its instructions load `pdis`, of which the first has number 1.

    Raises FormatError for instructions that load nothing, or a configuration that is not among `pdis`.
    """
    text, patches = relocated(words)
    loads = [start for start in starts_of(words) if words[start] & 0xFF == LOADPDI]
    if not loads:
        raise FormatError("loads no configuration: a full ELF configures the array by its instructions")
    for load in loads:
        if not 1 <= words[load] >> 16 <= len(pdis):
            raise FormatError(f"loads configuration {words[load] >> 16}; there are 1 to {len(pdis)}")
    order = [".shstrtab", ".ctrltext.0", *(f".pdi.{n}" for n in range(1, len(pdis) + 1)), ".strtab", ".symtab", ".dynstr"]
    order += [".dynsym", ".rela.dyn", ".group.0", _CONFIGURATION_NOTE, ".note.xrt.UID"]
    section_numbers = {name: i for i, name in enumerate(order, 1)}
    dynamic, strings, table = Strings(), Strings(), SYMBOL.pack({})
    numbers: dict[tuple[str, int], int] = {}

    def symbol(name: str, size: int) -> int:
        nonlocal table
        if (name, size) not in numbers:
            numbers[name, size] = len(numbers) + 1
            entry = {"name": dynamic.add(name), "size": size, "info": _GLOBAL_OBJECT, "shndx": section_numbers[".ctrltext.0"]}
            table += SYMBOL.pack(entry)
        return numbers[name, size]

    rela = b""
    for patch in patches:
        info = symbol(str(patch.argument - BUFFER_SYMBOLS), patch.size) << 8 | SHIM_DMA_48
        rela += RELOCATION.pack({"offset": patch.offset, "info": info, "addend": patch.addend})
    for load in loads:
        which = words[load] >> 16
        info = symbol(f".pdi.{which}", len(pdis[which - 1])) << 8 | _ADDRESS_64
        rela += RELOCATION.pack({"offset": 4 * (load + 2), "info": info, "addend": 0})
    named = f"_Z{len(kernel)}{kernel}" + "Pc" * buffers
    symbols = SYMBOL.pack({}) + SYMBOL.pack({"name": strings.add(named), "info": _WEAK_FUNCTION})
    symbols += SYMBOL.pack({"name": strings.add(instance), "info": _WEAK_OBJECT, "shndx": 1})
    code = to_bytes(text)
    members = [section_numbers[name] for name in order if name.startswith((".ctrltext", ".pdi"))]
    uid = hashlib.md5(code + b"".join(pdis), usedforsecurity=False).digest()
    names = Strings()
    for name in order:
        names.add(name)
    return _file([
        _Section(".shstrtab", _STRTAB, names.data),
        _Section(".ctrltext.0", _PROGBITS, code, _ALLOC | _EXECUTE, 16),
        *(_Section(f".pdi.{n}", _PROGBITS, image, _ALLOC | _WRITE, 16) for n, image in enumerate(pdis, 1)),
        _Section(".strtab", _STRTAB, strings.data),
        _Section(".symtab", _SYMTAB, symbols, 0, 8, SYMBOL.size, ".strtab", 1),
        _Section(".dynstr", _STRTAB, dynamic.data),
        _Section(".dynsym", _DYNSYM, table, _ALLOC, 8, SYMBOL.size, ".dynstr", 1),
        _Section(".rela.dyn", _RELA, rela, _ALLOC, 8, RELOCATION.size, ".dynsym"),
        _Section(".group.0", _GROUP, to_bytes([1, *members]), 0, 4, 4, ".symtab", 2),
        _Section(_CONFIGURATION_NOTE, _NOTES, _note_section(_CONFIGURATION, to_bytes([columns]))),
        _Section(".note.xrt.UID", _NOTES, _note_section(_UID, uid)),
    ], names)  # fmt: skip


def _note_section(kind: int, data: bytes) -> bytes:
    return NOTE.pack({"namesz": 4, "descsz": len(data), "type": kind, "name": b"XRT\0"}) + data


def _file(sections: Sequence[_Section], names: Strings) -> bytes:
    """Header, a segment for each section that is loaded, the sections, their headers."""
    loaded = [s for s in sections if s.name.startswith((".ctrltext", ".pdi"))]
    body = b"\0" * (HEADER.size + SEGMENT.size * len(loaded))
    numbers = {section.name: i for i, section in enumerate(sections, 1)}
    heads, segments = SECTION.pack({}), b""
    for section in sections:
        body = body.ljust(aligned(len(body), section.grain), b"\0")
        head = {"name": names.add(section.name), "type": section.kind, "flags": section.flags, "offset": len(body)}
        head |= {"size": len(section.data), "link": numbers.get(section.link, 0), "info": section.info}
        heads += SECTION.pack(head | {"align": section.grain, "entsize": section.entry})
        if section in loaded:
            size, flags = len(section.data), 5 if section.flags & _EXECUTE else 6
            place = {"type": _LOAD, "offset": len(body), "filesz": size, "memsz": size, "flags": flags, "align": section.grain}
            segments += SEGMENT.pack(place)
        body += section.data
    body = body.ljust(aligned(len(body), 16), b"\0")
    header = HEADER.pack({
        "ident": _IDENT, "type": 2, "machine": 1, "version": 1, "phoff": HEADER.size, "shoff": len(body),
        "ehsize": HEADER.size, "phentsize": SEGMENT.size, "phnum": len(loaded), "shentsize": SECTION.size,
        "shnum": len(sections) + 1, "shstrndx": 1,
    })  # fmt: skip
    start = header + segments
    return start + body[len(start) :] + heads


@dataclass(frozen=True)
class FullElf:
    """The contents of a full ELF: instructions, configurations by number, kernel and instance, relocations, columns."""

    words: tuple[int, ...]
    pdis: Mapping[int, bytes]
    kernel: str
    instance: str
    relocations: tuple[tuple[int, str, int, int], ...]
    columns: int


def is_full_elf(data: bytes) -> bool:
    """Whether `data` is an ELF of XRT's that configures the array."""
    return data[:8] == _IDENT[:8] and _CONFIGURATION_NOTE.encode() in data


def read_full_elf(data: bytes) -> FullElf:
    """Reads a full ELF of one kernel; raises FormatError for other or incomplete files."""
    if not (is_full_elf(data) or is_instruction_elf(data)):
        raise FormatError("is not a full ELF: it has no section .note.xrt.configuration")
    sections = sections_of(data)
    for name in (".ctrltext.0", ".symtab", ".strtab", ".dynsym", ".dynstr", ".rela.dyn", _CONFIGURATION_NOTE):
        if name not in sections:
            raise FormatError(f"has no section {name}; it has {', '.join(n for n in sections if n)}")
    pdis = {int(name.rpartition(".")[2]): content for name, content in sections.items() if name.startswith(".pdi.")}
    kernel, instance = (
        text_at(sections[".strtab"], SYMBOL.read(sections[".symtab"], n * SYMBOL.size, "a symbol")["name"]) for n in (1, 2)
    )
    relocations = []
    for offset in range(0, len(sections[".rela.dyn"]), RELOCATION.size):
        entry = RELOCATION.read(sections[".rela.dyn"], offset, "a relocation")
        symbol = SYMBOL.read(sections[".dynsym"], (entry["info"] >> 8) * SYMBOL.size, "a symbol")
        name = text_at(sections[".dynstr"], symbol["name"])
        relocations.append((entry["offset"], name, entry["info"] & 0xFF, entry["addend"]))
    columns = int.from_bytes(sections[_CONFIGURATION_NOTE][NOTE.size :][:4], "little")
    words = tuple(to_words(sections[".ctrltext.0"]))
    return FullElf(words, pdis, kernel, instance, tuple(relocations), columns)
