"""Linear interpolation of ONNX as products with matrices of weights, as `resizing` does for PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

_PLACES = ("half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners")
_OTHERS = ("axes", "antialias", "exclude_outside", "keep_aspect_ratio_policy")
"""Attributes by which an element is no mean of its neighbours, or sizes are given otherwise."""


def resized(node: Any, old: Sequence[int] | None, new: Sequence[int] | None, scales: Sequence[float] | None) -> Any:
    """The matrices for the last dimensions of a `Resize` with operand sizes `old` and result sizes `new`, None where a size
    stays; None for others than linear interpolation of the last two dimensions.

    `scales` are the node's second operand, None if it has sizes instead.
    """
    attributes = {a.name: a.s.decode() or a.i or list(a.ints) for a in node.attribute}
    how = attributes.get("coordinate_transformation_mode", "half_pixel")
    is_special = any(attributes.get(name) not in (None, 0, [], "stretch") for name in _OTHERS)
    if attributes.get("mode") != "linear" or how not in _PLACES or is_special:
        return None
    if old is None or new is None or len(old) < 2 or len(old) != len(new) or tuple(old[:-2]) != tuple(new[:-2]):
        return None
    if how == "align_corners" and scales is not None:
        return None  # `onnx_refusals` says where the scaled sizes are not whole
    factors = [n / o for n, o in zip(new, old, strict=True)] if scales is None else list(scales)
    dims = range(len(old) - 2, len(old))
    return [None if old[d] == new[d] and factors[d] == 1 else _weights(old[d], new[d], factors[d], how) for d in dims]


def _weights(old: int, new: int, scale: float, how: str) -> np.ndarray:
    """The weights of `old` elements in each of `new`: 1 less the distance from its place between them, or 0."""
    import numpy as np

    places = np.arange(new, dtype=np.float64)
    if how == "align_corners":
        places = places * ((old - 1) / (new - 1) if new > 1 else 0.0)
    elif how == "asymmetric":
        places = places / scale
    elif how == "half_pixel" or new > 1:
        places = (places + 0.5) / scale - 0.5
    places = np.clip(places, 0, old - 1)[:, None]
    return np.maximum(1 - np.abs(places - np.arange(old)), 0)
