"""Linear interpolation along dimensions as products with matrices of weights, of which each row has one or two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor


def resizing(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of linear and bilinear upsampling. torch-mlir's own picks each element by computed indices."""
    aten = torch.ops.aten

    def resize(x: Tensor, sizes: Sequence[int], align: bool, scales: Sequence[float | None]) -> Any:
        if not x.is_floating_point() or not all(isinstance(n, int) for n in (*x.shape, *sizes)):
            return NotImplemented
        wide = x if x.dtype in (torch.float32, torch.float64) else x.float()
        weights = [_weights(torch, *each, align) for each in zip(x.shape[2:], sizes, scales, strict=True)]
        *rest, last = [w.to(wide.dtype) for w in weights]
        result = torch.matmul(wide, last.T)
        return (torch.matmul(rest[0], result) if rest else result).to(x.dtype)

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


def _weights(torch: ModuleType, old: int, new: int, scale: float | None, align: bool) -> Any:
    """The weights of `old` elements in each of `new`: 1 less the distance from its place between them, or 0."""
    places = torch.arange(new, dtype=torch.float64)
    if align:
        places = places * ((old - 1) / (new - 1) if new > 1 else 0.0)
    else:
        places = (places + 0.5) * (1 / scale if scale else old / new) - 0.5
    places = torch.clamp(places, 0, old - 1).unsqueeze(1)
    return torch.clamp(1 - (places - torch.arange(old, dtype=torch.float64)).abs(), min=0)
