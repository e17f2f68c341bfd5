"""Updates calls of a kernel whose signature changed: operands are reshaped and padded, results are sliced and reshaped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from allo_air.core.names import function_type_of
from allo_air.mlir import func, ir, tensor
from allo_air.passes._analysis.kernels import calls_of
from allo_air.passes._ir.packing import pad_by
from allo_air.passes._ir.tensors import empty

Convert = Callable[[Any, Any], Any]
"""A function of a value and the type to convert it to; it returns the converted value."""


def reshape(function: ir.Operation, before: ir.FunctionType) -> None:
    """Makes calls of `function`, whose type was `before`, reshape tensors to and from its new types of equal element
    counts.
    """
    if function_type_of(function) != before:
        update_calls(function, reshape_to, reshape_to)


def pad(function: ir.Operation, before: ir.FunctionType) -> None:
    """Makes calls of `function`, whose type was `before`, pass longer tensors; the padding is undefined."""
    if function_type_of(function) != before:
        update_calls(function, enlarged, corner)


def update_calls(function: ir.Operation, forth: Convert | Sequence[Convert], back: Convert, again: Sequence[int] = ()) -> None:
    """Updates calls of `function` to its new type: `forth` (or one each) converts operands, `back` results.

    Calls pass the operands numbered `again` a second time, after the others.
    """
    new_type = function_type_of(function)
    converts = forth if isinstance(forth, Sequence) else [forth] * len(new_type.inputs)
    for call in calls_of(function):
        with ir.InsertionPoint(call), call.location:
            passed = [*call.operands, *(call.operands[n] for n in again)]
            operands = [convert(v, t) for convert, v, t in zip(converts, passed, new_type.inputs, strict=True)]
            op = func.CallOp(list(new_type.results), call.attributes["callee"], operands)
            for old, new in zip(call.results, op.operation.results, strict=True):
                old.replace_all_uses_with(back(new, old.type))
        call.erase()


def reshape_to(value: ir.Value, kind: ir.Type) -> Any:
    """`value` as a tensor of type `kind`, with as many elements in the same order."""
    have = value.type
    if have == kind or not isinstance(kind, ir.RankedTensorType):
        return value
    groups = _reassociation(have.shape, kind.shape)
    if groups is None:
        flat = ir.RankedTensorType.get([prod(kind.shape)], kind.element_type)
        return reshape_to(reshape_to(value, flat), kind)
    if len(kind.shape) < len(have.shape):
        return tensor.collapse_shape(kind, value, groups)
    return tensor.expand_shape(kind, value, groups, [], list(kind.shape))


def _reassociation(first: list[int], second: list[int]) -> list[list[int]] | None:
    """The dimensions of the longer shape that form each dimension of the shorter one; None if there is no such grouping."""
    long, short = (first, second) if len(first) >= len(second) else (second, first)
    if not short:
        return []
    groups: list[list[int]] = []
    dim = 0
    for number, extent in enumerate(short):
        group = [dim]
        size = long[dim] if dim < len(long) else 0
        dim += 1
        while dim < len(long) and (size < extent or (number == len(short) - 1)):
            size *= long[dim]
            group.append(dim)
            dim += 1
        if size != extent:
            return None
        groups.append(group)
    return groups if dim == len(long) else None


def enlarged(value: ir.Value, kind: ir.Type) -> Any:
    """`value` in the leading corner of a tensor of type `kind`."""
    if value.type == kind:
        return value
    value = reshape_to(value, _ranked(value.type))
    shape = list(value.type.shape)
    return tensor.insert_slice(value, empty(kind), [], [], [], [0] * len(shape), shape, [1] * len(shape))


def with_zeros(value: ir.BlockArgument | ir.OpResult, kind: ir.RankedTensorType) -> Any:
    """`value` in the leading corner of a zero tensor of type `kind`."""
    if value.type == kind:
        return value
    return pad_by(value, [0] * kind.rank, [new - old for new, old in zip(kind.shape, value.type.shape, strict=True)])


def corner(value: ir.Value, kind: ir.Type) -> Any:
    """The leading corner of type `kind` of a tensor."""
    if value.type == kind:
        return value
    ranked = _ranked(kind)
    rank = len(ranked.shape)
    corner = tensor.extract_slice(ranked, value, [], [], [], [0] * rank, list(ranked.shape), [1] * rank)
    return reshape_to(corner, kind)


def _ranked(kind: Any) -> Any:
    """The type as a tensor of rank 1 and one element if it has rank 0; otherwise unchanged."""
    return kind if kind.shape else ir.RankedTensorType.get([1], kind.element_type)
