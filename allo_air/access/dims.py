"""Walks as (size, stride) dimensions, outermost first: the elements that they visit, and equal walks of fewer dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import prod
from operator import mul
from typing import TYPE_CHECKING, Any, TypeVar

from allo_air.access.linear import Linear

if TYPE_CHECKING:
    from allo_air.mlir import ir

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


def aligned(offsets: Sequence[Linear | ir.OpResult], rank: int, zero: Any = 0) -> list[Linear]:
    """One offset for each of `rank` dimensions. If there are fewer, they belong to the innermost ones, and the others are
    `zero`.
    """
    return [zero] * (rank - len(offsets)) + list(offsets)


def volume(dims: Iterable[tuple[int, int]]) -> int:
    """The number of visits: elements that are visited several times count several times."""
    return prod(size for size, _ in dims)


def merged(dims: Sequence[tuple[N, N]]) -> tuple[tuple[N, N], ...]:
    """The same walk in the fewest dimensions: without dimensions of size 1, and with an outer dimension merged into the inner
    one if the inner one ends where the outer one steps to.
    """
    results: list[tuple[N, N]] = []
    for size, stride in reversed(dims):
        if size == 1 or (isinstance(size, Linear) and size.is_(1)):
            continue
        if results and results[-1][0] * results[-1][1] == stride and (both := size * results[-1][0]) is not None:
            results[-1] = (both, results[-1][1])
        else:
            results.append((size, stride))
    return tuple(reversed(results))


def is_contiguous(dims: Sequence[tuple[int, int]]) -> bool:
    """Whether the accessed elements are contiguous, in order."""
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


def visited_elements(dims: Iterable[tuple[int, int]], start: int = 0) -> list[int]:
    """The visited elements in order, as a list; meant for short walks."""
    walked = [start]
    for size, stride in dims:
        walked = [place + step * stride for place in walked for step in range(size)]
    return walked


def addresses(dims: Iterable[tuple[int, int]], start: int = 0) -> Any:
    """The elements visited, in order: a numpy int64 array of shape (volume,)."""
    import numpy as np

    walked = np.full(1, start, dtype=np.int64)
    for size, stride in dims:
        walked = (walked[:, None] + np.arange(size) * stride).reshape(-1)
    return walked


@lru_cache(maxsize=4096)
def overlap(first_dims: Dims, start: int, second_dims: Dims, second_start: int) -> bool:
    """Whether two walks, neither of them empty, visit a common element."""
    (low, first_rest), (second_low, second_rest) = _ascending(first_dims, start), _ascending(second_dims, second_start)
    if all(_is_nested(dims) and _runs(dims) <= _FEW_RUNS for dims in (first_rest, second_rest)):
        return _nested_overlap(first_rest, low, second_rest, second_low)
    return have_common_address(addresses(first_dims, start), addresses(second_dims, second_start))


_FEW_RUNS = 4096
"""Largest number of runs that are compared one by one; for more, numpy is imported, which takes 40 ms."""


def _ascending(dims: Dims, start: int) -> tuple[int, Dims]:
    """The lowest visited element, and dimensions that visit the same elements from there on, in descending order of strides."""
    return span(dims, start)[0], merged(sorted(((size, abs(stride)) for size, stride in dims), key=lambda dim: -dim[1]))


def _is_nested(dims: Dims) -> bool:
    """Whether each step of a dimension is longer than the extent of the dimensions inside it."""
    return all(stride > span(dims[index + 1 :])[1] for index, (_, stride) in enumerate(dims))


def _runs(dims: Dims) -> int:
    """The number of contiguous runs."""
    return volume(dims[:-1] if dims and dims[-1][1] == 1 else dims)


def _nested_overlap(first_dims: Dims, low: int, second_dims: Dims, second_low: int) -> bool:
    high, second_high = span(first_dims, low)[1], span(second_dims, second_low)[1]
    if max(low, second_low) > min(high, second_high):
        return False
    if low == second_low or (_is_run(first_dims) and _is_run(second_dims)):
        return True
    if _is_run(first_dims) or (not _is_run(second_dims) and second_dims[0][1] > first_dims[0][1]):
        first_dims, second_dims = second_dims, first_dims
        low, high, second_low, second_high = second_low, second_high, low, high
    size, stride = first_dims[0]
    reach = span(first_dims[1:])[1]
    if second_dims and second_dims[0][1] == stride:  # only how far apart the two are along this dimension counts
        (second_size, _), second_reach = second_dims[0], span(second_dims[1:])[1]
        first, last = -((second_low + second_reach - low) // stride), (low + reach - second_low) // stride
        apart = range(max(first, 1 - size), min(last, second_size - 1) + 1)
        return any(_nested_overlap(first_dims[1:], low, second_dims[1:], second_low + n * stride) for n in apart)
    first, last = max(0, -((low + reach - second_low) // stride)), min(size - 1, (second_high - low) // stride)
    return any(_nested_overlap(first_dims[1:], low + step * stride, second_dims, second_low) for step in range(first, last + 1))


def _is_run(dims: Dims) -> bool:
    return not dims or (len(dims) == 1 and dims[0][1] == 1)


def have_common_address(first: Any, rest: Any) -> bool:
    """Whether two non-empty arrays of addresses have a common address."""
    import numpy as np

    low, high = max(first.min(), rest.min()), min(first.max(), rest.max())
    if low > high:
        return False
    visited = np.zeros(high - low + 1, dtype=bool)
    visited[first[(first >= low) & (first <= high)] - low] = True
    return bool(visited[rest[(rest >= low) & (rest <= high)] - low].any())
