"""Merges the pixel rows of a packed convolution into one row, so that a core's compiler pipelines a single loop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from allo_air.mlir import ir, memref
from allo_air.passes.kernel._windows import Terms, Windows

SHIFTS = range(8, 31)
"""Number of fraction bits of a reciprocal, so that products fit a scalar register."""


@dataclass(frozen=True)
class Rows:
    """The loop over pixels, the loop over rows that it includes, and the pixels per row."""

    pixel: int
    row: int
    columns: int


def in_one_row(windows: Windows) -> tuple[Windows, Rows | None]:
    """`windows` with its rows of pixels merged, and the loops from which the row of a pixel is computed (None if it is not
    needed); `windows` itself, and None, if its rows cannot be merged.

    The loop over columns runs over all pixels of the result, whose two dimensions become one, as do those of the image. The
    loop over rows has one iteration: its counter becomes the row number, by which pixels of the image are further apart.
    """
    pair = _rows_and_columns(windows)
    if pair is None:
        return windows, None
    row, column, result_at, image_at = pair
    down, across = (dict(windows.indices[0][image_at + n]) for n in (0, 1))
    wide, columns = windows.operands[0].type.shape[image_at + 1], windows.extents[column]
    between = down[row] * wide - columns * across[column]
    if between < 0:
        return windows, None
    terms: Terms = (*across.items(), *((d, f * wide) for d, f in down.items() if d != row))
    terms += ((row, between),) if between else ()
    image = [*windows.indices[0][:image_at], terms, *windows.indices[0][image_at + 2 :]]
    result = [*windows.indices[2][:result_at], ((column, 1),), *windows.indices[2][result_at + 2 :]]
    extents = list(windows.extents)
    extents[row], extents[column] = 1, extents[row] * columns
    first, weights, last = windows.operands
    operands = (_merge_dims(first, image_at), weights, _merge_dims(last, result_at))
    new = replace(windows, extents=tuple(extents), indices=(tuple(image), windows.indices[1], tuple(result)), buffers=operands)
    return new, Rows(column, row, columns) if between else None


def reciprocal(columns: int, pixels: int) -> tuple[int, int]:
    """The factor and the shift by which each of `pixels` numbers is divided by `columns`."""
    for shift in SHIFTS:
        factor = (1 << shift) // columns + 1
        if factor * pixels < 1 << 31 and all(n * factor >> shift == n // columns for n in range(columns - 1, pixels)):
            return factor, shift
    raise AssertionError("a buffer of a core has few pixels")


def _rows_and_columns(windows: Windows) -> tuple[int, int, int, int] | None:
    """The loops over rows and columns, and the row dimensions in result and image, which the column dimensions follow."""
    image, weights, result = windows.indices
    if (
        any(v.type.affine_map != ir.AffineMap.get_identity(v.type.rank) for v in (windows.operands[0], windows.operands[2]))
        or len(result) < 2
    ):
        return None
    of_weights = {d for terms in weights for d, _ in terms}
    if not any(d in of_weights and windows.extents[d] > 1 for d in windows.parallels):
        return None  # loops over rows and columns are jammed then
    for dim in range(len(result) - 1):
        if not all(len(terms) == 1 for terms in result[dim : dim + 2]):
            continue
        [(row, _)], [(column, _)] = result[dim : dim + 2]
        if {row, column} & of_weights or min(windows.extents[row], windows.extents[column]) == 1:
            continue
        places = [[n for n, terms in enumerate(image) if d in dict(terms)] for d in (row, column)]
        if [len(p) for p in places] == [1, 1] and places[1][0] == places[0][0] + 1:
            down, across = image[places[0][0]], image[places[1][0]]
            if len(dict(down)) == len(down) and len(dict(across)) == len(across) and not set(dict(down)) & set(dict(across)):
                return row, column, dim, places[0][0]
    return None


def _merge_dims(value: ir.Value, dim: int) -> Any:
    """`value` with its dimensions `dim` and `dim` + 1 merged."""
    shape = list(value.type.shape)
    kind = ir.MemRefType.get(
        [*shape[:dim], shape[dim] * shape[dim + 1], *shape[dim + 2 :]], value.type.element_type, None, value.type.memory_space
    )
    groups = [[n] for n in range(dim)] + [[dim, dim + 1]] + [[n] for n in range(dim + 2, len(shape))]
    return memref.CollapseShapeOp(kind, value, groups).result
