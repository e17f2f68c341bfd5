"""PDI files: CDOs merged into one partition after the boot image's headers (docs/sources.md#packaging)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from allo_air.errors import counted
from allo_air.target.configuration.parts import Operation
from allo_air.target.formats.binary import FormatError, aligned, checksum, to_bytes, to_words
from allo_air.target.formats.cdo import (
    DMA_WRITE,
    HEADER,
    MASK_WRITE,
    MASK_WRITE64,
    WRITE,
    WRITE64,
    Command,
    commands,
    nops,
    operation_of,
    with_header,
)

_BUS_WIDTH = bytes.fromhex("dd000000 44332211 88776655 ccbbaa99")
_TABLE_AT, _IMAGE_AT, _PARTITION_AT, _DATA_AT = 0x10, 0x90, 0xD0, 0x150

_TABLE: Mapping[int, int] = {
    0: 0x40000,  # version
    1: 1,  # images
    2: _IMAGE_AT // 4,
    3: 1,  # partitions
    4: _PARTITION_AT // 4,
    6: 0x14CA8093,  # id code
    10: 0x50504449,
    11: 0x00201020,
    12: 0x30,  # words of all headers
    17: 1,  # extended id code
}
_NAME = b"aie_image"
_IMAGE: Mapping[int, int] = {0: _PARTITION_AT // 4, 1: 1, 8: 0x1C000000} | {
    4 + i: word for i, word in enumerate(to_words(_NAME.ljust(16, b"\0")))
}
_PARTITION: Mapping[int, int] = {6: 0xFFFFFFFF, 7: 0xFFFFFFFF, 8: _DATA_AT // 4, 9: 0x02000006, 10: 1}
_LENGTHS = (0, 1, 2)
"""Words of the partition header that hold the partition's length, its length without padding, and its length again."""

_GRAIN = 4


def _header(words: Mapping[int, int], count: int) -> list[int]:
    """A header of `count` words, of which the last is the checksum of the others."""
    body = [words.get(i, 0) for i in range(count - 1)]
    return [*body, checksum(body)]


def _short_addresses(command: Command) -> Command:
    """The command as the boot image stores it: with 32-bit addresses if possible."""
    high, *rest = command.arguments or (1,)
    if command.id == WRITE64 and not high:
        return Command(WRITE, tuple(rest))
    if command.id == MASK_WRITE64 and not high:
        return Command(MASK_WRITE, tuple(rest))
    if command.id == DMA_WRITE and not high and len(rest) == 2:
        return Command(WRITE, tuple(rest))
    return command


def _rewritten(items: Iterable[Command], *, padded: bool) -> list[Command]:
    """The rewritten commands; if `padded`, the data of blocks has the same alignment modulo 16 bytes in the file as at its
    address."""
    out: list[Command] = []
    offset = HEADER
    for command in map(_short_addresses, items):
        words = command.words()
        if command.id == DMA_WRITE and padded:
            payload = offset + len(words) - len(command.arguments) + 2
            if (padding := nops(((command.arguments[1] >> 2) - payload) % _GRAIN)) is not None:
                out.append(padding)
                offset += len(padding.words())
        out.append(command)
        offset += len(words)
    return out


def merged(cdos: Sequence[bytes]) -> list[int]:
    """The words of one CDO with the commands of all. Like bootgen, each is rewritten twice, and the first one without padding
    the first time."""
    body: list[int] = []
    for number, cdo in enumerate(cdos):
        once = _rewritten(commands(to_words(cdo)), padded=number > 0)
        body += [word for command in _rewritten(once, padded=True) for word in command.words()]
    return with_header(body)


def pdi(cdos: Sequence[bytes]) -> bytes:
    """The PDI of CDO files, in the order in which they are loaded."""
    words = merged(cdos)
    length = aligned(len(words), _GRAIN)
    partition = dict(_PARTITION) | dict(zip(_LENGTHS, (length, len(words), length), strict=True))
    headers = [*_header(_TABLE, 32), *_header(_IMAGE, 16), *_header(partition, 32)]
    return _BUS_WIDTH + to_bytes(headers) + to_bytes(words).ljust(4 * length, b"\0")


@dataclass(frozen=True)
class Pdi:
    """The contents of a PDI: the words of its CDO."""

    words: tuple[int, ...]

    @property
    def operations(self) -> list[Operation]:
        """The register writes of loading it."""
        return [operation for command in commands(self.words) if (operation := operation_of(command)) is not None]


def is_pdi(data: bytes) -> bool:
    """Whether `data` begins as a PDI."""
    return data.startswith(_BUS_WIDTH)


def read_pdi(data: bytes) -> Pdi:
    """Reads a PDI; raises FormatError for other files, or if a header's checksum is wrong."""
    if not is_pdi(data):
        raise FormatError("is not a PDI: it does not begin with the bus width pattern")
    for what, offset, count in (("table", _TABLE_AT, 32), ("image", _IMAGE_AT, 16), ("partition", _PARTITION_AT, 32)):
        words = to_words(data[offset : offset + 4 * count])
        if len(words) < count or words[-1] != checksum(words[:-1]):
            raise FormatError(f"has a {what} header at byte {offset:#x} whose checksum is wrong")
    length, used = to_words(data[_PARTITION_AT : _PARTITION_AT + 8])
    start = 4 * to_words(data[_PARTITION_AT + 32 : _PARTITION_AT + 36])[0]
    if start + 4 * length > len(data):
        raise FormatError(
            f"says that its partition has "
            f"{counted(4 * length, 'byte')} from {start:#x} on; the file has {counted(len(data), 'byte')}"
        )
    return Pdi(tuple(to_words(data[start : start + 4 * used])))
