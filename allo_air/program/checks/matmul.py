"""Compares the result of a matrix multiplication with numpy: integers exactly, floats within a bound from K and the types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.dtypes import is_float
from allo_air.program.checks.blocks import BLOCK, STEP
from allo_air.program.matmul import Matmul

if TYPE_CHECKING:
    import numpy as np

_UNIT = {"f32": 2.0**-24, "bf16": 2.0**-8, "f16": 2.0**-11}
"""Unit roundoff of a float type: half the distance from 1 to the next larger number."""

_ACCUMULATOR = 2.0**-24
"""Unit roundoff of sums, which are in f32."""


@dataclass(frozen=True)
class Check:
    """Whether a result is right, and a sentence for the user about the check."""

    ok: bool
    message: str


def check_matmul(matmul: Matmul, a: np.ndarray, b: np.ndarray, c: np.ndarray, *, bfp16: bool = False) -> Check:
    """Compares `c` (M x N) with `a @ b` (M x K and K x N) in higher precision.

    Integers must be equal modulo 2^bits. For floats, a product of two bf16 numbers is exact in f32. The error of a sum of K
    terms in f32, in any order, is at most g sum |a||b| with g = K u / (1 - K u) and u = 2^-24 (Higham, Accuracy and Stability
    of Numerical Algorithms, 3.1); g also covers the rounding of products of f32. With `bfp16`, operands are also rounded to
    blocks. A result of a shorter type is rounded once more.
    """
    import numpy as np

    if not is_float(matmul.result):
        expected = integer_matmul(a, b, c.dtype)
        wrong = np.argwhere(c != expected)
        if not len(wrong):
            return Check(True, f"equal to numpy, all {c.size:,} elements (integers, exact, wrapping at {matmul.result})")
        position = tuple(int(i) for i in wrong[0])
        return Check(
            False,
            f"{len(wrong):,} of {c.size:,} elements differ from numpy, the first at {list(position)}: "
            f"{c[position]}, expected {expected[position]} (integers, exact)",
        )
    x, y = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(invalid="ignore"):
        exact, size = x @ y, np.abs(x) @ np.abs(y)
    terms = matmul.k * _ACCUMULATOR
    bound = terms / (1 - terms) * size
    if matmul.result != "f32":
        bound = bound + _UNIT[matmul.result] * (np.abs(exact) + bound)
    if bfp16:
        p, q = _largest(np.abs(x)), _largest(np.abs(y).T).T
        rounding = STEP * (p @ np.abs(y) + np.abs(x) @ q) + STEP**2 * (p @ q)
        rule = f"|error| <= s (A'|b| + |a|B') + s^2 A'B', s = 2^-6, A' and B' the largest of {BLOCK} along K (bfp16)"
        return _check_within(c, exact, bound + rounding, rule)
    return _check_within(c, exact, bound, f"|error| <= g sum|a||b|, g = K u / (1 - K u), K = {matmul.k}, u = 2^-24")


def _largest(a: np.ndarray) -> Any:
    """`a` with every element replaced by the largest magnitude of its block along the second dimension."""
    import numpy as np

    rows, k = a.shape
    blocks = -(-k // BLOCK)
    padded = np.zeros((rows, blocks * BLOCK))
    padded[:, :k] = a
    most = padded.reshape(rows, blocks, BLOCK).max(axis=2)
    return np.repeat(most, BLOCK, axis=1)[:, :k]


def _check_within(c: np.ndarray, exact: np.ndarray, bound: np.ndarray, rule: str) -> Check:
    """Whether `c` differs from `exact` by at most `bound` in each element; `rule` is the bound as text."""
    import numpy as np

    value = c.astype(np.float64)
    same = (value == exact) | (np.isnan(value) & np.isnan(exact))
    with np.errstate(invalid="ignore"):
        error = np.where(same, 0.0, np.abs(value - exact))
        excess = error - bound
    bad = ~(same | (excess <= 0))
    if not bad.any():
        worst = float(np.max(np.divide(error, bound, out=np.zeros_like(error), where=bound > 0), initial=0.0))
        return Check(True, f"within the bound of numpy in float64 everywhere: {rule}; at most {100 * worst:.1f} % of it used")
    index = np.unravel_index(int(np.argmax(np.where(bad, excess, -np.inf))), error.shape)
    position = tuple(int(i) for i in index)
    return Check(
        False,
        f"{int(bad.sum()):,} of {c.size:,} elements are outside of the bound ({rule}); the worst at {list(position)}: "
        f"{c[position]}, expected {exact[position]:.9g} +- {bound[position]:.3g}",
    )


def integer_matmul(a: np.ndarray, b: np.ndarray, result: np.dtype) -> Any:
    """`a @ b` of integers, wrapped to type `result`.

    float64 multiplies parts of 16 bits; their sums are exact for K < 2^20.
    """
    import numpy as np

    total = np.zeros((a.shape[0], b.shape[1]), np.uint64)
    for x, shift_x in _parts(a):
        for y, shift_y in _parts(b):
            if shift_x + shift_y < 64:
                exact = (x @ y).astype(np.int64).view(np.uint64)
                total += exact << np.uint64(shift_x + shift_y)
    return total.astype(result)


def _parts(a: np.ndarray) -> list[tuple[Any, int]]:
    """`a` as a sum of float64 matrices times powers of two, each with at most 16 bits and a sign."""
    import numpy as np

    if a.dtype.itemsize <= 2:
        return [(a.astype(np.float64), 0)]
    wide = a.astype(np.int64)
    return [((wide & 0xFFFF).astype(np.float64), 0), ((wide >> 16).astype(np.float64), 16)]
