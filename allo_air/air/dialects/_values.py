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


def as_value(given: object) -> Any:
    """An SSA value: a value, an operation's result, or a number as an index constant."""
    if isinstance(given, Integral):  # also those of numpy
        return arith.ConstantOp(ir.IndexType.get(), int(given)).result
    if isinstance(given, ir.OpView | ir.Operation):
        return given.operation.result
    if not isinstance(given, ir.Value):
        raise AlloAirError(f"an operand is {given!r}, wanted a value, an operation with one result, or an integer")
    return given


def as_values(given: object) -> list[Any]:
    """The values of a list, of one value, or none."""
    if given is None:
        return []
    several = given if isinstance(given, Sequence | ir.OpResultList | ir.OpOperandList) else [given]
    return [as_value(v) for v in several]


def as_buffer(given: object, name: str) -> Any:
    """The value of a memref, for the argument `name` of a transfer."""
    value = as_value(given)
    if not isinstance(value.type, ir.MemRefType | ir.UnrankedMemRefType):
        raise AlloAirError(f"{name} is a value of type {value.type}, wanted a memref")
    return value


def as_indices(given: object, name: str) -> list[Any]:
    """As `as_values`, of indices, for the argument `name`."""
    values = as_values(given)
    for number, value in enumerate(values):
        if not isinstance(value.type, ir.IndexType):
            cast = "; arith.index_cast makes an index" if isinstance(value.type, ir.IntegerType) else ""
            raise AlloAirError(f"{name}[{number}] is a value of type {value.type}, wanted an index or an integer{cast}")
    return values


def with_literals(op: AnyOp, lists: Iterable[Sequence[Any] | None]) -> Any:
    """`op`, a transfer whose access lists August's assembly shows with literals where one of `lists` has a number."""
    if any(isinstance(n, Integral) for values in lists for n in values or ()):
        op.operation.attributes[LITERAL_LISTS] = ir.UnitAttr.get()
    return op


def as_attribute(given: object) -> Any:
    """An attribute: one, text, a truth value, an integer (i64), or a list of them."""
    match given:
        case ir.Attribute():
            return given
        case ir.Type():
            return ir.TypeAttr.get(given)
        case bool():
            return ir.BoolAttr.get(given)
        case str():
            return ir.StringAttr.get(given)
        case Integral():
            return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), int(given))
        case float():
            return ir.FloatAttr.get_f32(given)
        case list() | tuple():
            return ir.ArrayAttr.get([as_attribute(v) for v in given])
        case None:
            return ir.UnitAttr.get()
    raise AlloAirError(f"an attribute is {given!r}, wanted an attribute, text, a number, or a list of them")
