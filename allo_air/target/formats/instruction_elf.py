"""Instruction ELFs: a runtime sequence's words with relocations for XRT, as aiebu writes them (docs/sources.md#packaging)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.target.formats.binary import FormatError, Layout, aligned, to_bytes, to_words
from allo_air.target.npu_words import BLOCKWRITE, PATCH, starts_of

HEADER = Layout("ident:16s type:H machine:H version:I entry:I phoff:I shoff:I flags:I ehsize:H phentsize:H phnum:H"
                 " shentsize:H shnum:H shstrndx:H")  # fmt: skip
SEGMENT = Layout("type:I offset:I vaddr:I paddr:I filesz:I memsz:I flags:I align:I")
SECTION = Layout("name:I type:I flags:I addr:I offset:I size:I link:I info:I align:I entsize:I")
SYMBOL = Layout("name:I value:I size:I info:B other:B shndx:H")
RELOCATION = Layout("offset:I info:I addend:i")
_DYNAMIC = Layout("tag:I value:I")
NOTE = Layout("namesz:I descsz:I type:I name:4s")

_IDENT = b"\x7fELF\x01\x01\x01\x45\x02".ljust(16, b"\0")
_STRTAB, _PROGBITS, _RELA, _DYN, _NOTES, _DYNSYM = 3, 1, 4, 6, 7, 11
_ALLOC, _WRITE, _EXECUTE = 2, 1, 4
_BD_BYTES = 0x20
SHIM_DMA_48 = 5
BUFFER_SYMBOLS = 3
"""Number of the first buffer among the arguments of a kernel; symbols are named by these numbers."""


@dataclass(frozen=True)
class Relocation:
    """A BD whose address XRT completes: offset in the text, argument, bytes to add, bytes that the BD moves."""

    offset: int
    argument: int
    addend: int
    size: int


def relocated(words: Sequence[int]) -> tuple[list[int], list[Relocation]]:
    """The words with the addresses of patched BDs cleared, and their relocations; FormatError for a patch that belongs to no
    BD."""
    contents = list(words)
    blocks: dict[int, int] = {}  # by register address: word of the BD in the text
    results = []
    for start in starts_of(words):
        code = words[start] & 0xFF
        if code == BLOCKWRITE:
            address, size = words[start + 2], words[start + 3] - 16
            for first in range(0, size, _BD_BYTES):
                blocks[address + first] = start + 4 + first // 4
        elif code == PATCH:
            register, argument, plus = words[start + 6], words[start + 8], words[start + 10]
            if register & ~0xF not in blocks:
                raise FormatError(f"patches register {register:#x}, whose BD no block write before has; an ELF relocates BDs")
            bd = blocks[register & ~0xF]
            contents[bd + 1] &= 0x3
            contents[bd + 2] &= 0xFFFF0000
            results.append(Relocation(4 * bd, argument + BUFFER_SYMBOLS, plus, 4 * contents[bd]))
    return contents, results


class Strings:
    """A table of strings."""

    def __init__(self) -> None:
        self.data, self._places = b"\0", {"": 0}

    def add(self, text: str) -> int:
        if text not in self._places:
            self._places[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return self._places[text]


def instruction_elf(words: Sequence[int]) -> bytes:
    """The ELF of an instruction stream; the lower 32 bits of each word are used."""
    text_words, relocations = relocated([word & 0xFFFFFFFF for word in words])
    text = to_bytes(text_words)
    names, strings = Strings(), Strings()
    order = (".shstrtab", ".ctrltext", ".dynstr", ".dynsym", ".rela.dyn", ".dynamic", ".note.xrt.UID")
    named = {name: names.add(name) for name in order}
    numbers = {name: i for i, name in enumerate(("", *order))}
    symbols: dict[tuple[int, int], int] = {}
    table = SYMBOL.pack({})
    for relocation in relocations:
        key = relocation.argument, relocation.size
        if key not in symbols:
            symbols[key] = len(symbols) + 1
            table += SYMBOL.pack(
                {"name": strings.add(str(key[0])), "size": key[1], "info": 0x11, "shndx": numbers[".ctrltext"]}
            )
    rela = b"".join(
        RELOCATION.pack({"offset": r.offset, "info": symbols[r.argument, r.size] << 8 | SHIM_DMA_48, "addend": r.addend})
        for r in relocations
    )
    uid = hashlib.md5(text, usedforsecurity=False).hexdigest().encode()
    note = NOTE.pack({"namesz": 4, "descsz": len(uid), "type": 4, "name": b"XRT\0"}) + uid
    dynamic = _DYNAMIC.pack({"tag": 7, "value": numbers[".rela.dyn"]}) + _DYNAMIC.pack({"tag": 8, "value": len(rela)})

    body = b"\0" * (HEADER.size + 3 * SEGMENT.size)
    places: dict[str, tuple[int, int]] = {}

    def put(name: str, data: bytes, grain: int) -> None:
        nonlocal body
        body = body.ljust(aligned(len(body), grain), b"\0")
        places[name] = len(body), len(data)
        body += data

    for name, data, grain in (
        (".ctrltext", text, 16), (".dynamic", dynamic, 8), (".shstrtab", names.data, 1), (".dynstr", strings.data, 1),
        (".dynsym", table, 8), (".rela.dyn", rela, 8), (".note.xrt.UID", note, 1),
    ):  # fmt: skip
        put(name, data, grain)
    sections_at = len(body) + 16 - len(body) % 16
    kinds = {
        ".shstrtab": (_STRTAB, 0, 1, 0, 0, 0), ".ctrltext": (_PROGBITS, _ALLOC | _EXECUTE, 16, 0, 0, 0),
        ".dynstr": (_STRTAB, 0, 0, 0, 0, 0), ".dynsym": (_DYNSYM, _ALLOC, 8, SYMBOL.size, numbers[".dynstr"], 1),
        ".rela.dyn": (_RELA, _ALLOC, 8, RELOCATION.size, numbers[".dynsym"], 0),
        ".dynamic": (_DYN, _ALLOC, 8, _DYNAMIC.size, numbers[".dynstr"], 0), ".note.xrt.UID": (_NOTES, 0, 1, 0, 0, 0),
    }  # fmt: skip
    heads = SECTION.pack({})
    for name in order:
        kind, flags, grain, entry, link, info = kinds[name]
        offset, size = places[name]
        fields = {"name": named[name], "type": kind, "flags": flags, "offset": offset, "size": size, "link": link}
        heads += SECTION.pack(fields | {"info": info, "align": grain, "entsize": entry})
    phdr = SEGMENT.pack({"type": 6, "offset": HEADER.size, "filesz": 3 * SEGMENT.size, "memsz": 3 * SEGMENT.size, "flags": 4})
    segments = phdr + _loaded(1, places[".ctrltext"], 5, 16) + _loaded(2, places[".dynamic"], 6, 8)
    header = HEADER.pack({
        "ident": _IDENT, "type": 2, "machine": 1, "version": 1, "phoff": HEADER.size, "shoff": sections_at,
        "ehsize": HEADER.size, "phentsize": SEGMENT.size, "phnum": 3, "shentsize": SECTION.size, "shnum": len(order) + 1,
        "shstrndx": 1,
    })  # fmt: skip
    start = header + segments
    return (start + body[len(start) :]).ljust(sections_at, b"\0") + heads


def _loaded(kind: int, place: tuple[int, int], flags: int, grain: int) -> bytes:
    offset, size = place
    return SEGMENT.pack({"type": kind, "offset": offset, "filesz": size, "memsz": size, "flags": flags, "align": grain})


def is_instruction_elf(data: bytes) -> bool:
    """Whether `data` begins as an ELF of XRT's."""
    return data.startswith(_IDENT[:9])


