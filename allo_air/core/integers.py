"""Integer arithmetic of MLIR's arith dialect, bit for bit, on Python numbers.

A Python number represents a value of `width` bits in two's complement; an index has 64 bits. A single bit is 0 or 1;
operations with signed operands read 1 as -1.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

from allo_air.errors import counted
from allo_air.mlir import ir

INDEX_WIDTH = 64

Function = Callable[..., Any]
"""A function from the operands to the result, or a tuple of results; it may raise Undefined."""


class Undefined(ArithmeticError):
    """The result of an operation is poison, or its behaviour is undefined; the text gives the reason."""


def width_of(type_: Any) -> int:
    """Bits of an integer or index type, or of the elements of a shaped one."""
    if isinstance(type_, ir.ShapedType):
        type_ = type_.element_type
    return INDEX_WIDTH if isinstance(type_, ir.IndexType) else int(type_.width)


@cache
def wrapping(width: int) -> Callable[[int], int]:
    """A function that maps an integer to the value of its low `width` bits."""
    if width == 1:
        return lambda value: value & 1
    mask, sign = (1 << width) - 1, 1 << (width - 1)
    return lambda value: ((value & mask) ^ sign) - sign


def wrap(value: int, width: int) -> int:
    """The number that the low `width` bits of `value` represent."""
    return wrapping(width)(value)


def truncated(a: int, b: int) -> int:
    """The quotient, rounded to zero."""
    return a // b if (a < 0) == (b < 0) else -(-a // b)


_BINARY: dict[str, Callable[[int, int], int]] = {
    "addi": operator.add,
    "subi": operator.sub,
    "muli": operator.mul,
    "andi": operator.and_,
    "ori": operator.or_,
    "xori": operator.xor,
    "shli": operator.lshift,
    "shrsi": operator.rshift,
    "shrui": operator.rshift,
    "divsi": truncated,
    "divui": operator.floordiv,
    "floordivsi": operator.floordiv,
    "ceildivsi": lambda a, b: -(-a // b),
    "ceildivui": lambda a, b: -(-a // b),
    "remsi": lambda a, b: a - b * truncated(a, b),
    "remui": operator.mod,
    "minsi": min,
    "minui": min,
    "maxsi": max,
    "maxui": max,
}
_COMPARE = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
_SIGNED_CASTS = ("index_cast", "extsi", "trunci", "bitcast")
_UNSIGNED_CASTS = ("index_castui", "extui")


@cache
def binary(name: str, width: int) -> Function:
    """arith's operation `name` on two numbers of `width` bits."""
    fn, mask, wrapped = _BINARY[name], (1 << width) - 1, wrapping(width)
    if name.startswith("sh"):
        return _shift(name, width)
    if "div" in name or "rem" in name:
        return _division(name, width)
    if name.endswith("ui"):
        return lambda a, b: wrapped(fn(a & mask, b & mask))
    if width == 1 and name.endswith("si"):
        return lambda a, b: fn(-a, -b) & 1
    return lambda a, b: wrapped(fn(a, b))


def _shift(name: str, width: int) -> Function:
    fn, mask, wrapped = _BINARY[name], (1 << width) - 1, wrapping(width)

    def run(a: int, b: int) -> int:
        b &= mask
        if b >= width:
            raise Undefined(f"shifts by {b}, its type has {counted(width, 'bit')}")
        return wrapped(fn(a & mask if name == "shrui" else a, b))

    return run


def _division(name: str, width: int) -> Function:
    fn, mask, most = _BINARY[name], (1 << width) - 1, (1 << (width - 1)) - 1
    unsigned, wrapped = name.endswith("ui"), wrapping(width)

    def run(a: int, b: int) -> int:
        if not b:
            raise Undefined("divides by zero")
        if unsigned:
            return wrapped(fn(a & mask, b & mask))
        result = fn(a, b) if width > 1 else fn(-a, -b)
        if result > most:
            raise Undefined(f"divides {a} by {b}, which has no result in {counted(width, 'bit')}")
        return wrapped(result)

    return run


@cache
def comparison(predicate: int, width: int) -> Function:
    """arith.cmpi with a predicate: eq, ne; slt, sle, sgt, sge; ult, ule, ugt, uge."""
    fn, mask = _COMPARE[predicate if predicate < 6 else predicate - 4], (1 << width) - 1
    if predicate >= 6:
        return lambda a, b: int(fn(a & mask, b & mask))
    if width == 1 and predicate >= 2:
        return lambda a, b: int(fn(-a, -b))
    return lambda a, b: int(fn(a, b))


@cache
def cast(name: str, source: int, width: int) -> Function:
    """arith's cast `name` of integers and indices from `source` to `width` bits."""
    wrapped, mask = wrapping(width), (1 << source) - 1
    if name in _UNSIGNED_CASTS:
        return lambda a: wrapped(a & mask)
    return (lambda a: wrapped(-a)) if source == 1 else wrapped


@cache
def extended(name: str, width: int) -> Function:
    """arith.addui_extended, mulsi_extended and mului_extended: the low half, and the carry or the high half."""
    wrapped, mask = wrapping(width), (1 << width) - 1
    if name == "addui_extended":
        return lambda a, b: (wrapped(a + b), ((a & mask) + (b & mask)) >> width)
    if name == "mului_extended":
        return lambda a, b: (wrapped(a * b), wrapped((a & mask) * (b & mask) >> width))
    sign = -1 if width == 1 else 1
    return lambda a, b: (wrapped(a * b), wrapped((sign * a) * (sign * b) >> width))


def _of_binary(op: ir.Operation) -> Function:
    return binary(op.name[6:], width_of(op.results[0].type))


def _of_cmpi(op: ir.Operation) -> Function:
    return comparison(op.attributes["predicate"].value, width_of(op.operands[0].type))


def _of_cast(op: ir.Operation) -> Function:
    return cast(op.name[6:], width_of(op.operands[0].type), width_of(op.results[0].type))


def _of_extended(op: ir.Operation) -> Function:
    return extended(op.name[6:], width_of(op.results[0].type))


def _of_select(op: ir.Operation) -> Function:
    return lambda condition, a, b: a if condition else b


def _of_constant(op: ir.Operation) -> Function | None:
    attribute = op.attributes["value"]
    if not isinstance(attribute, ir.IntegerAttr | ir.BoolAttr):
        return None
    number = wrap(int(attribute.value), width_of(op.results[0].type))
    return lambda: number


RULES: dict[str, Callable[[Any], Function | None]] = {
    **{f"arith.{name}": _of_binary for name in _BINARY},
    **{f"arith.{name}": _of_cast for name in (*_SIGNED_CASTS, *_UNSIGNED_CASTS)},
    **{f"arith.{name}_extended": _of_extended for name in ("addui", "mulsi", "mului")},
    "arith.cmpi": _of_cmpi,
    "arith.select": _of_select,
    "arith.constant": _of_constant,
}
"""By operation name, a rule that returns the function from operands to results; None if the operation is not on integers."""
