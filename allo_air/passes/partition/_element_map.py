"""Where the elements of a moved tensor come from, as boxes whose elements are at regular distances in the source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from allo_air.passes._ir.tensors import zero_of
from allo_air.passes.partition._movement import Movement, Step
from allo_air.passes.partition._pieces import Piece

if TYPE_CHECKING:
    import numpy as np

LARGEST = 1 << 24
"""Elements of the largest tensor whose movement is looked at element by element."""
MOST = 160
"""Boxes up to which a tensor is taken apart."""
_ZERO, _ANY = -1, -2
"""What a map has in place of the number of an element: it is zero, or undefined."""


def boxes_of_movement(movement: Movement) -> tuple[list[Piece], list[int]] | None:
    """The result of a movement as boxes of its source and of zeros, and the shape that they have numbers of.

    That shape has as many elements as the result, and more dimensions where the elements of one are at two distances. None if
    the tensor is too large, takes too many boxes, or is padded by other numbers than zero.

    Example: padding 4 elements by one zero on each side gives three boxes, of 1, 4 and 1 elements.
    """
    shapes = movement.shapes()
    if max(map(prod, shapes)) > LARGEST or any(s.kind == "pack" and s.layout.outside for s in movement.steps):
        return None
    import numpy as np

    elements = np.arange(prod(shapes[0]), dtype=np.int32).reshape(shapes[0])
    for step in movement.steps:
        elements = _moved(elements, step)
    elements = elements.reshape(_refined(elements))
    steps = [_step(elements, d) for d in range(elements.ndim)]
    corner = elements[tuple(slice(None) if step is None else slice(1) for step in steps)]
    kind = movement.source.type.element_type
    pieces = list[Piece]()
    for low, part in _regular(corner, (0,) * corner.ndim):
        first = int(part.flat[0])
        if first == _ANY:
            continue
        sizes = tuple(n if step is None else m for n, m, step in zip(part.shape, elements.shape, steps, strict=True))
        distances = tuple(_step(part, d) or 0 if step is None else step for d, step in enumerate(steps))
        is_zero = first == _ZERO
        pieces.append(
            Piece(low, sizes, None, zero_of(kind), 0, (0,) * len(sizes))
            if is_zero
            else Piece(low, sizes, movement.source, None, first, distances)
        )
        if len(pieces) > MOST:
            return None
    return pieces, list(elements.shape)


def _moved(elements: np.ndarray, step: Step) -> np.ndarray:
    import numpy as np

    if step.kind == "reshape":
        return elements.reshape(step.shape)
    if step.kind == "cut":
        return elements[tuple(map(slice, step.shape))]
    if step.kind == "grow":
        around = [(0, n - m) for n, m in zip(step.shape, elements.shape, strict=True)]
        return np.pad(elements, around, constant_values=_ZERO if step.zeros else _ANY)
    return np.asarray(replace(step.layout, outside=_ZERO).pack(elements, step.shape))


def _refined(elements: np.ndarray) -> list[int]:
    """The shape of `elements` with a dimension in two where its elements are at two distances, one inside of equal groups."""
    shape = list[int]()
    for d, size in enumerate(elements.shape):
        ends = _ends(elements, d)
        group = ends[0] if ends else 0
        is_divided = group > 1 and [*ends, size] == list(range(group, size + 1, group))
        shape += [size // group, group] if is_divided else [size]
    return shape


def _regular(elements: np.ndarray, low: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], np.ndarray]]:
    """Boxes of `elements`, at `low` of the tensor, of which each has one distance between neighbours in each dimension."""
    ends = [_ends(elements, d) for d in range(elements.ndim)]
    divided = [d for d in range(elements.ndim) if ends[d]]
    if not divided:
        yield low, elements
        return
    d = min(divided, key=lambda d: (len(ends[d]), d))
    for start, end in zip([0, *ends[d]], [*ends[d], elements.shape[d]], strict=True):
        part = elements[(slice(None),) * d + (slice(start, end),)]
        yield from _regular(part, (*low[:d], low[d] + start, *low[d + 1 :]))


def _step(elements: np.ndarray, d: int) -> int | None:
    """The distance of neighbours along dimension `d` if it is the same everywhere; 0 where there are none."""
    if elements.shape[d] == 1:
        return 0
    return None if _ends(elements, d) else _distances(elements, d)[0]


def _ends(elements: np.ndarray, d: int) -> list[int]:
    """The indices along dimension `d` at which another box begins: the distance to the element before is not the usual one."""
    distances = _distances(elements, d)
    regular = [n for n in distances if n is not None]
    usual = max(dict.fromkeys(regular), key=regular.count, default=None)
    return [n for n, distance in enumerate(distances, 1) if distance is None or distance != usual]


def _distances(elements: np.ndarray, d: int) -> list[int | None]:
    """For each index but the first along `d`: the distance to the element before.

    None if it is not the same everywhere, or if an element of the source meets one that is zero or undefined. 0 if none is an
    element of the source.
    """
    import numpy as np

    rows = np.moveaxis(elements, d, 0).reshape(elements.shape[d], -1)
    before, behind = rows[:-1], rows[1:]
    inside = before >= 0
    alike: np.ndarray = np.all(np.where(inside, behind >= 0, before == behind), axis=1)
    step = behind - before
    least = np.where(inside, step, np.iinfo(np.int32).max).min(axis=1)
    most = np.where(inside, step, np.iinfo(np.int32).min).max(axis=1)
    rows_of_distances = zip(alike.tolist(), least.tolist(), most.tolist(), strict=True)
    return [None if not ok or a < b else a if a == b else 0 for ok, a, b in rows_of_distances]
