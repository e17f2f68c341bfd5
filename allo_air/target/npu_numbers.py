"""Converts and checks numbers for the scalar arguments of sequences and functions."""

from __future__ import annotations

import math
import operator
from numbers import Real
from typing import Any

from allo_air.errors import AlloAirError, ArgumentError
from allo_air.mlir import ir


def number_of(item: object) -> int | float | None:
    """A number of Python, numpy or ml_dtypes, or an array without dimensions, as an int or a float; None for all else."""
    value: Any = item.item() if hasattr(item, "item") and getattr(item, "shape", None) == () else item
    if isinstance(value, float):
        return value
    try:
        return operator.index(value)
    except TypeError:
        return float(value) if isinstance(value, Real) else None


def is_number(item: object) -> bool:
    """Whether a value of Python is a number, no array."""
    return not hasattr(item, "__len__") and number_of(item) is not None


def represented(name: str, type_: ir.Type, value: object) -> int | float:
    """`value` for the attribute of a constant of type `type_`; AlloAirError if the type cannot represent it."""
    number = number_of(value)
    if number is None:
        raise ArgumentError(f"{name} is {value!r}, expected a number, of type {type_}")
    if isinstance(type_, ir.FloatType):
        try:
            result = float(number)
        except OverflowError:
            result = math.inf
        if math.isinf(ir.FloatAttr.get(type_, result).value) and number not in (math.inf, -math.inf):
            raise AlloAirError(f"{name} is {number}, which does not fit {type_}")
        return result
    if isinstance(number, float):
        if not number.is_integer():
            raise AlloAirError(f"{name} is {value!r}; expected an integer, of type {type_}")
        number = int(number)
    width = type_.width if isinstance(type_, ir.IntegerType) else 64
    if not -(1 << width - 1) <= number < 1 << width:
        raise AlloAirError(f"{name} is {number}, which does not fit {type_}")
    return number - (1 << width) if number >= 1 << width - 1 and width > 1 else number


def number_in(text: str) -> int | float:
    """The number in the text of a command-line option; ValueError if it is not a number."""
    if text in ("true", "false"):
        return int(text == "true")
    try:
        return int(text, 0)
    except ValueError:
        return float(text)
