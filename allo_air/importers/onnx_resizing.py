"""Linear interpolation of ONNX as weighted sums of two neighbours, as `resizing` does for PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

_PLACES = ("half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners")
_OTHERS = ("axes", "antialias", "exclude_outside", "keep_aspect_ratio_policy")
"""Attributes of other interpolations than linear ones, or of sizes in another form."""


def resized(
    node: Any, old: Sequence[int] | None, new: Sequence[int] | None, scales: Sequence[float] | None
) -> list[tuple[int, np.ndarray, np.ndarray, np.ndarray]] | None:
    """The dimensions that `Resize` changes, the last one first. Each has the two neighbours of each element, and the weight of
    the second.

    The sizes are `old` and `new`. None for other interpolations than linear ones. `scales` are the node's second operand, None
    if it has sizes instead.
    """
    attributes = {a.name: a.s.decode() or a.i or list(a.ints) for a in node.attribute}
    mode = attributes.get("coordinate_transformation_mode", "half_pixel")
    is_special = any(attributes.get(name) not in (None, 0, [], "stretch") for name in _OTHERS)
    if attributes.get("mode") != "linear" or mode not in _PLACES or is_special:
        return None
    if not old or not new or 0 in old or len(old) != len(new) or (scales is not None and len(scales) != len(old)):
        return None
    if mode == "align_corners" and scales is not None:
        return None  # `onnx_refusals` rejects nodes whose scaled sizes are no integers
    factors = [n / o for n, o in zip(new, old, strict=True)] if scales is None else list(scales)
    dims = [d for d in reversed(range(len(old))) if old[d] != new[d] or factors[d] != 1]
    return [(d, *_neighbours(old[d], new[d], factors[d], mode)) for d in dims]


def _neighbours(old: int, new: int, scale: float, mode: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each of `new` elements: its two neighbours among `old` elements, and the weight of the second (a half if both are the
    same).
    """
    import numpy as np

    places = np.arange(new, dtype=np.float64)
    if mode == "align_corners":
        places = places * ((old - 1) / (new - 1) if new > 1 else 0.0)
    elif mode == "asymmetric":
        places = places / scale
    elif mode == "half_pixel" or new > 1:
        places = (places + 0.5) / scale - 0.5
    places = np.clip(places, 0, old - 1)
    low = places.astype(np.int64)
    high = np.minimum(low + 1, old - 1)
    return low, high, np.where(low == high, 0.5, places - low)
