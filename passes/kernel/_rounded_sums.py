"""Sums that a buffer keeps in a short type: wide while they are in registers."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.mlir import AnyOp, arith, ir, vector

_CAST = "builtin.unrealized_conversion_cast"


def widened(generic: AnyOp) -> Any:
    """Lets a contraction that rounds its sums add into a buffer of f32 that stands for the short one till `round_accesses`."""
    [block] = generic.regions[0].blocks
    short = generic.operands[2]
    kind = short.type
    wide = ir.MemRefType.get(kind.shape, ir.F32Type.get(), kind.layout, kind.memory_space)
    with ir.InsertionPoint(generic), generic.location:
        cast = ir.Operation.create(_CAST, [wide], [short])
    generic.operands[2] = cast.results[0]
    out, end = block.arguments[2], block.operations[len(block.operations) - 1].operation
    rounding = end.operands[0].owner
    end.operands[0] = rounding.operands[0]
    rounding.operation.erase()
    [use] = out.uses
    extension = use.owner.operation
    out.set_type(ir.F32Type.get())
    extension.results[0].replace_all_uses_with(out)
    extension.erase()
    return cast.results[0]


def round_accesses(buffer: Any) -> None:
    """Reads and writes what `buffer` stands for, in its type."""
    cast = buffer.owner
    [short] = cast.operands
    for use in list(buffer.uses):
        access = use.owner.operation
        with ir.InsertionPoint(access), access.location:
            if access.name == "vector.transfer_read":
                _read(access, short)
            else:
                _write(access, short)
        access.erase()
    cast.operation.erase()


def _read(access: AnyOp, short: Any) -> None:
    element = short.type.element_type
    wide = access.results[0].type
    view = access.opview
    nothing = arith.constant(element, 0.0)
    kind = ir.VectorType.get(wide.shape, element)
    read = vector.transfer_read(kind, short, list(view.indices), view.permutation_map, nothing, view.in_bounds)
    row = ir.VectorType.get([prod(wide.shape)], element)
    found = arith.extf(ir.VectorType.get(row.shape, wide.element_type), vector.shape_cast(row, read))
    access.results[0].replace_all_uses_with(vector.shape_cast(wide, found))


def _write(access: AnyOp, short: Any) -> None:
    view = access.opview
    value = view.valueToStore
    row = ir.VectorType.get([prod(value.type.shape)], value.type.element_type)
    rounded = arith.truncf(ir.VectorType.get(row.shape, short.type.element_type), vector.shape_cast(row, value))
    kind = ir.VectorType.get(value.type.shape, short.type.element_type)
    shaped = vector.shape_cast(kind, rounded)
    vector.TransferWriteOp(None, shaped, short, list(view.indices), view.permutation_map, view.in_bounds)
