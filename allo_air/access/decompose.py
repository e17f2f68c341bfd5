"""Splits a transfer that does not fit a shim's BD into transfers that do: factors dimensions, or cuts them into pieces."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.access.dims import is_contiguous
from allo_air.access.fields import misfits
from allo_air.device import SHIM_BD

Walk = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Offset in elements, sizes and strides, outermost first."""
_MAX_PIECES = 1 << 12
_TRIES = 32  # runs of elements below a word are whole words


def fits_bd(sizes: Sequence[int], strides: Sequence[int], bits: int) -> bool:
    """Whether a BD holds a walk, outermost first."""
    dims = list(zip(sizes, strides, strict=True))
    result = misfits(dims, bits, SHIM_BD, 3)
    return not any(misfit.dim == 3 or not is_contiguous(dims[1:]) for misfit in result)


def decomposed(sizes: Sequence[int], strides: Sequence[int], bits: int) -> list[Walk] | None:
    """Walks that fit BDs and together visit the same elements in the same order; None if there are none."""
    if fits_bd(sizes, strides, bits):
        return [(0, tuple(sizes), tuple(strides))]
    if (dim_pair := _factored(sizes, strides, bits)) is not None:
        return [dim_pair]
    return _pieces(sizes, strides, bits)


def _factored(sizes: Sequence[int], strides: Sequence[int], bits: int) -> Walk | None:
    """The walk with one dimension of size N factored as a x b, if a dimension is free; None otherwise. The iteration, the
    outermost dimension, is not used for a factor.
    """
    used = [(n, t) for n, t in zip(sizes, strides, strict=True) if n > 1]
    if len(used) > 2 or sizes[0] > 1:
        return None
    for i, (size, stride) in enumerate(used):
        innermost = i == len(used) - 1
        for inner in _divisors(size, SHIM_BD.max_wraps[0]):
            dims = [*used[:i], (size // inner, stride * inner), (inner, stride), *used[i + 1 :]]
            if not innermost and stride != 1:
                dims = dims if used[-1][1] == 1 else [*dims, (1, 1)]
            if len(dims) > 3:
                continue
            dims = [(1, 0)] * (4 - len(dims)) + dims
            results = tuple(n for n, _ in dims), tuple(t for _, t in dims)
            if fits_bd(*results, bits):
                return 0, *results
    return None


def _divisors(number: int, most: int) -> list[int]:
    """Divisors of `number` that are at most `most`, in descending order, without 1 and `number`."""
    return [d for d in range(min(number // 2, most), 1, -1) if number % d == 0]


def _pieces(sizes: Sequence[int], strides: Sequence[int], bits: int) -> list[Walk] | None:
    """The outermost dimension with more than one element cut into as few pieces as fit, or deeper ones."""
    outer = next((i for i, n in enumerate(sizes) if n > 1), None)
    if outer is None:
        return None
    size, stride = sizes[outer], strides[outer]
    most = SHIM_BD.max_iterations if outer == 0 else SHIM_BD.max_wraps[0] * 32 // bits if outer == 3 else SHIM_BD.max_wraps[1]
    largest = min(size - 1, most)
    for piece in range(largest, max(largest - _TRIES, 0), -1):
        cut = [*sizes[:outer], piece, *sizes[outer + 1 :]]
        rest = size % piece
        last = [*sizes[:outer], rest, *sizes[outer + 1 :]]
        if fits_bd(cut, strides, bits) and (not rest or fits_bd(last, strides, bits)):
            starts = range(0, size, piece)
            if len(starts) > _MAX_PIECES:
                return None
            return [(s * stride, tuple(cut if s + piece <= size else last), tuple(strides)) for s in starts]
    inner = decomposed([*sizes[:outer], 1, *sizes[outer + 1 :]], strides, bits)
    if inner is None or len(inner) * size > _MAX_PIECES:
        return None
    return [(s * stride + offset, n, t) for s in range(size) for offset, n, t in inner]
