"""Defines elements of tensors that are read but never written."""

from __future__ import annotations

from itertools import product
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._analysis.structured import is_structured

Box = tuple[tuple[int, int], ...]
"""For each dimension: the first index, and the index after the last."""


def fill_undefined(function: AnyOp) -> None:
    """Fills a tensor.empty with zeros if insertions leave elements unwritten and the result is read, or if it is returned
    unchanged. Insertions of single numbers count as such, since different kernels may make them.

    Pads by copies have this form: the elements are moved, and later overwritten or dropped.

    Before:

        %e = tensor.empty() : tensor<8xf32>
        %a = tensor.insert_slice %x into %e[2] [6] [1]
        %b = tensor.extract_slice %a[6] [2] [1]
        %r = tensor.insert_slice %b into %a[0] [2] [1]

    After:

        %e = linalg.fill ins(%zero) outs(%empty)
    """
    for op in walk_named(function, "tensor.empty"):
        zeros: Any = None
        for use in list(op.results[0].uses):
            user = use.owner.operation
            inserts = user.name == "tensor.insert_slice" and use.operand_number == 1
            is_read = inserts and (not user.operands[0].type.rank or _is_read(user.results[0], [_box(user)]))
            if is_read or user.name in ("tensor.extract_slice", "func.return"):
                zeros = _zeros(op) if zeros is None else zeros
                user.operands[use.operand_number] = zeros


def _is_read(value: ir.Value, written: list[Box | None]) -> bool:
    """Whether elements of `value` outside of the boxes `written` may be read."""
    boxes = [b for b in written if b is not None]
    if _covers(boxes, list(value.type.shape)):
        return False
    for use in value.uses:
        user = use.owner.operation
        if user.name == "tensor.insert_slice" and use.operand_number == 1:
            if _is_read(user.results[0], [*boxes, _box(user)]):
                return True
        elif not _is_overwritten(user, use.operand_number):
            return True
    return False


def _is_overwritten(user: ir.Operation, operand: int) -> bool:
    """Whether `user` takes the tensor only as its destination."""
    if not is_structured(user) or len(user.regions) != 1:
        return False
    return operand >= len(user.operands) - len(user.results) and not list(user.regions[0].blocks[0].arguments[operand].uses)


def _box(insert: ir.Operation) -> Box | None:
    """The box that an insertion writes; None if it is strided or dynamic."""
    view = insert.opview
    offsets, sizes, strides = ([int(n) for n in part] for part in (view.static_offsets, view.static_sizes, view.static_strides))
    if len(insert.operands) > 2 or any(n < 0 for n in (*offsets, *sizes)) or any(n != 1 for n in strides):
        return None
    return tuple((first, first + size) for first, size in zip(offsets, sizes, strict=True))


def _covers(boxes: list[Box], shape: list[int]) -> bool:
    """Whether the boxes cover every element; examined between the borders of all boxes."""
    borders = [sorted({0, *(n for box in boxes for n in box[d])}) for d in range(len(shape))]
    cells = product(*([n for n in item if n < size] for item, size in zip(borders, shape, strict=True)))
    return all(any(all(a <= n < b for n, (a, b) in zip(cell, box, strict=True)) for box in boxes) for cell in cells)


def _zeros(empty: ir.Operation) -> Any:
    kind = empty.results[0].type
    element = kind.element_type
    number = ir.FloatAttr.get(element, 0.0) if isinstance(element, ir.FloatType) else ir.IntegerAttr.get(element, 0)
    with ir.InsertionPoint.after(empty), empty.location:
        return linalg.fill(arith.constant(element, number), outs=[empty.results[0]])
