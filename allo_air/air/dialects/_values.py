"""Arguments of programs where a value or an attribute is expected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

from allo_air.dialects.air_values import LITERAL_LISTS
from allo_air.errors import AlloAirError
from allo_air.mlir import arith, ir

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


def as_value(operand: object) -> Any:
    """An SSA value: a value, an operation's result, or a number as an index constant."""
    if isinstance(operand, Integral):  # also those of numpy
        return arith.ConstantOp(ir.IndexType.get(), int(operand)).result
    if isinstance(operand, ir.OpView | ir.Operation):
        return operand.operation.result
    if not isinstance(operand, ir.Value):
        raise AlloAirError(f"an operand is {operand!r}, expected a value, an operation with one result, or an integer")
    return operand


def as_values(operands: object) -> list[Any]:
    """The values of a list, of one value, or none."""
    if operands is None:
        return []
    several = operands if isinstance(operands, Sequence | ir.OpResultList | ir.OpOperandList) else [operands]
    return [as_value(v) for v in several]


def as_buffer(operand: object, name: str) -> Any:
    """The value of a memref, for the argument `name` of a transfer."""
    value = as_value(operand)
    if not isinstance(value.type, ir.MemRefType | ir.UnrankedMemRefType):
        raise AlloAirError(f"{name} is a value of type {value.type}, expected a memref")
    return value


def as_indices(operands: object, name: str) -> list[Any]:
    """As `as_values`, of indices, for the argument `name`."""
    values = as_values(operands)
    for number, value in enumerate(values):
        if not isinstance(value.type, ir.IndexType):
            cast = "; arith.index_cast makes an index" if isinstance(value.type, ir.IntegerType) else ""
            raise AlloAirError(f"{name}[{number}] is a value of type {value.type}, expected an index or an integer{cast}")
    return values


def with_literals(op: AnyOp, lists: Iterable[Sequence[Any] | None]) -> Any:
    """`op`, a transfer whose access lists August's assembly shows with literals where one of `lists` has a number."""
    if any(isinstance(n, Integral) for values in lists for n in values or ()):
        op.operation.attributes[LITERAL_LISTS] = ir.UnitAttr.get()
    return op


def as_attribute(data: object) -> Any:
    """An attribute: one, text, a truth value, an integer (i64), or a list of them."""
    match data:
        case ir.Attribute():
            return data
        case ir.Type():
            return ir.TypeAttr.get(data)
        case bool():
            return ir.BoolAttr.get(data)
        case str():
            return ir.StringAttr.get(data)
        case Integral():
            return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), int(data))
        case float():
            return ir.FloatAttr.get_f32(data)
        case list() | tuple():
            return ir.ArrayAttr.get([as_attribute(v) for v in data])
        case None:
            return ir.UnitAttr.get()
    raise AlloAirError(f"an attribute is {data!r}, expected an attribute, text, a number, or a list of them")