@dataclass(frozen=True)
class InstructionElf:
    """The contents of an instruction ELF: its words, with cleared BD addresses, and its relocations (offset, symbol,
    addend)."""

    words: tuple[int, ...]
    relocations: tuple[tuple[int, str, int], ...]


def read_instruction_elf(data: bytes) -> InstructionElf:
    """Reads an instruction ELF; raises FormatError for other files and for files without text."""
    if not is_instruction_elf(data):
        raise FormatError("is not an instruction ELF: its header is not that of XRT's ELFs")
    sections = sections_of(data)
    if ".ctrltext" not in sections:
        raise FormatError(f"has no section .ctrltext; it has {', '.join(n for n in sections if n)}")
    symbols = sections.get(".dynsym", b"")
    relocations = []
    for offset in range(0, len(sections.get(".rela.dyn", b"")), RELOCATION.size):
        entry = RELOCATION.read(sections[".rela.dyn"], offset, "a relocation")
        symbol = SYMBOL.read(symbols, (entry["info"] >> 8) * SYMBOL.size, "a symbol")
        relocations.append((entry["offset"], text_at(sections[".dynstr"], symbol["name"]), entry["addend"]))
    return InstructionElf(tuple(to_words(sections[".ctrltext"])), tuple(relocations))


def sections_of(data: bytes) -> dict[str, bytes]:
    """The contents of an ELF's sections by name."""
    header = HEADER.read(data, 0, "the header")
    heads = [SECTION.read(data, header["shoff"] + i * SECTION.size, "a section's header") for i in range(header["shnum"])]
    strings = _bytes(data, heads[header["shstrndx"]])
    return {text_at(strings, head["name"]): _bytes(data, head) for head in heads}


def _bytes(data: bytes, head: dict[str, int]) -> bytes:
    return data[head["offset"] : head["offset"] + head["size"]]


def text_at(strings: bytes, offset: int) -> str:
    """The string that begins at `offset`."""
    return strings[offset : strings.index(b"\0", offset)].decode()
