"""Lazy elementwise expressions over whole tiles, numbers and index expressions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Any

from allo_air.air.api.errors import TypeError
from allo_air.air.api.index import Index
from allo_air.air.api.refused import EXPECTED, refuse_operators
from allo_air.air.api.region import Region
from allo_air.air.api.symbol import Symbol


class Expression:
    """An elementwise expression; arithmetic builds larger ones, `dst[:] = ...` computes them."""

    def __add__(self, other: object) -> Expression:
        return combined("add", self, other)

    def __radd__(self, other: object) -> Expression:
        return combined("add", other, self)

    def __sub__(self, other: object) -> Expression:
        return combined("sub", self, other)

    def __rsub__(self, other: object) -> Expression:
        return combined("sub", other, self)

    def __mul__(self, other: object) -> Expression:
        return combined("mul", self, other)

    def __rmul__(self, other: object) -> Expression:
        return combined("mul", other, self)

    def __truediv__(self, other: object) -> Expression:
        return combined("div", self, other)

    def __rtruediv__(self, other: object) -> Expression:
        return combined("div", other, self)

    def __neg__(self) -> Expression:
        return Operation("neg", (operand(self, "-"),))

    def __bool__(self) -> bool:
        raise TypeError("an elementwise expression has no value while the program is traced: it cannot decide an `if`")


refuse_operators(Expression, EXPECTED)


@dataclass(frozen=True, eq=False)
class Operation(Expression):
    """An operation on operands, which are expressions, numbers or index expressions."""

    name: str
    operands: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class BufferSlice(Expression):
    """`buffer[...]`: the whole tile, for expressions, or a region, for transfers and channels."""

    buffer: Any
    region: Region | None

    @property
    def shape(self) -> tuple[int, ...]:
        """Its extents."""
        return tuple(self.buffer.shape) if self.region is None else self.region.sizes

    @property
    def dtype(self) -> Any:
        """The type of its elements."""
        return self.buffer.dtype


def combined(name: str, left: object, right: object) -> Expression:
    """`left` and `right` under the operation `name`."""
    return Operation(name, (operand(left, name), operand(right, name)))


def operand(value: object, name: str) -> Any:
    """`value` as an operand of an elementwise expression; TypeError for any other object."""
    value = getattr(value, "as_whole_tile", value)
    if isinstance(value, BufferSlice) and value.region is not None:
        raise TypeError(
            f"a region of {value.buffer.label} is in an elementwise expression ({name}), which takes whole tiles: load the "
            "region into a buffer of its own first"
        )
    if isinstance(value, Symbol):
        return int(value)
    number: Any = value
    if hasattr(value, "item") and getattr(value, "size", 1) == 1:  # numbers of numpy and ml_dtypes
        number = value.item()
    if type(number) is not bool and isinstance(number, Expression | Index | Real):
        return number
    raise TypeError(
        f"an elementwise expression ({name}) takes whole tiles `t[:]`, numbers and coordinates, got {type(value).__name__}"
    )


def tiles(expression: object) -> Iterator[BufferSlice]:
    """The tiles that the expression reads, in order."""
    if isinstance(expression, BufferSlice):
        yield expression
    elif isinstance(expression, Operation):
        for each in expression.operands:
            yield from tiles(each)
