"""Converts one copy to a DMA copy."""

from allo_air.core.constants import constant_of, index_constant
from allo_air.dialects.air import DmaMemcpyNdOp
from allo_air.errors import PassError
from allo_air.mlir import ir
from allo_air.passes._analysis.access import layout
from allo_air.passes._analysis.memory import space
from allo_air.passes.bind._relayout import pack_as_view, unpack_as_view


def as_dma(copy: ir.Operation, number: int) -> DmaMemcpyNdOp:
    """The DMA copy with `id = number` that replaces `copy`, a copy on memrefs of the same elements."""
    source, target = list(copy.operands)[:2]
    _check_transfer(copy, source, target)
    if copy.name == "linalg.pack":
        source = pack_as_view(copy.opview)
    elif copy.name == "linalg.unpack":
        source = unpack_as_view(copy.opview)
    i32 = ir.IntegerType.get_signless(32)
    lists = _broadcast_lists(copy, source, target) if copy.name == "linalg.broadcast" else {}
    dma = DmaMemcpyNdOp(dst=target, src=source, **lists, attributes={"id": ir.IntegerAttr.get(i32, number)})
    copy.erase()
    return dma


def _broadcast_lists(copy: ir.Operation, source: ir.Value, target: ir.Value) -> dict[str, list[ir.Value]]:
    """The lists of the source of a linalg.broadcast: stride 0 in the new dimensions."""
    shape, new = list(target.type.shape), list(copy.attributes["dimensions"])
    strides, _ = source.type.get_strides_and_offset()
    old = iter(strides)
    strides = [0 if dim in new else next(old) for dim in range(len(shape))]
    if any(n == ir.ShapedType.get_dynamic_stride_or_offset() for n in (*shape, *strides)):
        raise PassError("broadcasts with sizes or strides that are not constant, and a DMA is programmed with numbers",
                        copy.location, copy.name)  # fmt: skip
    lists = {"src_offsets": [0] * len(shape), "src_sizes": shape, "src_strides": strides}
    return {name: [index_constant(n, copy.location) for n in values] for name, values in lists.items()}


def space_of(copy: ir.Operation, memref: ir.Value) -> int:
    try:
        return space(memref.type)
    except ValueError as wrong:
        raise PassError(f"{wrong}; write 0 or none for L3, 1 for L2, 2 for L1", copy.location, copy.name) from None


def _check_transfer(copy: ir.Operation, source: ir.Value, target: ir.Value) -> None:
    """Raises PassError if a DMA cannot perform `copy`, between two memory spaces."""
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


def check_strides(dma: DmaMemcpyNdOp) -> None:
    """Raises PassError if a stride is not constant: neither in the lists nor, for empty ones, in the memref's layout."""
    sides = ((dma.src, dma.src_strides, "source"), (dma.dst, dma.dst_strides, "destination"))
    for memref, strides, side in sides:
        dynamic = [n for n, stride in enumerate(strides) if constant_of(stride) is None]
        if not strides and not _is_dense(memref.type):
            layout_strides, _ = layout(memref.type)
            dynamic = [
                n
                for n, (stride, size) in enumerate(zip(layout_strides, memref.type.shape, strict=True))
                if stride is None and size != 1
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
