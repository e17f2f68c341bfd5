"""Converts `aiex.control_packet` operations to the words of a stream, with the header of the destination tile.

Layouts (npu-instructions.md 3.5): the stream header is type[14:12] id[4:0], the packet's own is response id[28:24]
operation[23:22] words-1[21:20] address[19:0]; both have odd parity in bit 31.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate, Device
from allo_air.dialects._places import controller_id
from allo_air.errors import counted

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

MAX_WORDS = 4
"""Words that one control packet writes or reads."""

WRITE, READ = 0, 1
"""Operations of control packets."""


def with_parity(word: int) -> int:
    """`word` with bit 31 such that the number of ones is odd."""
    low = word & 0x7FFFFFFF
    return low | (low.bit_count() % 2 == 0) << 31


def stream_header(packet_type: int, packet_id: int) -> int:
    """The header by which switches route a packet."""
    return with_parity(packet_type << 12 | packet_id)


def header(address: int, words: int, operation: int, answer: int) -> int:
    """The header of a control packet that writes or reads `words` words from `address` on."""
    return with_parity(answer << 24 | operation << 22 | (words - 1) << 20 | address & 0xFFFFF)


@dataclass(frozen=True)
class Packet:
    """The packet of one operation: it writes the words `data`, or reads; `length` words are written or read."""

    op: Any
    tile: Coordinate
    address: int
    operation: int
    answer: int
    length: int
    data: tuple[int, ...]

    def words(self, controller: tuple[int, int]) -> list[int]:
        """Stream header for the tile's controller (packet type, id), header, data; DiagnosticError for more than four words."""
        if not 1 <= self.length <= MAX_WORDS:
            raise error_at(
                self.op,
                f"{('writes', 'reads')[self.operation == READ]} "
                f"{counted(self.length, 'word')}; a control packet has 1 to {MAX_WORDS}: "
                "run aie-legalize-ctrl-packet first",
            )
        own = header(self.address, self.length, self.operation, self.answer)
        return [stream_header(*controller), own, *(word & 0xFFFFFFFF for word in self.data)]


def packet_of(op: ir.OpView, device: Device) -> Packet:
    """The packet that `op` describes; DiagnosticError if its tile or operation does not exist."""
    column, row, offset = device.split(op.address)
    if not device.holds(column, row):
        raise error_at(
            op,
            f"goes to tile ({column}, {row}), but {device.name} has {counted(device.columns, 'column')} and {device.rows} rows",
        )
    if op.opcode not in (WRITE, READ):
        raise error_at(op, f"has opcode {op.opcode}; known are {WRITE} (write) and {READ} (read)")
    data = tuple(op.data) if op.data is not None else ()
    if op.opcode == WRITE and not data:
        raise error_at(op, "writes, but has no data; expected data = array<i32: ...>, or opcode 1 to read")
    if op.opcode == READ and op.data is not None:
        raise error_at(op, "reads, but has data; expected length, or opcode 0 to write")
    return Packet(op, (column, row), offset, op.opcode, op.stream_id, len(data) or op.length, data)


def packets_of(sequence: Any, device: Device) -> Iterator[Packet]:
    """The packets of a runtime sequence, in order."""
    for op in sequence.body.blocks[0].operations:
        if op.operation.name == "aiex.control_packet":
            yield packet_of(op, device)


def controllers(device_op: AnyOp) -> dict[Coordinate, tuple[int, int]]:
    """Packet type and id of each tile's controller, as its `controller_id` has them."""
    tiles = (op for op in device_op.block.operations if op.operation.name == "aie.tile")
    return {(op.col, op.row): result for op in tiles if (result := controller_id(op)) is not None}


def controller_of(packet: Packet, all_controllers: dict[Coordinate, tuple[int, int]]) -> tuple[int, int]:
    """Type and id of packets to the packet's tile; DiagnosticError if it has no controller id."""
    if packet.tile not in all_controllers:
        raise error_at(
            packet.op, f"goes to tile {packet.tile}, which has no controller_id; run aie-assign-tile-controller-ids first"
        )
    return all_controllers[packet.tile]


def words_of(device_op: AnyOp, sequence: AnyOp, device: Device) -> list[int]:
    """The words of all control packets of a sequence, one packet after another."""
    all_controllers = controllers(device_op)
    return [word for packet in packets_of(sequence, device) for word in packet.words(controller_of(packet, all_controllers))]
