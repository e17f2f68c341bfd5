"""Linear expressions: a constant plus multiples of SSA values (or any hashable objects)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from allo_air.mlir import ir


@dataclass(frozen=True)
class Linear:
    """`constant + sum(coefficient * value)`; each value occurs once in `terms`, with a coefficient other than 0."""

    constant: int = 0
    terms: tuple[tuple[ir.Value, int], ...] = ()

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

    def __mul__(self, other: Linear) -> Linear | None:
        """The product; None if it is not linear."""
        if self.is_constant:
            return other.scaled(self.constant)
        return self.scaled(other.constant) if other.is_constant else None

    def evaluate(self, values: Mapping[ir.Value, int]) -> int:
        """The number for the given `values` of SSA values; raises KeyError if one is missing."""
        return self.constant + sum(values[v] * c for v, c in self.terms)


ZERO = Linear(0)
ONE = Linear(1)


def product(a: Linear | None, b: Linear | None) -> Linear | None:
    """`a * b`; None if it is not linear, or if a factor is unknown (None)."""
    return None if a is None or b is None else a * b
