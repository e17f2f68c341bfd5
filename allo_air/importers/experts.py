"""Decomposes operations of mixtures of experts: histograms, and products in which each group of rows has its own matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor


def experts(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of histograms and grouped products. The sizes of groups are run-time values, so all rows are multiplied by
    all matrices.
    """
    aten = torch.ops.aten

    def histogram(x: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Any:
        low, high = (x.amin(), x.amax()) if min == max else (torch.full_like(x[:1], v) for v in (min, max))
        low, high = torch.where(low == high, low - 1, low), torch.where(low == high, high + 1, high)
        flat = x.flatten()
        place = ((flat - low) * bins / (high - low)).floor().clamp(max=bins - 1)
        place = torch.where((flat >= low) & (flat <= high), place, -1)
        return (place == torch.arange(bins, dtype=place.dtype)[:, None]).sum(1).to(x.dtype)

    def grouped(
        x: Tensor, weights: Tensor, ends: Tensor | None = None, bias: Tensor | None = None, out_dtype: Any = None
    ) -> Any:
        if x.dim() != 2 or weights.dim() != 3 or ends is None or bias is not None:
            return NotImplemented
        row = torch.arange(x.shape[0], dtype=ends.dtype)[:, None]
        starts = torch.cat([torch.zeros_like(ends[:1]), ends[:-1]])
        is_in_group = (row >= starts) & (row < ends)
        # a single product: each row is in its group's columns of a wide matrix, which is zero elsewhere
        wide = torch.where(is_in_group[..., None], x[:, None], 0).to(x.dtype).flatten(1)
        result = wide @ weights.flatten(0, 1)
        return result if out_dtype is None else result.to(out_dtype)

    products = (getattr(aten, "_grouped_mm", None), getattr(torch.ops.transformers, "grouped_mm_fallback", None))
    return {aten.histc.default: histogram} | {op.default: grouped for op in products if op is not None}
