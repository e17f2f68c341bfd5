"""aie-txn-to-ctrl-packet."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, is_unused, walk_named
from allo_air.dialects import aiex
from allo_air.dialects.declarations import declarations
from allo_air.mlir import AnyOp, ir
from allo_air.target.control_packets import WRITE


@dataclass(frozen=True)
class AieTxnToCtrlPacket(Pass):
    """Turns the block writes of runtime sequences into control packets; other writes, which may have masks, stay.

    A packet holds what the block holds; aie-legalize-ctrl-packet splits those of more than four words.

    Before:

        %0 = memref.get_global @config_blockwrite_data_0 : memref<8xi32>
        aiex.npu.blockwrite(%0) {address = 2215936 : ui32} : memref<8xi32>

    After:

        aiex.control_packet {address = 2215936 : ui32, data = array<i32: ...>, opcode = 0 : i32, stream_id = 0 : i32}
    """

    name = "aie-txn-to-ctrl-packet"
    anchor = "aie.device"

    def run(self, op: AnyOp, /) -> None:
        constants = {g.operation.attributes["sym_name"].value: g.operation for g in declarations(op, "memref.global")}
        for sequence in declarations(op, "aie.runtime_sequence"):
            for write in walk_named(sequence, "aiex.npu.blockwrite"):
                _to_packet(write.opview, constants)


def _to_packet(write: Any, constants: dict[str, ir.Operation]) -> None:
    got = defining_op(write.data)
    if got is None or got.name != "memref.get_global":
        raise error_at(write, "writes a buffer that is no memref.get_global; its words are not known here")
    held = constants[got.attributes["name"].value].attributes["initial_value"]
    words = [int(word) for word in held]
    aiex.ControlPacketOp(
        address=write.address, opcode=WRITE, stream_id=0, data=words, loc=write.location, ip=ir.InsertionPoint(write)
    )
    write.operation.erase()
    if is_unused(got.results[0]):
        got.erase()
