"""Builders for tensor operations."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import ir, linalg, tensor


def empty(kind: Any) -> Any:
    """A tensor.empty of ranked type `kind` of static shape, at the insertion point."""
    return tensor.EmptyOp(list(kind.shape), kind.element_type).result  # type: ignore[arg-type]


def filled(value: ir.Value, kind: Any) -> Any:
    """A tensor of ranked type `kind` with the number `value` in each element."""
    return linalg.fill(value, outs=[empty(kind)])


def number_of(element: ir.Type, number: float) -> ir.Attribute:
    """`number` as an integer or float of type `element`."""
    is_float = isinstance(element, ir.FloatType)
    return ir.FloatAttr.get(element, float(number)) if is_float else ir.IntegerAttr.get(element, int(number))


def zero_of(element: ir.Type) -> ir.Attribute:
    """Zero as an integer or float of type `element`."""
    return number_of(element, 0)


def all_parallel(loops: int) -> ir.ArrayAttr:
    """The iterator types of an elementwise operation with the given number of loops."""
    return ir.ArrayAttr.get([ir.Attribute.parse("#linalg.iterator_type<parallel>")] * loops)
