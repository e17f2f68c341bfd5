"""Tiles that are slices of a slice of an argument: they become slices of the argument itself, which a DMA can fetch."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.access.pattern import kept_dims
from allo_air.core.walking import is_inside
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, affine, ir, tensor
from allo_air.passes.map._kernel import Kernel
from allo_air.passes.map._promote import CUT

WHOLE_BITS = 8 * 1024
"""Largest size in bits of an argument that each core copies as a whole if a core needs a slice that DMAs cannot fetch."""


def is_argument_slice(op: AnyOp) -> bool:
    """Whether `op` is a static, contiguous slice of an argument, and DMAs can fetch each of its tiles.

    DMAs move whole words. Along a dimension that is cut, each row must begin at a word.
    """
    if op.name != "tensor.extract_slice" or CUT in op.attributes or len(op.operands) != 1:
        return False
    source = op.operands[0]
    if not isinstance(source, ir.BlockArgument) or set(op.attributes["static_strides"]) - {1}:
        return False
    bits, shape, whole = element_bits(source.type) or 0, list(source.type.shape), whole_dims(op).values()
    return all(d in whole or bits * prod(shape[d + 1 :]) % 32 == 0 for d in range(len(shape)))


def copy_small_arguments(kernel: Kernel) -> None:
    """Makes cores copy a small argument as a whole if they need a slice of it that DMAs cannot fetch, such as a single bf16."""
    for op in kernel.movements:
        if op.name == "tensor.extract_slice" and len(op.operands) == 1 and not is_argument_slice(op):
            source = op.operands[0]
            bits = (element_bits(source.type) or 0) * prod(source.type.shape)
            if isinstance(source, ir.BlockArgument) and not set(op.attributes["static_strides"]) - {1} and bits <= WHOLE_BITS:
                op.attributes[CUT] = ir.UnitAttr.get()


def whole_dims(op: AnyOp) -> dict[int, int]:
    """The dimensions of a slice that span the whole source dimension, each with that source dimension."""
    offsets, sizes = list(op.attributes["static_offsets"]), list(op.attributes["static_sizes"])
    shape = list(op.operands[0].type.shape)
    dims = enumerate(kept_dims(sizes, op.results[0].type.shape))
    return {dim: d for dim, d in dims if offsets[d] == 0 and sizes[d] == shape[d]}


def slice_sizes(op: AnyOp, sizes: Sequence[int]) -> list[int]:
    """For a tile of `sizes` of a slice: the sizes of the part of the source that contains it."""
    result = [1] * len(op.operands[0].type.shape)
    for dim, d in enumerate(kept_dims(list(op.attributes["static_sizes"]), op.results[0].type.shape)):
        result[d] = sizes[dim]
    return result


def read_from_arguments(function: ir.Operation, loop: ir.Operation) -> None:
    """Makes the body of `loop` read tiles of argument slices directly from the arguments.

    Before:

        %s = tensor.extract_slice %a[0, 64] [16, 64] [1, 1]
        scf.forall (%i) in (4) { %t = tensor.extract_slice %s[%i, 16] [1, 16] [1, 1] }

    After:

        scf.forall (%i) in (4) { %t = tensor.extract_slice %a[%i, 80] [1, 16] [1, 1] }
    """
    body = loop.regions[0].blocks[0]
    for head in [o.operation for o in function.regions[0].blocks[0].operations if is_argument_slice(o.operation)]:
        users = list({(u.owner.operation, u.operand_number) for u in head.results[0].uses})
        copy = None
        for user, number in users:
            if not is_inside(user, loop):
                continue
            if user.name == "tensor.extract_slice" and not set(user.attributes["static_strides"]) - {1}:
                with ir.InsertionPoint(user), user.location:
                    user.results[0].replace_all_uses_with(_slice_of_source(head, user))
                user.erase()
                continue
            copy = copy or head.clone(ip=ir.InsertionPoint.at_block_begin(body)).operation
            user.operands[number] = copy.results[0]


def _slice_of_source(head: AnyOp, tile: AnyOp) -> Any:
    """Slice `tile` of the slice `head`, as one slice of the source of `head`."""
    source = head.operands[0]
    starts, spans = list(head.attributes["static_offsets"]), list(head.attributes["static_sizes"])
    dynamic = iter(list(tile.operands)[1:])
    inner = [next(dynamic) if o < 0 else o for o in tile.attributes["static_offsets"]]
    sizes = [1] * len(starts)
    offsets: list[Any] = list(starts)
    for dim, d in enumerate(kept_dims(spans, head.results[0].type.shape)):
        sizes[d] = tile.attributes["static_sizes"][dim]
        offsets[d] = _sum(inner[dim], starts[d])
    values = [o for o in offsets if not isinstance(o, int)]
    static = [o if isinstance(o, int) else ir.ShapedType.get_dynamic_stride_or_offset() for o in offsets]
    kind = tile.results[0].type
    return tensor.ExtractSliceOp(kind, source, values, [], [], static, sizes, [1] * len(sizes)).result


def _sum(offset: int | ir.Value, more: int) -> Any:
    if isinstance(offset, int):
        return offset + more
    return affine.AffineApplyOp(ir.AffineMap.get(1, 0, [ir.AffineDimExpr.get(0) + more]), [offset]).result if more else offset
