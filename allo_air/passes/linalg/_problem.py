"""A matrix multiplication to plan: shape, types and storage order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from allo_air.errors import counted


@dataclass(frozen=True)
class EpilogueOperand:
    """A tensor operand of the epilogue, with `bits` per element: one element for each row of the result ("m"), each column
    ("n"), or each element ("mn").
    """

    along: Literal["m", "n", "mn"]
    bits: int


@dataclass(frozen=True)
class Problem:
    """C (m x n) = A (m x k) B (k x n), `batch` times; `transposed_a`, `transposed_b`: stored as k x m, n x k.

    `bits` are those of an element of A and B, `accumulator_bits` of C while it is computed, `result_bits` of the result that
    leaves the core. `epilogue` are further operands, applied to C before it leaves.
    """

    m: int
    n: int
    k: int
    element: str
    bits: int
    accumulator_bits: int
    result_bits: int
    batch: int = 1
    transposed_a: bool = False
    transposed_b: bool = False
    epilogue: tuple[EpilogueOperand, ...] = ()
    looped: bool = False
    """Whether there are loops of one or more iterations around the matrix multiplication."""
    unpad_result: bool = False
    """Whether another kernel needs the result without padding, so that a padded result is copied first."""
    epilogue_cycles: float = 0
    """Cycles of a core for the operations of the epilogue on one element."""
    wide_bits: int = 0
    """Width of the sum in registers if wider than `accumulator_bits`, to which it is rounded after each k step; else 0."""

    def __str__(self) -> str:
        times = f"{counted(self.batch, 'time')} " if self.batch > 1 else ""
        return f"{times}{self.m} x {self.n} x {self.k} of {self.element}"
