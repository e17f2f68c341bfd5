"""Checks the arguments of `ObjectFifo`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.errors import IronMissing, IronTypeError, IronValueError

if TYPE_CHECKING:
    from typing import SupportsInt

    from numpy.typing import DTypeLike


def pad_word(value: SupportsInt, dtype: DTypeLike) -> int:
    """The padding value in each element of a word, as a signed number."""
    import numpy as np

    element = np.array([value], dtype)
    return int(np.tile(element, max(1, 4 // element.itemsize)).view(np.int32)[0])


def depth_of(requested: int | None, name: str) -> int:
    """A depth, of at least 1."""
    depth = 2 if requested is None else int(requested)
    if depth < 1:
        raise IronValueError(f"ObjectFifo '{name}': depth is {depth}, expected at least 1")
    return depth


def dims_of(pairs: Any) -> tuple[tuple[int, int], ...]:
    """Pairs (size, stride)."""
    if pairs is None:
        return ()
    if not all(len(tuple(pair)) == 2 for pair in pairs):
        raise IronTypeError(f"dimensions are {pairs!r}, expected pairs (size, stride)")
    return tuple((int(a), int(b)) for a, b in pairs)


def refuse(keywords: Mapping[str, object], who: str) -> None:
    """Refuses unknown arguments, and those that belong to another call."""
    for name, value in keywords.items():
        if name not in ("pad_dimensions", "pad_value", "dims_from_stream", "repeat_counts"):
            raise IronTypeError(f"{who} has no argument '{name}'")
        if value:
            raise IronMissing(f"{who}: {name} is not supported yet")
