"""Reads transactions: the instructions of a stream of version 0.1."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.errors import counted
from allo_air.target.formats.binary import FormatError
from allo_air.target.npu_words import (
    HEADER,
    BlockWrite,
    Instruction,
    LoadPdi,
    MaskWrite,
    Patch,
    Preempt,
    Sync,
    Write,
    starts_of,
)  # fmt: skip

_VERSION = 0x0100


def is_transaction(words: Sequence[int]) -> bool:
    """Whether words begin as a transaction of version 0.1 of their own length."""
    return len(words) >= HEADER and words[0] & 0xFFFF == _VERSION and words[3] == 4 * len(words)


def instructions_of(words: Sequence[int]) -> list[Instruction]:
    """The instructions of a transaction; raises FormatError for other files and for truncated ones."""
    if not is_transaction(words):
        raise FormatError("is not a transaction of version 0.1 whose header gives its length")
    starts = starts_of(words)
    if len(starts) != words[2]:
        raise FormatError(f"says that it has {counted(words[2], 'instruction')}; {len(starts)} can be read")
    return [_instruction(words, start) for start in starts]


def _instruction(words: Sequence[int], start: int) -> Instruction:
    w = words[start : start + 12]
    match w[0] & 0xFF:
        case 0x00:
            return Write(w[2], w[4])
        case 0x01:
            place = (w[1] & 0xFF, w[1] >> 8) if w[1] else None
            return BlockWrite(w[2], tuple(words[start + 4 : start + w[3] // 4]), place)
        case 0x03:
            return MaskWrite(w[2], w[4], w[5])
        case 0x06:
            return Preempt(w[0] >> 8)
        case 0x08:
            return LoadPdi(w[0] >> 16, w[1], w[2] | w[3] << 32)
        case 0x80:
            return Sync(w[2] >> 16 & 0xFF, w[2] >> 8 & 0xFF, w[2] & 0xFF, w[3] >> 24, w[3] >> 16 & 0xFF, w[3] >> 8 & 0xFF)
        case 0x81:
            return Patch(w[6], w[8], w[10])
    raise FormatError(f"has operation {w[0] & 0xFF:#x} at word {start}, which is not known")
