"""air-copy-to-dma."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, walk_named
from allo_air.dialects.air import L2, DmaMemcpyNdOp
from allo_air.mlir import AnyOp, ir, memref
from allo_air.passes._ir.fold_access import fold_access_patterns
from allo_air.passes._ir.greedy import fold_greedily
from allo_air.passes.bind._dma import as_dma, check_strides, space_of
from allo_air.passes.bind._uneven import even_parts

_COPIES = ("memref.copy", "linalg.copy", "linalg.pack", "linalg.unpack", "linalg.broadcast")
_PLAIN = ("memref.copy", "linalg.copy")
_NUMBERED = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get")


@dataclass(frozen=True)
class AirCopyToDma(Pass):
    """Turns copies between memory spaces into `air.dma_memcpy_nd` with access patterns instead of views.

    memref.copy, linalg.copy, linalg.pack, linalg.unpack and linalg.broadcast become DMA copies, numbered by `id` in program
    order, from 1 or after the greatest existing id; existing DMA copies keep their `id`, or stay without. Within one memory
    space, a linalg.copy without a conversion becomes a memref.copy, and the other operations stay; with `inside-l2`, copies
    from L2 to L2 outside of herds become DMA copies, too. A copy of a buffer onto itself is erased. Operations on tensors stay.
    A pack or unpack whose tiles do not divide the shape becomes a DMA for the whole tiles and one for each edge; one that pads
    fills its destination first, in L1.
    Errors: a stride that is not constant, an unranked memref, a linalg.copy that converts its elements, a pack that pads
    outside of L1, a pack or unpack of dynamic sizes.

    Before:

        %v = memref.subview %a[%i, 0] [32, 256] [1, 1] : memref<64x256xi32> to memref<32x256xi32, strided<[256, 1], offset: ?>>
        memref.copy %v, %b : memref<32x256xi32, strided<[256, 1], offset: ?>> to memref<32x256xi32, 1>

    After:

        air.dma_memcpy_nd (%b[] [] [], %a[%i, %c0] [%c32, %c256] [%c256, %c1]) {id = 1 : i32} :
            (memref<32x256xi32, 1>, memref<64x256xi32>)
    """

    name = "air-copy-to-dma"
    works_on = _COPIES
    anchor = "builtin.module"
    inside_l2: bool = False
    """Copies from L2 to L2 outside of herds become DMAs, too."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        fold_greedily(op)
        first = 1 + max((o.attributes["id"].value for o in walk_named(op, *_NUMBERED) if "id" in o.attributes), default=0)
        numbers = count(first)
        for copy in walk_named(op, *_COPIES):
            if len(copy.results):
                continue
            for part in _parts(copy):
                with ir.InsertionPoint(part), part.location:
                    self._to_dma(part, numbers)
        fold_access_patterns(op)
        for dma in walk_named(op, "air.dma_memcpy_nd"):
            if "id" in dma.attributes and dma.attributes["id"].value >= first:
                check_strides(DmaMemcpyNdOp(dma))

    def _to_dma(self, copy: ir.Operation, numbers: Iterator[int]) -> None:
        source, target = list(copy.operands)[:2]
        if source == target:
            copy.erase()
        elif (here := space_of(copy, source)) != space_of(copy, target) or (
            self.inside_l2 and here == L2 and copy.name in _PLAIN and enclosing(copy, "air.herd") is None
        ):
            as_dma(copy, next(numbers))
        elif copy.name != "linalg.broadcast":
            _keep_copy(copy, source, target)


def _parts(copy: ir.Operation) -> list[ir.Operation]:
    """The copies that replace `copy`: several if tiles do not divide a packed shape."""
    if copy.name not in ("linalg.pack", "linalg.unpack"):
        return [copy]
    source, target = list(copy.operands)[:2]
    crosses = all(isinstance(v.type, ir.MemRefType) for v in (source, target)) and space_of(copy, source) != space_of(
        copy, target
    )
    return even_parts(copy) if crosses else [copy]


def _keep_copy(copy: ir.Operation, source: ir.Value, target: ir.Value) -> None:
    """Keeps a copy inside one memory space; a linalg.copy without conversion becomes a memref.copy."""
    if copy.name == "linalg.copy" and source.type.element_type == target.type.element_type:
        memref.CopyOp(source, target)
        copy.erase()
