"""Decomposes max pooling that torch-mlir computes incorrectly (adaptive) or lacks (no batch)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor


def pooling(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of max pooling in two and three dimensions; PyTorch expresses one dimension by two."""

    def pool(x: Tensor, size: Sequence[int]) -> Any:
        """The maxima [..., *size] and their positions in the flattened input, like PyTorch's."""
        extents = x.shape[x.dim() - len(size) :]
        if all(n % m == 0 for n, m in zip(extents, size, strict=True)):
            return in_windows[len(size)](x, [n // m for n, m in zip(extents, size, strict=True)])
        result = x
        for number, (n, m) in enumerate(zip(extents, size, strict=True)):
            dim = x.dim() - len(size) + number
            parts = [result.narrow(dim, start, end - start).amax(dim, keepdim=True) for start, end in _windows(n, m)]
            result = torch.cat(parts, dim)
        return result, _maximum_positions(torch, x, size)

    def of_a_batch(op: Callable[..., Any], rank: int) -> Callable[..., Any]:
        def decomposed(x: Tensor, *args: object, **kwargs: object) -> Any:
            if x.dim() == rank:
                return NotImplemented
            return tuple(r.squeeze(0) for r in op(x.unsqueeze(0), *args, **kwargs))

        return decomposed

    aten = torch.ops.aten
    in_windows = {2: aten.max_pool2d_with_indices.default, 3: aten.max_pool3d_with_indices.default}
    with_indices = ((in_windows[2], 4), (in_windows[3], 5))
    return {aten.adaptive_max_pool2d.default: pool, aten.adaptive_max_pool3d.default: pool} | {
        op: of_a_batch(op, rank) for op, rank in with_indices
    }


def _windows(extent: int, size: int) -> list[tuple[int, int]]:
    """Start and end of each of `size` windows over `extent` elements."""
    return [(i * extent // size, -(-(i + 1) * extent // size)) for i in range(size)]


def _maximum_positions(torch: ModuleType, x: Tensor, size: Sequence[int]) -> Any:
    """The positions of the maxima in the flattened input. Shorter windows repeat their last element, which is never the first
    maximum.
    """
    values, lead, places = x, x.dim() - len(size), torch.zeros([1] * (2 * len(size)), dtype=torch.int64)
    for number, m in enumerate(size):
        dim, n = lead + 2 * number, x.shape[lead + number]
        longest = max(end - start for start, end in _windows(n, m))
        i, k = torch.arange(m).unsqueeze(1), torch.arange(longest)
        end = torch.div((i + 1) * n + m - 1, m, rounding_mode="floor") - 1
        table = torch.minimum(torch.div(i * n, m, rounding_mode="floor") + k, end)
        values = values.index_select(dim, table.flatten()).unflatten(dim, (m, longest))
        lane = [1] * (2 * len(size))
        lane[2 * number : 2 * number + 2] = m, longest
        places = places * n + table.reshape(lane)
    order = [*range(0, 2 * len(size), 2), *range(1, 2 * len(size), 2)]
    argmax = values.permute(*range(lead), *(lead + n for n in order)).flatten(-len(size)).max(-1)[1]
    places = places.permute(*order).reshape(math.prod(size), -1)
    cells = torch.arange(places.shape[0]).reshape(tuple(size)) * places.shape[1]
    return places.flatten()[argmax + cells]
