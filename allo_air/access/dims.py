"""Walks as (size, stride) dimensions, outermost first: what they visit, and shorter ways to say the same."""

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
    """One offset for each of `rank` dimensions; those that are left out are `zero`."""
    return [zero] * (rank - len(offsets)) + list(offsets)


def volume(dims: Iterable[tuple[int, int]]) -> int:
    """Elements visited, each as often as it is."""
    return prod(size for size, _ in dims)


def merged(dims: Sequence[tuple[N, N]]) -> tuple[tuple[N, N], ...]:
    """The same walk in the fewest dimensions: none of size 1, and none that steps to where the next inner one ends."""
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


def places(dims: Iterable[tuple[int, int]], start: int = 0) -> list[int]:
    """The elements visited, in order; for walks of few."""
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
def overlap(first_dims: Dims, start: int, rest: Dims, other_start: int) -> bool:
    """Whether two walks, neither of them empty, visit a common element."""
    (low, one), (other_low, other) = _ascending(first_dims, start), _ascending(rest, other_start)
    if all(_is_nested(dims) and _runs(dims) <= _FEW_RUNS for dims in (one, other)):
        return _nested_overlap(one, low, other, other_low)
    return meet(addresses(first_dims, start), addresses(rest, other_start))


_FEW_RUNS = 4096
"""Runs that are compared one by one; more are left to numpy, which takes 40 ms to import."""


def _ascending(dims: Dims, start: int) -> tuple[int, Dims]:
    """The lowest element visited, and dimensions that visit the same from there on, the longest steps first."""
    return span(dims, start)[0], merged(sorted(((size, abs(stride)) for size, stride in dims), key=lambda dim: -dim[1]))


def _is_nested(dims: Dims) -> bool:
    """Whether each step of a dimension leads behind all that those inside it visit."""
    return all(stride > span(dims[index + 1 :])[1] for index, (_, stride) in enumerate(dims))


def _runs(dims: Dims) -> int:
    """The number of contiguous runs."""
    return volume(dims[:-1] if dims and dims[-1][1] == 1 else dims)


def _nested_overlap(one: Dims, low: int, dims: Dims, other_low: int) -> bool:
    high, other_high = span(one, low)[1], span(dims, other_low)[1]
    if max(low, other_low) > min(high, other_high):
        return False
    if low == other_low or (_is_run(one) and _is_run(dims)):
        return True
    if _is_run(one) or (not _is_run(dims) and dims[0][1] > one[0][1]):
        one, low, high, dims, other_low, other_high = dims, other_low, other_high, one, low, high
    size, stride = one[0]
    reach = span(one[1:])[1]
    if dims and dims[0][1] == stride:  # only how far apart the two are along this dimension counts
        (other_size, _), other_reach = dims[0], span(dims[1:])[1]
        first, last = -((other_low + other_reach - low) // stride), (low + reach - other_low) // stride
        apart = range(max(first, 1 - size), min(last, other_size - 1) + 1)
        return any(_nested_overlap(one[1:], low, dims[1:], other_low + n * stride) for n in apart)
    first, last = max(0, -((low + reach - other_low) // stride)), min(size - 1, (other_high - low) // stride)
    return any(_nested_overlap(one[1:], low + step * stride, dims, other_low) for step in range(first, last + 1))


def _is_run(dims: Dims) -> bool:
    return not dims or (len(dims) == 1 and dims[0][1] == 1)


def meet(one: Any, rest: Any) -> bool:
    """Whether two arrays of addresses, none of them empty, have one in common."""
    import numpy as np

    low, high = max(one.min(), rest.min()), min(one.max(), rest.max())
    if low > high:
        return False
    visited = np.zeros(high - low + 1, dtype=bool)
    visited[one[(one >= low) & (one <= high)] - low] = True
    return bool(visited[rest[(rest >= low) & (rest <= high)] - low].any())
