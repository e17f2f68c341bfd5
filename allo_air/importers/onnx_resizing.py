"""Interpolation of ONNX as weighted sums of neighbours, as `resizing` does for PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.importers.interpolation import neighbours
from allo_air.importers.onnx_about import attributes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

_PLACES = ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "asymmetric", "align_corners")

_ROUNDINGS: dict[str, Callable[[Any, Any], Any]] = {
    "floor": lambda np, x: np.floor(x),
    "ceil": lambda np, x: np.ceil(x),
    "round_prefer_floor": lambda np, x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda np, x: np.floor(x + 0.5),
}
"""How the nearest element is chosen."""

_OF_LINEAR = 2
"""Number of neighbours in linear interpolation."""


def resized(
    node: Any, old: Sequence[int] | None, new: Sequence[int] | None, scales: Sequence[float] | None
) -> list[tuple[int, list[tuple[Any, Any]]]] | None:
    """The dimensions that `Resize` changes, the last one first. Each has the neighbours of each element, and their weights.

    The sizes are `old` and `new`. `scales` are the node's second operand, None if it has sizes instead. None for a nearest
    element that depends on rounding and that torch-mlir finds itself.
    """
    import numpy as np

    attributes = attributes_of(node)
    floats = {a.name: a.f for a in node.attribute}
    how, mode = attributes.get("mode"), attributes.get("coordinate_transformation_mode") or "half_pixel"
    policy = attributes.get("keep_aspect_ratio_policy") or "stretch"
    rounding = attributes.get("nearest_mode") or "round_prefer_floor"
    if how in ("", None, "nearest"):
        how = "nearest"
    if how not in ("linear", "cubic", "nearest") or mode not in _PLACES or policy != "stretch":
        return None
    if not old or not new or 0 in old or len(old) != len(new):
        return None
    if mode == "align_corners" and scales is not None and how != "nearest":
        return None  # `onnx_refusals` rejects nodes whose scaled sizes are not integers
    factors = [n / o for n, o in zip(new, old, strict=True)]
    if scales is not None:
        axes = [a % len(old) for a in attributes.get("axes") or range(len(old))]
        if len(scales) != len(axes):
            return None
        for axis, scale in zip(axes, scales, strict=True):
            factors[axis] = scale
    dims = [d for d in reversed(range(len(old))) if old[d] != new[d] or factors[d] != 1]

    def nearest(dim: int, dtype: Any) -> Any:
        places = _places(old[dim], new[dim], dtype(factors[dim]), mode, dtype)
        return np.clip(_ROUNDINGS[rounding](np, places), 0, old[dim] - 1).astype(np.int64)

    is_known = how == "nearest" and mode in ("asymmetric", "half_pixel") and rounding in ("floor", "round_prefer_floor")
    if is_known and any((nearest(dim, np.float32) != nearest(dim, np.float64)).any() for dim in dims):
        return None

    def pairs(dim: int) -> list[tuple[Any, Any]]:
        if how == "nearest":
            return [(nearest(dim, np.float64), np.ones(new[dim]))]
        scale = factors[dim] if attributes.get("antialias") else 1.0
        places = _places(old[dim], new[dim], factors[dim], mode)
        is_inside = bool(attributes.get("exclude_outside"))
        result = neighbours(
            np, places, old[dim], how, cubic=floats.get("cubic_coeff_a", -0.75), scale=scale, inside_only=is_inside
        )
        result = [pair for pair in result if pair[1].any()] if how == "cubic" or scale < 1 else result
        return _with_halves(*result) if len(result) == _OF_LINEAR else result

    return [(dim, pairs(dim)) for dim in dims]


def _with_halves(low: tuple[Any, Any], high: tuple[Any, Any]) -> list[tuple[Any, Any]]:
    """The two neighbours, with equal weights where both are the same element, which may be infinite."""
    import numpy as np

    is_same = low[0] == high[0]
    return [(index, np.where(is_same, 0.5, weight)) for index, weight in (low, high)]


def _places(old: int, new: int, scale: Any, mode: str, dtype: Any = float) -> np.ndarray:
    """Where each of `new` elements is among `old` elements, computed in `dtype`, which `scale` has."""
    import numpy as np

    places = np.arange(new, dtype=dtype)
    if mode == "align_corners":
        return places * ((old - 1) / (new - 1) if new > 1 else 0.0)
    if mode == "asymmetric":
        return places / scale
    if mode == "pytorch_half_pixel" and new == 1:
        return places - 0.5
    offset = old / 2 * (1 - new / (scale * old)) if mode == "half_pixel_symmetric" else 0.0
    return offset + (places + 0.5) / scale - 0.5
