"""aie-legalize-ctrl-packet."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects import aiex
from allo_air.dialects.declarations import declarations, device_of
from allo_air.mlir import ir
from allo_air.target.control_packets import MAX_WORDS, packets_of


@dataclass(frozen=True)
class AieLegalizeCtrlPacket(Pass):
    """Splits control packets of more than four words, the largest size of a read or write.

    Before:

        aiex.control_packet {address = 8 : ui32, data = array<i32: 1, 2, 3, 4, 5, 6>, opcode = 0 : i32, stream_id = 1 : i32}

    After:

        aiex.control_packet {address = 8 : ui32, data = array<i32: 1, 2, 3, 4>, opcode = 0 : i32, stream_id = 1 : i32}
        aiex.control_packet {address = 24 : ui32, data = array<i32: 5, 6>, opcode = 0 : i32, stream_id = 1 : i32}
    """

    name = "aie-legalize-ctrl-packet"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        device = device_of(op)
        for sequence in declarations(op, "aie.runtime_sequence"):
            for packet in [p for p in packets_of(sequence, device) if p.length > MAX_WORDS]:
                for first in range(0, packet.length, MAX_WORDS):
                    words = min(MAX_WORDS, packet.length - first)
                    aiex.ControlPacketOp(
                        address=packet.op.address + 4 * first,
                        length=None if packet.data else words,
                        opcode=packet.operation,
                        stream_id=packet.answer,
                        data=list(packet.data[first : first + words]) or None,
                        loc=packet.op.location,
                        ip=ir.InsertionPoint(packet.op),
                    )
                packet.op.operation.erase()
