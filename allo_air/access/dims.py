"""Walks as (size, stride) dimensions, outermost first: what they visit, and shorter ways to say the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from operator import mul
from typing import Any, TypeVar

from allo_air.access.linear import Linear

N = TypeVar("N", int, Linear)
Dims = tuple[tuple[int, int], ...]
"""(size, stride) in elements, outermost first."""


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a dense buffer of `shape`."""
    strides = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        strides[i] = strides[i + 1] * shape[i + 1]
    return tuple(strides)


def start_of(offsets: Sequence[int], strides: Sequence[int]) -> int:
    """The element at which lists start; the offsets may be fewer than the strides."""
    return sum(map(mul, reversed(offsets), reversed(strides)))


def aligned(offsets: Sequence[Any], rank: int, zero: Any = 0) -> list[Linear]:
    """One offset for each of `rank` dimensions; those that are left out are `zero`."""
    return [zero] * (rank - len(offsets)) + list(offsets)


def volume(dims: Iterable[tuple[int, int]]) -> int:
    """Elements visited, each as often as it is."""
    return prod(size for size, _ in dims)


def merged(dims: Sequence[tuple[N, N]]) -> tuple[tuple[N, N], ...]:
    """The same walk in the fewest dimensions: none of size 1, and none that steps to where the next inner one ends."""
    found: list[tuple[N, N]] = []
    for size, stride in reversed(dims):
        if size == 1 or (isinstance(size, Linear) and size.is_(1)):
            continue
        if found and found[-1][0] * found[-1][1] == stride and (both := size * found[-1][0]) is not None:
            found[-1] = (both, found[-1][1])
        else:
            found.append((size, stride))
    return tuple(reversed(found))


def is_contiguous(dims: Sequence[tuple[int, int]]) -> bool:
    """Whether each element visited lies directly behind the one before."""
    runs = merged(dims)
    return not runs or (len(runs) == 1 and runs[0][1] == 1)


def is_dense(dims: Iterable[tuple[int, int]]) -> bool:
    """Whether all elements between the lowest and the highest are visited, each once, in whatever order."""
    return is_contiguous(sorted(((size, abs(stride)) for size, stride in dims if size != 1), key=lambda dim: -dim[1]))


def span(dims: Iterable[tuple[int, int]], start: int = 0) -> tuple[int, int]:
    """The lowest and the highest element visited."""
    low = high = start
    for size, stride in dims:
        reach = (size - 1) * stride
        if reach < 0:
            low += reach
        else:
            high += reach
    return low, high


def addresses(dims: Iterable[tuple[int, int]], start: int = 0) -> Any:
    """The elements visited, in order: a numpy int64 array of shape (volume,)."""
    import numpy as np

    walked = np.full(1, start, dtype=np.int64)
    for size, stride in dims:
        walked = (walked[:, None] + np.arange(size) * stride).reshape(-1)
    return walked


def meet(mine: Any, others: Any) -> bool:
    """Whether two arrays of addresses, none of them empty, have one in common."""
    import numpy as np

    low, high = max(mine.min(), others.min()), min(mine.max(), others.max())
    if low > high:
        return False
    visited = np.zeros(high - low + 1, dtype=bool)
    visited[mine[(mine >= low) & (mine <= high)] - low] = True
    return bool(visited[others[(others >= low) & (others <= high)] - low].any())
