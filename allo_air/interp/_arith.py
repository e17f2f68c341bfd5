"""Integers and indices: Python numbers in two's complement of their type's width."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from allo_air.interp.errors import RunError
from allo_air.interp.rules import pure
from allo_air.interp.values import Tensor, constant_of, dtype_of, is_float, width_of, wrap
from allo_air.mlir import ir


def elementwise(op: Any, fn: Callable[..., Any]) -> Callable[..., Any]:
    """`fn`, which works on numbers, applied to each element when the operation is on vectors or tensors."""
    type_ = op.results[0].type
    if not isinstance(type_, ir.ShapedType):
        return fn
    apply = np.frompyfunc(fn, len(op.operands), 1)
    dtype = dtype_of(type_.element_type)

    def run(*arrays: Any) -> Any:
        known = [a.known for a in arrays if isinstance(a, Tensor) and a.known is not None]
        plain = [(a.array if isinstance(a, Tensor) else a).astype(object) for a in map(_shaped, arrays)]
        made = np.asarray(apply(*plain)).astype(dtype).reshape(type_.shape)
        if isinstance(type_, ir.RankedTensorType):
            return Tensor(made, np.logical_and.reduce(known) if known else None)
        return made

    return run


def _shaped(value: Any) -> Any:
    return value if isinstance(value, Tensor) else np.asarray(value)


def _divide(a: int, b: int) -> int:
    """Rounds to zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_INTEGER: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "divsi": _divide,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "remsi": lambda a, b: a - b * _divide(a, b),
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "maxsi": max,
    "minsi": min,
    "shrsi": lambda a, b: a >> b,
    "shli": lambda a, b: a << b,
}
_UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "divui": lambda a, b: a // b,
    "ceildivui": lambda a, b: -(-a // b),
    "remui": lambda a, b: a % b,
    "maxui": max,
    "minui": min,
    "shrui": lambda a, b: a >> b,
}
_DIVISIONS = ("divsi", "floordivsi", "ceildivsi", "remsi", "divui", "ceildivui", "remui")
_SHIFTS = ("shli", "shrsi", "shrui")


def _element(type_: Any) -> Any:
    return type_.element_type if isinstance(type_, ir.ShapedType) else type_


@pure(*(f"arith.{n}" for n in (*_INTEGER, *_UNSIGNED)))
def binary(op: Any) -> Callable[..., Any]:
    name = op.name.split(".")[1]
    width = width_of(_element(op.results[0].type))
    mask = (1 << width) - 1
    fn = _INTEGER.get(name) or _UNSIGNED[name]
    unsigned = name in _UNSIGNED

    def run(a: int, b: int) -> int:
        a, b = int(a), int(b)
        if unsigned:
            a, b = a & mask, b & mask
        if name in _DIVISIONS and b == 0:
            raise RunError(op, "divides by zero")
        if name in _SHIFTS and not 0 <= b < width:
            raise RunError(op, f"shifts by {b}, its type has {width} bits")
        return wrap(fn(a, b), width)

    return elementwise(op, run)


_PREDICATES: list[Callable[[int, int], bool]] = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
]


@pure("arith.cmpi")
def cmpi(op: Any) -> Callable[..., Any]:
    predicate = op.attributes["predicate"].value
    mask = (1 << width_of(_element(op.operands[0].type))) - 1
    compare = _PREDICATES[predicate if predicate < 6 else predicate - 4]
    if predicate < 6:
        return elementwise(op, lambda a, b: int(compare(a, b)))
    return elementwise(op, lambda a, b: int(compare(int(a) & mask, int(b) & mask)))


@pure("arith.index_cast", "arith.extsi", "arith.trunci")
def resize(op: Any) -> Callable[..., Any]:
    width = width_of(_element(op.results[0].type))
    source = width_of(_element(op.operands[0].type))
    if source == 1 and width > 1:
        return elementwise(op, lambda a: -int(a))  # the one bit is the sign
    return elementwise(op, lambda a: wrap(int(a), width))


@pure("arith.index_castui", "arith.extui")
def extend_unsigned(op: Any) -> Callable[..., Any]:
    width = width_of(_element(op.results[0].type))
    mask = (1 << width_of(_element(op.operands[0].type))) - 1
    return elementwise(op, lambda a: wrap(int(a) & mask, width))


@pure("arith.constant")
def constant(op: Any) -> Callable[..., Any]:
    value = constant_of(op.attributes["value"], op.results[0].type)
    return lambda: value


@pure("ub.poison")
def poison(op: Any) -> Callable[..., Any]:
    type_ = op.results[0].type
    dtype = dtype_of(_element(type_))
    if isinstance(type_, ir.VectorType):
        return lambda: np.zeros(type_.shape, dtype)
    return lambda: dtype.type(0) if is_float(dtype) else 0


@pure("arith.select")
def select(op: Any) -> Callable[..., Any]:
    shaped = isinstance(op.operands[0].type, ir.ShapedType)
    if shaped:
        return elementwise(op, lambda c, a, b: a if c else b)
    return lambda c, a, b: a if c else b
