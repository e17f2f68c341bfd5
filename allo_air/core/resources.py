"""The data of a resource in MLIR's bytecode, where it lies as it is in memory: text has two digits for each byte of it."""

from __future__ import annotations

_MAGIC = b"ML\xefR"
_RESOURCE = 5
"""The section of a file of bytecode that holds resources (mlir/docs/BytecodeFormat.md)."""
_ALIGNED = 0x80


def first_blob(code: bytes) -> memoryview | None:
    """The data of the first resource in `code`, the bytecode of a module; None where there is none."""
    assert code.startswith(_MAGIC)
    _, at = _number(code, len(_MAGIC))
    at = code.index(b"\0", at) + 1  # the producer's name
    while at < len(code):
        kind = code[at]
        length, at = _number(code, at + 1)
        if kind & _ALIGNED:
            alignment, at = _number(code, at)
            at += -at % alignment
        if kind & ~_ALIGNED == _RESOURCE:
            return _blob(code, at) if length else None
        at += length
    return None


def _blob(code: bytes, at: int) -> memoryview:
    alignment, at = _number(code, at)
    size, at = _number(code, at)
    at += -at % alignment
    return memoryview(code)[at : at + size]


def _number(code: bytes, at: int) -> tuple[int, int]:
    """An integer of up to nine bytes, as many as its first one has zeros at the end and one more, and where it ends."""
    first = code[at]
    if not first:
        return int.from_bytes(code[at + 1 : at + 9], "little"), at + 9
    count = (first & -first).bit_length()
    return int.from_bytes(code[at : at + count], "little") >> count, at + count
