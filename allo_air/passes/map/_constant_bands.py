"""Constant masks of attention are computed from indices, if linear conditions on these decide their elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from allo_air.core.elements import array_of, is_elements
from allo_air.core.walking import is_result_of
from allo_air.mlir import arith, ir, linalg
from allo_air.passes._ir.generic import generic
from allo_air.passes._ir.tensors import empty, number_of
from allo_air.passes.map._attention import find_all

_DIRECTIONS = ((1, -1), (-1, 1), (0, -1), (0, 1), (-1, 0), (1, 0))
"""Factors of row and column in the conditions: diagonals below and above, columns and rows at the ends."""
_Condition = tuple[int, int, int]
"""The condition row factor * row + column factor * column + number >= 0."""


def compute_constant_masks(function: ir.Operation) -> None:
    """Replaces constant masks of attention by elementwise operations, if two numbers fill a band of rows and columns and the
    rest. Causal masks and sliding windows are bands.

    Before:

        %mask = arith.constant dense<[[0.0, -inf], [0.0, 0.0]]> : tensor<2x2xf32>

    After:

        %mask = linalg.generic outs(%e : tensor<2x2xf32>) { yield (arith.select (index 0 - index 1 >= 0), 0.0, -inf) }
    """
    for constant in {mask.data[0] for group in find_all(function) for mask in group.masks}:
        if is_result_of(constant, "arith.constant") and is_elements(constant.owner.attributes["value"]):
            _compute(constant)


def _compute(constant: ir.OpResult) -> None:
    array = array_of(constant.owner.attributes["value"])
    places = [n for n, extent in enumerate(array.shape) if extent > 1]
    if len(places) != 2:
        return
    matrix = array.reshape([array.shape[n] for n in places])
    numbers = _two_numbers(matrix)
    for inside, outside in (numbers, numbers[::-1]) if numbers else ():
        conditions = band(matrix == inside)
        if conditions is None:
            continue
        with ir.InsertionPoint.after(constant.owner), constant.owner.location:
            result = _computed(constant.type, places, conditions, (inside, outside))
        constant.replace_all_uses_with(result)
        return


def _two_numbers(matrix: np.ndarray) -> tuple[float, float] | None:
    """The two numbers that are the elements of `matrix`; None if there are more or fewer."""
    first = matrix[0, 0]
    differing = matrix[matrix != first]
    return (first, differing[0]) if len(differing) and (differing == differing[0]).all() else None


def band(inside: np.ndarray) -> list[_Condition] | None:
    """The conditions on row and column that are true where the matrix `inside` is, and only there; None if there are none."""
    rows, columns = np.nonzero(inside)
    if not len(rows):
        return None
    conditions = [(r, c, -int((r * rows + c * columns).min())) for r, c in _DIRECTIONS]
    for condition in conditions[::-1]:
        rest = [c for c in conditions if c != condition]
        if (_cells(rest, inside.shape) == inside).all():
            conditions = rest
    return conditions if (_cells(conditions, inside.shape) == inside).all() else None


def _cells(conditions: Sequence[_Condition], shape: Sequence[int]) -> np.ndarray:
    """Where all `conditions` are true in a matrix of `shape`."""
    row, column = np.ogrid[: shape[0], : shape[1]]
    result = np.ones(shape, bool)
    for of_row, of_column, number in conditions:
        result &= of_row * row + of_column * column + number >= 0
    return result


def _computed(
    kind: ir.RankedTensorType, places: Sequence[int], conditions: Sequence[_Condition], numbers: Sequence[float]
) -> Any:
    """The tensor of type `kind` with the first of `numbers` where `conditions` on the indices at `places` are true, and the
    second elsewhere.
    """

    def body(_: list[ir.Value]) -> list[Any]:
        row, column = (linalg.IndexOp(n).result for n in places)
        truth: Any = None
        for of_row, of_column, number in conditions:
            sum_ = _index(number)
            for index, factor in ((row, of_row), (column, of_column)):
                sum_ = arith.addi(sum_, index) if factor > 0 else arith.subi(sum_, index) if factor < 0 else sum_
            holds = arith.cmpi(arith.CmpIPredicate.sge, sum_, _index(0))
            truth = holds if truth is None else arith.andi(truth, holds)
        return [arith.select(truth, *(arith.constant(element, number_of(element, n)) for n in numbers))]

    rank, element = len(kind.shape), kind.element_type
    return generic([], [empty(kind)], [ir.AffineMap.get_identity(rank)], ["parallel"] * rank, body).results[0]


def _index(number: int) -> Any:
    return arith.constant(ir.IndexType.get(), number)
