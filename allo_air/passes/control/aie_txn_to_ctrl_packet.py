"""aie-txn-to-ctrl-packet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, is_unused, walk_named
from allo_air.dialects import aiex
from allo_air.dialects.declarations import declarations
from allo_air.mlir import AnyOp, ir
from allo_air.target.control_packets import WRITE

if TYPE_CHECKING:
    from allo_air.dialects._aiex_npu import NpuBlockWriteOp


@dataclass(frozen=True)
class AieTxnToCtrlPacket(Pass):
    """Converts the block writes of runtime sequences to control packets; other writes, which may have masks, are unchanged.

    A packet contains the words of the block; aie-legalize-ctrl-packet splits packets of more than four words.

    Before:

        %0 = memref.get_global @config_blockwrite_data_0 : memref<8xi32>
        aiex.npu.blockwrite(%0) {address = 2215936 : ui32} : memref<8xi32>

    After:

        aiex.control_packet {address = 2215936 : ui32, data = array<i32: ...>, opcode = 0 : i32, stream_id = 0 : i32}
    """

    name = "aie-txn-to-ctrl-packet"
    anchor = "aie.device"

    def run(self, op: AnyOp, /) -> None:
        constants = {sym_name_of(g.operation): g.operation for g in declarations(op, "memref.global")}
        for sequence in declarations(op, "aie.runtime_sequence"):
            for write in walk_named(sequence, "aiex.npu.blockwrite"):
                _to_packet(write.opview, constants)


def _to_packet(write: NpuBlockWriteOp, constants: dict[str, ir.Operation]) -> None:
    got = defining_op(write.data, "memref.get_global")
    if got is None:
        raise error_at(write, "writes a buffer that is not a memref.get_global; its words are not known here")
    words = _words(write, got.attributes["name"].value, constants)
    aiex.ControlPacketOp(
        address=write.address, opcode=WRITE, stream_id=0, data=words, loc=write.location, ip=ir.InsertionPoint(write)
    )
    write.operation.erase()
    if is_unused(got.results[0]):
        got.erase()


def _words(write: Any, name: str, constants: dict[str, ir.Operation]) -> list[int]:
    """The words of the global `name`, which `write` writes."""
    attributes: Any = constants[name].attributes if name in constants else {}
    value = attributes.get("initial_value")
    if not isinstance(value, ir.DenseElementsAttr):
        raise error_at(
            write, f"writes the words of @{name}, which are not known; give that global of the device an initial value"
        )
    kind = str(ir.ShapedType(value.type).element_type)
    if kind != "i32":
        raise error_at(
            write, f"writes the {kind} values of @{name}; a control packet holds i32 words, so give their bits as i32"
        )
    return [int(word) for word in value]
