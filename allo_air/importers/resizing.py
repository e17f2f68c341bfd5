"""Decomposes interpolation into selections and weighted sums of them: the neighbours of each element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.importers.interpolation import CUBIC, LINEAR, neighbours

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor

_ANTIALIASED_CUBIC = -0.5
"""PyTorch's coefficient of cubic interpolation with antialiasing; without, it is that of `neighbours`."""
_OF_1D = 3
"""Rank of a batch of signals."""


def resizing(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of linear and cubic interpolation, of antialiasing, and of the nearest element. torch-mlir reads each
    element at computed indices instead.
    """
    aten = torch.ops.aten

    def resize(x: Tensor, sizes: Sequence[int], align: bool, scales: Sequence[float | None], mode: str, antialias: bool) -> Any:
        if not x.is_floating_point() or not all(isinstance(n, int) for n in (*x.shape, *sizes)):
            return NotImplemented
        wide = x if x.dtype in (torch.float32, torch.float64) else x.float()
        for dim in reversed(range(2, x.ndim)):
            result = None
            for index, weight in _neighbours(torch, x.shape[dim], sizes[dim - 2], scales[dim - 2], align, mode, antialias):
                weights = weight.to(wide.dtype).reshape(-1, *[1] * (x.ndim - 1 - dim))
                part = wide.index_select(dim, index) * weights
                result = part if result is None else result + part
            wide = result
        return wide.to(x.dtype)

    def nearest(x: Tensor, sizes: Sequence[int] | None, scales: Sequence[float | None] | None, offset: float) -> Any:
        old = list(x.shape[2:])
        factors = list(scales or [None] * len(old))
        if sizes is None:
            sizes = [int(n * factor) for n, factor in zip(old, factors, strict=True) if factor is not None]
        if x.dtype == torch.float64 or not all(isinstance(n, int) for n in (*x.shape, *sizes)):
            return NotImplemented
        for dim, size, new, scale in [*zip(range(2, x.ndim), old, sizes, factors, strict=True)][::-1]:
            factor = scale
            if x.ndim > _OF_1D and not offset and new in (size, 2 * size):
                factor = None  # PyTorch ignores it here
            if size != new or factor not in (None, 1.0):
                x = x.index_select(dim, _nearest(torch, size, new, factor, offset))
        return x

    def nearest_by(offset: float, *, is_vector: bool) -> Callable[..., Any]:
        def resized(x: Tensor, sizes: Sequence[int] | None, *scales: Any) -> Any:
            return nearest(x, sizes, scales[0] if is_vector else scales or None, offset)

        return resized

    def of_scales(mode: str, antialias: bool = False) -> Callable[..., Any]:
        def resized(x: Tensor, size: Sequence[int] | None, align: bool, scales: Sequence[float] | None) -> Any:
            if size is None:
                assert scales is not None, "PyTorch asks for one of the two"
                size = [int(n * scale) for n, scale in zip(x.shape[2:], scales, strict=True)]
            return resize(x, size, align, scales or [None] * len(size), mode, antialias)

        return resized

    def by_size(mode: str, antialias: bool = False) -> Callable[..., Any]:
        def resized(x: Tensor, size: Sequence[int], align: bool, *scales: float | None) -> Any:
            return resize(x, size, align, scales or [None] * len(size), mode, antialias)

        return resized

    result: dict[Any, Callable[..., Any]] = {}
    for name, mode in (("linear1d", LINEAR), ("bilinear2d", LINEAR), ("trilinear3d", LINEAR), ("bicubic2d", CUBIC)):
        packet = getattr(aten, f"upsample_{name}")
        result |= {packet.default: by_size(mode), packet.vec: of_scales(mode)}
    for name, mode in (("bilinear2d", LINEAR), ("bicubic2d", CUBIC)):
        packet = getattr(aten, f"_upsample_{name}_aa")
        result |= {packet.default: by_size(mode, True), packet.vec: of_scales(mode, True)}
    for name, offset in (("nearest", 0.0), ("_nearest_exact", 0.5)):
        for dims in (1, 2, 3):
            packet = getattr(aten, f"{name[: name.startswith('_')]}upsample{name if offset else '_' + name}{dims}d")
            result |= {packet.default: nearest_by(offset, is_vector=False), packet.vec: nearest_by(offset, is_vector=True)}
    return result


def _nearest(torch: ModuleType, old: int, new: int, scale: float | None, offset: float) -> Any:
    """The element among `old` elements that is nearest to each of `new` elements, as PyTorch rounds it for types but f64."""
    places = (torch.arange(new, dtype=torch.float32) + offset) * (1 / scale if scale else old / new)
    return torch.clip(torch.floor(places).long(), 0, old - 1)


def _neighbours(
    torch: ModuleType, old: int, new: int, scale: float | None, align: bool, mode: str, antialias: bool
) -> list[tuple[Any, Any]]:
    """For each of `new` elements: its neighbours among `old` elements, and their weights, as PyTorch defines them.

    They are computed in the program, since decompositions cannot hold constants.
    """
    import numpy as np

    aligned_step = (old - 1) / (new - 1) if new > 1 else 0.0
    step = aligned_step if align else 1 / scale if scale else old / new

    def among(package: Any) -> list[tuple[Any, Any]]:
        places = package.arange(new, dtype=package.float64)
        if not antialias:
            return neighbours(package, places * step if align else (places + 0.5) * step - 0.5, old, mode)
        wide = 1 / step if step else 1.0
        places = (places + 0.5) * step - 0.5
        return neighbours(package, places, old, mode, cubic=_ANTIALIASED_CUBIC, scale=wide, inside_only=True)

    return [pair for pair, (_, weight) in zip(among(torch), among(np), strict=True) if weight.any()]
