"""A token's row as planes of 8-bit integers, for products with 8-bit weights in integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from allo_air.llm.form import Form

if TYPE_CHECKING:
    from torch import Tensor

PLANE_COLUMNS = 8
"""Columns of planes, padded with zeros: cores multiply eight at a time."""


def columns_of(form: Form, columns: int) -> int:
    """Number of columns of a WholeProduct, for rows of `columns` weights."""
    parts = columns // form.hidden
    return form.hidden if columns % form.hidden == 0 and planes_for(parts) > 1 else columns


def planes_for(parts: int) -> int:
    """The number of planes for a row in `parts` parts. Three planes have as many bits as a float's mantissa; two have 15."""
    return min(3, PLANE_COLUMNS // parts)


def unit_of(y: Tensor, count: int) -> float:
    """The value of 1 in the last of `count` planes."""
    return max(float(y.double().abs().max()), 1e-30) / (127 * 256 ** (count - 1))


def planes_of(y: Tensor, columns: int) -> Any:
    """The row `y` [1, n] as planes [columns, PLANE_COLUMNS] of i8: part by part, the most significant plane first."""
    parts = y.shape[1] // columns
    count = planes_for(parts)
    rest_of_value = (y[0].double() / unit_of(y, count)).round().long().reshape(parts, columns)
    planes = torch.zeros(parts, count, columns, dtype=torch.int8)
    for number in reversed(range(count)):
        low = (rest_of_value + 128) % 256 - 128 if number else rest_of_value
        planes[:, number] = low.to(torch.int8)
        rest_of_value = (rest_of_value - low) // 256
    zeros = torch.zeros(columns, PLANE_COLUMNS, dtype=torch.int8)
    zeros[:, : parts * count] = planes.reshape(parts * count, columns).t()
    return zeros
