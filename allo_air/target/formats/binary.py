"""Words, checksums and layouts that the formats share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from struct import Struct, error
from typing import Any

from allo_air.errors import AlloAirError, counted

WORD = 4
MASK = 0xFFFFFFFF


class FormatError(AlloAirError):
    """The file is not in the reader's format; the message has the position and the reason."""


def to_bytes(words: Iterable[int]) -> bytes:
    """Little-endian words."""
    return b"".join((word & MASK).to_bytes(WORD, "little") for word in words)


def to_words(data: bytes) -> list[int]:
    """The little-endian words of `data`; FormatError if the length is not a multiple of 4 bytes."""
    if len(data) % WORD:
        raise FormatError(f"{counted(len(data), 'byte')}, which is not a multiple of {WORD}")
    return list(memoryview(data).cast("I")) if data else []


def checksum(words: Sequence[int]) -> int:
    """The checksum in headers of CDOs and PDIs: the complement of the sum of words."""
    return ~sum(words) & MASK


def aligned(size: int, grain: int) -> int:
    """`size` rounded up to a multiple of `grain`."""
    return -(-size // grain) * grain


class Layout:
    """A record: fields in order as `name:code` with struct's codes; `16x` are unnamed zero bytes."""

    def __init__(self, text: str):
        codes = []
        self.names = []
        for entry in text.split():
            name, _, code = entry.rpartition(":")
            codes.append(code)
            if name:
                self.names.append(name)
        self._struct = Struct("<" + "".join(codes))
        self.size = self._struct.size

    def pack(self, values: Mapping[str, object]) -> bytes:
        """The record with these values; missing fields are 0 or empty."""
        text = {name for name, code in self._coded() if code.endswith("s")}
        return self._struct.pack(*(values.get(name, b"" if name in text else 0) for name in self.names))

    def read(self, data: bytes, offset: int, what: str) -> dict[str, Any]:
        """The fields of the record at `offset`; raises FormatError if the file ends before."""
        try:
            return dict(zip(self.names, self._struct.unpack_from(data, offset), strict=True))
        except error:
            raise FormatError(
                f"{what} at byte {offset} has {counted(self.size, 'byte')}, but the file ends after {len(data)}"
            ) from None

    def _coded(self) -> list[tuple[str, str]]:
        codes = [c for c in _codes(self._struct.format) if not c.endswith("x")]
        return list(zip(self.names, codes, strict=True))


def _codes(form: str) -> list[str]:
    import re

    return re.findall(r"\d*[a-zA-Z]", form)
