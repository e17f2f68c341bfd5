"""herd-l1-transfers."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air import L1, HerdOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.bind._outline import arranged, fill

_TRANSFERS = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get")


@dataclass(frozen=True)
class HerdL1Transfers(Pass):
    """Moves transfers of L1 buffers from a segment into the core that owns the buffer, as a phase of its herd.

    The buffer's herd must have one core; herds with the same name are phases of the same cores. Buffers of herds with several
    cores stay, and are rejected later: the transfer does not say which core's buffer it means.

    Before:

        air.segment @s args(%p=%a) : memref<8xi32> {
          %m = memref.alloc() : memref<8xi32, 2>
          air.dma_memcpy_nd (%m[] [] [], %p[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
          air.herd @h tile (%i, %j) in (%x=%c1, %y=%c1) args(%n=%m) : memref<8xi32, 2> { ... }
        }

    After:

          air.herd @h tile (%i, %j) in (%x=%c1, %y=%c1) args(%n=%m, %q=%p) : memref<8xi32, 2>, memref<8xi32> {
            air.dma_memcpy_nd (%n[] [] [], %q[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
          }
          air.herd @h tile (%i, %j) in (%x=%c1, %y=%c1) args(%n=%m) : memref<8xi32, 2> { ... }
    """

    name = "herd-l1-transfers"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        for segment in walk_named(op, "air.segment"):
            for transfer in walk_named(segment, *_TRANSFERS):
                if not any(p.name == "air.herd" for p in parents(transfer)) and (name := _herd_of(transfer)) is not None:
                    _wrap(transfer, name)


def _herd_of(transfer: ir.Operation) -> str | None:
    """The one-core herd that has the L1 buffer of `transfer`; None if there is none."""
    if transfer.results:
        return None
    for value in transfer.operands:
        if isinstance(value.type, ir.MemRefType) and is_in(value.type, L1):
            herds = [u.owner.operation for u in value.uses if u.owner.name == "air.herd"]
            names = {sym_name_of(h) if "sym_name" in h.attributes else "" for h in herds}
            sizes = [constant_of(s) for h in herds for s in h.opview.sizes]
            if len(names) == 1 and "" not in names and all(s == 1 for s in sizes):
                return names.pop()
    return None


def _wrap(transfer: ir.Operation, name: str) -> None:
    with transfer.location, ir.InsertionPoint(transfer):
        values = arranged(list(dict.fromkeys(transfer.operands)))
        one = index_constant(1)
        herd = HerdOp.build([one, one], values, sym_name=name)
        fill(herd, [transfer], dict(zip(values, herd.body_args, strict=True)))
