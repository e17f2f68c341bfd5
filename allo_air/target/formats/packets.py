"""Reads a file of control packets: the register writes for each tile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from allo_air.device import Coordinate, Device
from allo_air.target.control_packets import READ, WRITE
from allo_air.target.formats.binary import FormatError, to_words
from allo_air.target.npu_words import BlockWrite


@dataclass(frozen=True)
class PacketWrite:
    """A control packet that writes: the packet type and id of the stream, which identify the tile, the address there, the
    words.
    """

    type: int
    id: int
    address: int
    data: tuple[int, ...]

    def __str__(self) -> str:
        words = " ".join(f"{word:#010x}" for word in self.data)
        return f"packet type {self.type} id {self.id}: register {self.address:#x}: {words}"


def _has_odd_parity(word: int) -> bool:
    return word.bit_count() % 2 == 1


def _packets(words: list[int]) -> Iterator[PacketWrite]:
    first = 0
    while first < len(words):
        if (
            first + 2 > len(words)
            or not _has_odd_parity(words[first])
            or not _has_odd_parity(words[first + 1])
            or words[first] & 0x7FFF8F00
        ):
            raise FormatError(f"has no control packet at word {first}")
        stream, head = words[first], words[first + 1]
        operation, count = head >> 22 & 3, (head >> 20 & 3) + 1
        if operation == READ:
            first += 2
            continue
        data = tuple(words[first + 2 : first + 2 + count])
        if operation != WRITE or len(data) != count:
            raise FormatError(f"has no whole control packet at word {first}")
        yield PacketWrite(stream >> 12 & 7, stream & 0xFF, head & 0xFFFFF, data)
        first += 2 + count


def read_packets(data: bytes) -> list[PacketWrite]:
    """The writes of a file of control packets; FormatError for other files."""
    return list(_packets(to_words(data)))


def is_packets(data: bytes) -> bool:
    """Whether `data` consists of control packets, recognized by their parity bits, since they have no magic number."""
    try:
        return bool(data) and not len(data) % 4 and bool(read_packets(data))
    except FormatError:
        return False


def with_tiles(
    operations: Iterable[object], device: Device, all_controllers: Mapping[Coordinate, tuple[int, int]]
) -> Iterator[Any]:
    """`operations`, with each packet's write replaced by a write to the tile of the addressed controller.

    `all_controllers` gives each tile's packet type and id. FormatError for a packet that goes to no tile, or may go to several.
    """
    for operation in operations:
        if not isinstance(operation, PacketWrite):
            yield operation
            continue
        tiles = [tile for tile, item in all_controllers.items() if item == (operation.type, operation.id)]
        if len(tiles) != 1:
            which = f"tiles {', '.join(map(str, tiles))} have it" if tiles else "no tile of the design has it"
            raise FormatError(f"has packets of type {operation.type} and id {operation.id} for a controller_id, and {which}")
        yield BlockWrite(device.address(*tiles[0], operation.address), operation.data)
