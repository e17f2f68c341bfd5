"""Decomposes linear interpolation into a weighted sum of two selections: the neighbours of each element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor


def resizing(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of linear and bilinear upsampling. torch-mlir reads each element at computed indices instead."""
    aten = torch.ops.aten

    def resize(x: Tensor, sizes: Sequence[int], align: bool, scales: Sequence[float | None]) -> Any:
        if not x.is_floating_point() or not all(isinstance(n, int) for n in (*x.shape, *sizes)):
            return NotImplemented
        wide = x if x.dtype in (torch.float32, torch.float64) else x.float()
        for dim in reversed(range(2, x.ndim)):
            low, high, weights = _neighbours(torch, x.shape[dim], sizes[dim - 2], scales[dim - 2], align)
            weights = weights.to(wide.dtype).reshape(-1, *[1] * (x.ndim - 1 - dim))
            wide = wide.index_select(dim, low) * (1 - weights) + wide.index_select(dim, high) * weights
        return wide.to(x.dtype)

    def of_scales(x: Tensor, size: Sequence[int] | None, align: bool, scales: Sequence[float] | None) -> Any:
        if size is None:
            assert scales is not None, "PyTorch asks for one of the two"
            size = [int(n * scale) for n, scale in zip(x.shape[2:], scales, strict=True)]
        return resize(x, size, align, scales or [None] * len(size))

    def by_size(x: Tensor, size: Sequence[int], align: bool, *scales: float | None) -> Any:
        return resize(x, size, align, scales or [None] * len(size))

    return {
        aten.upsample_linear1d.default: by_size,
        aten.upsample_linear1d.vec: of_scales,
        aten.upsample_bilinear2d.default: by_size,
        aten.upsample_bilinear2d.vec: of_scales,
    }


def _neighbours(torch: ModuleType, old: int, new: int, scale: float | None, align: bool) -> tuple[Any, Any, Any]:
    """For each of `new` elements: its two neighbours among `old` elements, and the weight of the second, as PyTorch defines
    them.

    A product with a matrix of weights would be faster, but it multiplies infinite elements by 0, which gives NaN.
    """
    places = torch.arange(new, dtype=torch.float64)
    if align:
        places = places * ((old - 1) / (new - 1) if new > 1 else 0.0)
    else:
        places = torch.clamp((places + 0.5) * (1 / scale if scale else old / new) - 0.5, min=0)
    low = torch.clamp(places.long(), max=old - 1)
    return low, torch.clamp(low + 1, max=old - 1), torch.clamp(places - low, max=1)
