"""Emits scalar code for expressions of elements: floats as f32, integers as i32."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.mlir import arith, ir
from allo_air.passes.map._elements import Element
from allo_air.passes.map._softmax_form import number_of

Ask = Callable[[Element], Any]


def emit(element: Element, ask: Ask) -> Any:
    """The value of `element` at the insertion point; `ask` returns the values of tensor elements, indices and reductions."""
    values_by_part: dict[int, Any] = {}

    def value_of(part: Element) -> Any:
        if id(part) not in values_by_part:
            values_by_part[id(part)] = _value(part, ask, value_of)
        return values_by_part[id(part)]

    return value_of(element)


def as_f32(value: ir.Value) -> Any:
    """A float as f32."""
    f32 = ir.F32Type.get()
    return value if value.type == f32 else arith.extf(f32, value)


def computed_type(kind: ir.Type) -> ir.Type:
    """The type in which values of type `kind` are computed."""
    if isinstance(kind, ir.FloatType):
        return ir.F32Type.get()
    if isinstance(kind, ir.IntegerType) and kind.width > 32:
        return ir.IntegerType.get_signless(32)
    return kind


def _value(part: Element, ask: Ask, value_of: Ask) -> Any:
    if part.kind in ("load", "index", "reduce"):
        return ask(part)
    kind = computed_type(part.type)
    number = number_of(part)
    if number is not None:
        return arith.constant(kind, ir.FloatAttr.get(kind, number))
    if part.kind == "constant":
        attribute = part.data[0]
        return arith.constant(kind, ir.IntegerAttr.get(kind, int(attribute.value)))
    operands = [value_of(o) for o in part.operands]
    if len(operands) == 1 and operands[0].type == kind and part.data[0] in _CASTS:
        return operands[0]
    attributes = {name: part.op.attributes[name] for name in part.op.attributes}
    return ir.Operation.create(part.data[0], [kind], operands, attributes).results[0]


_CASTS = ("arith.extf", "arith.truncf", "arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast")
