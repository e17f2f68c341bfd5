"""air-copy-to-dma."""

from dataclasses import dataclass
from itertools import count
from typing import Any

from allo_air import dialects
from allo_air.core.constants import constant_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import DmaMemcpyNdOp
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.access import layout
from allo_air.passes._analysis.memory import space
from allo_air.passes._ir.fold_access import fold_access_patterns
from allo_air.passes.bind._relayout import pack_as_view, unpack_as_view

_COPIES = ("memref.copy", "linalg.copy", "linalg.pack", "linalg.unpack")
_NUMBERED = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get")


@dataclass(frozen=True)
class AirCopyToDma(Pass):
    """Turns copies between memory spaces into `air.dma_memcpy_nd` with access patterns instead of views.

    memref.copy, linalg.copy, linalg.pack and linalg.unpack become DMA copies, numbered by `id` in the order of the text, from 1
    or after the greatest id that a transfer has already; DMA copies that were there before keep their `id`, or stay without.
    A copy inside one memory space stays a memref.copy, of a buffer onto itself it is erased; operations on tensors stay.

    Errors: a stride that is not constant, an unranked memref, a linalg.copy that converts its elements, a pack or unpack whose
    tiles do not divide the shape, or that pads, across memory spaces.

    Before:

        %v = memref.subview %a[%i, 0] [32, 256] [1, 1] : memref<64x256xi32> to memref<32x256xi32, strided<[256, 1], offset: ?>>
        memref.copy %v, %b : memref<32x256xi32, strided<[256, 1], offset: ?>> to memref<32x256xi32, 1>

    After:

        air.dma_memcpy_nd (%b[] [] [], %a[%i, %c0] [%c32, %c256] [%c256, %c1]) {id = 1 : i32} :
            (memref<32x256xi32, 1>, memref<64x256xi32>)
    """

    name = "air-copy-to-dma"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        first = 1 + max((o.attributes["id"].value for o in walk_named(op, *_NUMBERED) if "id" in o.attributes), default=0)
        numbers = count(first)
        for copy in walk_named(op, *_COPIES):
            if len(copy.results):
                continue
            with ir.InsertionPoint(copy), copy.location:
                _to_dma(copy, numbers)
        fold_access_patterns(op)
        for dma in walk_named(op, "air.dma_memcpy_nd"):
            if "id" in dma.attributes and dma.attributes["id"].value >= first:
                _check_strides(DmaMemcpyNdOp(dma))


def _to_dma(copy: ir.Operation, numbers: Any) -> None:
    source, target = list(copy.operands)[:2]
    if source == target:
        copy.erase()
        return
    if _space(copy, source) == _space(copy, target):
        _stay(copy, source, target)
        return
    _check_transfer(copy, source, target)
    if copy.name == "linalg.pack":
        source = pack_as_view(copy.opview)
    elif copy.name == "linalg.unpack":
        source = unpack_as_view(copy.opview)
    i32 = ir.IntegerType.get_signless(32)
    DmaMemcpyNdOp(dst=target, src=source, attributes={"id": ir.IntegerAttr.get(i32, next(numbers))})
    copy.erase()


def _stay(copy: ir.Operation, source: ir.Value, target: ir.Value) -> None:
    """Leaves a copy inside one memory space; linalg.copy is written as memref.copy where it converts nothing."""
    if copy.name == "linalg.copy" and source.type.element_type == target.type.element_type:
        ir.Operation.create("memref.copy", [], [source, target])
        copy.erase()


def _space(copy: ir.Operation, memref: ir.Value) -> int:
    try:
        return space(memref.type)
    except ValueError as wrong:
        raise PassError(f"{wrong}; write 0 or none for L3, 1 for L2, 2 for L1", copy.location, copy.name) from None


def _check_transfer(copy: ir.Operation, source: ir.Value, target: ir.Value) -> None:
    """Raises PassError where a DMA cannot do what `copy`, between two memory spaces, does."""
    for memref in (source, target):
        if not isinstance(memref.type, ir.MemRefType):
            raise PassError(
                f"copies {memref.type}, and a DMA needs to know the rank; cast it to a ranked memref", copy.location, copy.name
            )
    kinds = [memref.type.element_type for memref in (source, target)]
    if kinds[0] != kinds[1]:
        raise PassError(
            f"converts {kinds[0]} to {kinds[1]}, and a DMA only moves elements; copy first, convert in the core",
            copy.location,
            copy.name,
        )


def _check_strides(dma: DmaMemcpyNdOp) -> None:
    """Raises PassError where a stride is not a number: neither in the lists nor, for empty ones, in the memref's layout."""
    sides = ((dma.src, dma.src_strides, "source"), (dma.dst, dma.dst_strides, "destination"))
    for memref, strides, side in sides:
        dynamic = [n for n, stride in enumerate(strides) if constant_of(stride) is None]
        if not strides and not _is_dense(memref.type):
            known, _ = layout(memref.type)
            dynamic = [
                n for n, (stride, size) in enumerate(zip(known, memref.type.shape, strict=True)) if stride is None and size != 1
            ]
        if dynamic:
            raise PassError(
                f"copies with a stride that is not constant in dimension {dynamic[0]} of its {side} {memref.type}, and a DMA is"
                " programmed with numbers; give the memref a layout with constant strides, or copy through a dense buffer",
                dma.location,
                dma.name,
            )


def _is_dense(kind: ir.MemRefType) -> bool:
    return isinstance(kind.layout, ir.AffineMapAttr) and kind.affine_map == ir.AffineMap.get_identity(kind.rank)
