"""Integers known up to a few SSA values: a constant plus multiples of index values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.mlir import ir


@dataclass(frozen=True)
class Linear:
    """`constant + sum(coefficient * value)`; `terms` holds each value once, no coefficient is 0."""

    constant: int = 0
    terms: tuple[tuple[Any, int], ...] = ()

    @property
    def is_constant(self) -> bool:
        return not self.terms

    def is_(self, number: int) -> bool:
        """Whether this is the constant `number`."""
        return not self.terms and self.constant == number

    def __add__(self, other: Linear) -> Linear:
        if not self.terms or not other.terms:
            return Linear(self.constant + other.constant, self.terms or other.terms)
        sums = dict(self.terms)
        for value, coefficient in other.terms:
            sums[value] = sums.get(value, 0) + coefficient
        return Linear(self.constant + other.constant, tuple((v, c) for v, c in sums.items() if c))

    def scaled(self, factor: int) -> Linear:
        if not factor:
            return ZERO
        return Linear(self.constant * factor, tuple((v, c * factor) for v, c in self.terms))

    def evaluate(self, values: Mapping[Any, int]) -> int:
        """The number this is when the SSA values are `values`; KeyError if one is missing."""
        return self.constant + sum(values[v] * c for v, c in self.terms)


ZERO = Linear(0)
ONE = Linear(1)


def product(a: Linear | None, b: Linear | None) -> Linear | None:
    """`a * b`; None where that is not linear, or a factor is unknown (None)."""
    if a is None or b is None:
        return None
    if a.is_constant:
        return b.scaled(a.constant)
    return a.scaled(b.constant) if b.is_constant else None


def of_int(number: int) -> Linear | None:
    """`number`, or None for MLIR's mark of a dynamic size, stride or offset."""
    return None if number == ir.ShapedType.get_dynamic_size() else Linear(number)


def of_value(value: Any) -> Linear:
    """The index `value`: its number where `arith.constant` makes it, else itself."""
    number = constant_of(value)
    return Linear(0, ((value, 1),)) if number is None else Linear(number)


def of_mixed(static: Any, dynamic: Any) -> list[Linear]:
    """A list as MLIR stores it: integers, and SSA values where an integer is the dynamic mark."""
    values = iter(dynamic)
    return [known if (known := of_int(s)) is not None else of_value(next(values)) for s in static]
