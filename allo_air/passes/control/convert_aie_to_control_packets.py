"""convert-aie-to-control-packets."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.dialects import aiex
from allo_air.mlir import AnyOp
from allo_air.passes._ir.configure import ConfigureSequence, configuring
from allo_air.target.control_packets import MAX_WORDS, WRITE
from allo_air.target.npu_words import BlockWrite


@dataclass(frozen=True)
class ConvertAieToControlPackets(Pass):
    """Writes the configuration of a device as a runtime sequence `@configure` of control packets.

    A packet writes whole registers: masks are lost, and consecutive packets to one register are merged by OR, as in mlir-aie.
    Packets alone therefore neither reset nor start cores; the sequence that sends them does.

    Before:

        %lock = aie.lock(%tile_0_2, 1) {init = 3 : i32}

    After:

        aie.runtime_sequence @configure() {
          aiex.control_packet {address = 2224144 : ui32, data = array<i32: 3>, opcode = 0 : i32, stream_id = 0 : i32}
        }
        %lock = aie.lock(%tile_0_2, 1) {init = 3 : i32}
    """

    name = "convert-aie-to-control-packets"
    anchor = "aie.device"
    elf_dir: str = ""
    """The folder of the cores' ELF files; by default the current directory."""
    device_name: str = ""
    """The device to convert; by default all."""

    def run(self, op: AnyOp, /) -> None:
        if self.device_name not in ("", op.opview.sym_name):
            return
        packets: list[tuple[int, list[int]]] = []
        for operation in configuring(op, self.elf_dir):
            data = list(operation.data) if isinstance(operation, BlockWrite) else [operation.value]
            for first in range(0, len(data), MAX_WORDS):
                _add(packets, operation.address + 4 * first, data[first : first + MAX_WORDS])
        with ConfigureSequence(op) as place:
            loc_and_ip: dict[str, Any] = {"loc": op.location, "ip": place.ip}
            for address, words in packets:
                aiex.ControlPacketOp(address=address, opcode=WRITE, stream_id=0, data=[_signed(w) for w in words], **loc_and_ip)


def _add(packets: list[tuple[int, list[int]]], address: int, words: list[int]) -> None:
    """Adds a packet, or merges its bits into the last packet if both write the same registers."""
    if packets and packets[-1][0] == address and len(packets[-1][1]) == len(words):
        packets[-1] = address, [a | b for a, b in zip(packets[-1][1], words, strict=True)]
    else:
        packets.append((address, words))


def _signed(word: int) -> int:
    return (word & 0xFFFFFFFF) - (1 << 32 if word & 0x80000000 else 0)
