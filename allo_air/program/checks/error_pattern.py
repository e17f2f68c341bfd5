"""Describes the positions of wrong elements in words (whole rows, a tile, every other column), and their contents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from allo_air.errors import counted

if TYPE_CHECKING:
    import numpy as np

_LISTED = 4
_AXES = {1: ("elements",), 2: ("rows", "columns")}


def pattern(wrong: np.ndarray) -> str:
    """Describes where `wrong` is true: `rows 32 to 63, all columns`. If the positions are not full grid, says so."""
    import numpy as np

    if wrong.all():
        return "all elements"
    shape = wrong.shape
    names = _AXES.get(len(shape), tuple(f"dimension {d}:" for d in range(len(shape))))
    along = [np.flatnonzero(wrong.any(axis=tuple(a for a in range(len(shape)) if a != d))) for d in range(len(shape))]
    text = ", ".join(f"{_all_or(name, item, size)}" for name, item, size in zip(names, along, shape, strict=True))
    inside = int(np.prod([len(item) for item in along]))
    count = int(wrong.sum())
    return text if count == inside else f"{count:,} of the {inside:,} in {text}"


def _all_or(name: str, array: np.ndarray, size: int) -> str:
    if len(array) == size:
        return f"all {name.rstrip(':')}" if name[-1] != ":" else f"{name} all {size}"
    single = name.removesuffix("s") if len(array) == 1 else name
    return f"{single} {_numbers([int(n) for n in array])}"


def _numbers(items: Sequence[int]) -> str:
    """Describes numbers: `7`, `32 to 63`, `1, 3, 5, ... 63 (every 2nd)`, or blocks of equal length at equal distance."""
    blocks: list[list[int]] = []
    for n in items:
        if blocks and n == blocks[-1][1] + 1:
            blocks[-1][1] = n
        else:
            blocks.append([n, n])
    texts = [str(a) if a == b else f"{a} to {b}" for a, b in blocks]
    if len(blocks) <= _LISTED:
        return ", ".join(texts)
    steps = {b[0] - a[0] for a, b in pairwise(blocks)}
    lengths = {b - a for a, b in blocks}
    repetition = (
        f", {counted(len(blocks), 'time')}, each {steps.pop()} further" if len(steps) == 1 and len(lengths) == 1 else ""
    )
    return f"{', '.join(texts[:2])}, ... {texts[-1]}{repetition}"


def wrong_contents(wrong: np.ndarray, array: np.ndarray, expected: np.ndarray) -> str:
    """The contents of the wrong elements, if one sentence describes them, such as zeros or elements of another place; otherwise
    empty.
    """
    import numpy as np

    values = array[wrong]
    if len(values) < 2:
        return ""
    if (values == values[0]).all():
        return f"all of them hold {values[0]}"
    if array.ndim == 2 and array.shape[0] == array.shape[1] and np.array_equal(array, expected.T):
        return "the result is the transpose of the expected one"
    flat_found, flat_wanted, indices = array.reshape(-1), expected.reshape(-1), np.flatnonzero(wrong)
    candidates = (
        index - i
        for i in (indices[0], indices[len(indices) // 2])
        for index in np.flatnonzero(flat_wanted == flat_found[i])[:64]
    )
    for distance in map(int, candidates):
        shifted = indices + distance
        inside = (shifted >= 0) & (shifted < flat_wanted.size)
        if distance and 2 * inside.sum() > len(indices) and (flat_wanted[shifted[inside]] == flat_found[indices[inside]]).all():
            distant = f"{counted(abs(distance), 'element')} {'further on' if distance > 0 else 'before'}"
            return f"they have the values expected {distant}"
    return ""
