"""Cascade channels: a put streams its buffer, 512 bits at a time, to the neighbouring core, whose get stores it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.dialects import aie
from allo_air.errors import counted
from allo_air.mlir import ir, vector
from allo_air.mlir import memref as memref_dialect
from allo_air.passes.to_aie._vectors import each_vector, flat

if TYPE_CHECKING:
    from allo_air.passes.to_aie._cores import CoreClone


def lower(op: ir.OpView, memref: ir.Value, bits: int, core: CoreClone) -> None:
    """Adds the loop for `op`, a put or get of all of `memref` on a cascade of `bits` bits, to core program `core`."""
    kind = memref.type
    element = kind.element_type
    is_put = op.OPERATION_NAME.endswith("put")
    if any(len(v) for v in ((op.src_sizes, op.src_offsets) if is_put else (op.dst_sizes, op.dst_offsets))):
        raise error_at(op, "moves part of its buffer through a cascade; a cascade takes whole buffers in their order")
    lanes, size = bits // element.width, prod(kind.shape)
    if size % lanes:
        raise error_at(
            op,
            f"moves {counted(size, 'element')} of {element} through a cascade, which takes multiples of {lanes} "
            f"({counted(bits, 'bit')})",
        )
    ip = ir.InsertionPoint(core.block)
    piece = ir.VectorType.get([lanes], element)
    straight, exact = ir.AffineMapAttr.get(ir.AffineMap.get_identity(1)), ir.ArrayAttr.get([ir.BoolAttr.get(True)])

    def move(offset: ir.Value, inner: ir.InsertionPoint) -> None:
        zero = core._constant(ir.IndexType.get(), 0)
        with inner:
            part = memref_dialect.subview(row, [offset], [lanes], [1])
            if is_put:
                fill = core._constant(element, 0)
                value = vector.TransferReadOp(piece, part, [zero], straight, fill, exact).vector
                aie.PutCascadeOp(cascade_value=value)
            else:
                value = aie.GetCascadeOp(cascade_value=piece).cascade_value
                vector.TransferWriteOp(None, value, part, [zero], straight, exact)

    with op.location:
        row = flat(memref, ip)
        each_vector(size, lanes, core._constant, ip, move)
