"""Reads the data of a resource from MLIR's bytecode, which contains the bytes themselves; text has two digits for each byte."""

from __future__ import annotations

_MAGIC = b"ML\xefR"
_RESOURCE = 5
"""The section of a file of bytecode that holds resources (mlir/docs/BytecodeFormat.md)."""
_ALIGNED = 0x80


def first_blob(code: bytes) -> memoryview | None:
    """The data of the first resource in `code`, the bytecode of a module; None if there is none."""
    assert code.startswith(_MAGIC)
    _, offset = _number(code, len(_MAGIC))
    offset = code.index(b"\0", offset) + 1  # the producer's name
    while offset < len(code):
        kind = code[offset]
        length, offset = _number(code, offset + 1)
        if kind & _ALIGNED:
            alignment, offset = _number(code, offset)
            offset += -offset % alignment
        if kind & ~_ALIGNED == _RESOURCE:
            return _blob(code, offset) if length else None
        offset += length
    return None


def _blob(code: bytes, offset: int) -> memoryview:
    alignment, offset = _number(code, offset)
    size, offset = _number(code, offset)
    offset += -offset % alignment
    return memoryview(code)[offset : offset + size]


def _number(code: bytes, offset: int) -> tuple[int, int]:
    """Reads an integer of up to nine bytes; returns it and the offset after it.

    The number of zeros at the end of the first byte, plus one, is the number of bytes.
    """
    first = code[offset]
    if not first:
        return int.from_bytes(code[offset + 1 : offset + 9], "little"), offset + 9
    count = (first & -first).bit_length()
    return int.from_bytes(code[offset : offset + count], "little") >> count, offset + count
