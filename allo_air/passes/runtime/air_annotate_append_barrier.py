"""air-annotate-append-barrier."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import L3
from allo_air.dialects.operands import memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.runtime._barriers import APPENDS, AWAITS


@dataclass(frozen=True)
class AirAnnotateAppendBarrier(Pass):
    """Marks reads of external memory that must wait for earlier writes of the device to the same buffer.

    In a block, a get into external memory is marked `air.append_barrier`, and the first following put that reads the same
    buffer `air.await_appends`. `air-to-std` then makes the host wait for those writes before it starts the read, independent
    of tokens.

    Before:

        air.channel.get async @new[] (%cache[%i] [%c8] [%c1]) : (memref<64xi32>)
        air.channel.put async @all[] (%cache[] [] []) : (memref<64xi32>)

    After:

        air.channel.get async @new[] (%cache[%i] [%c8] [%c1]) {air.append_barrier} : (memref<64xi32>)
        air.channel.put async @all[] (%cache[] [] []) {air.await_appends} : (memref<64xi32>)
    """

    name = "air-annotate-append-barrier"

    def run(self, op: AnyOp, /) -> None:
        pending: set[Any] = set()
        for end in walk_named(op, "air.channel.put", "air.channel.get"):
            memref = memref_of(end)
            if not is_in(memref.type, L3):
                continue
            place = end.block, root_of(memref)
            if end.name == "air.channel.get":
                end.attributes[APPENDS] = ir.UnitAttr.get()
                pending.add(place)
            elif place in pending:
                end.attributes[AWAITS] = ir.UnitAttr.get()
                pending.remove(place)
