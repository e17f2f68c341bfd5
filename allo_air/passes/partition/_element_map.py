"""Describes a movement by boxes of the result whose elements are at regular distances in the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from allo_air.passes._ir.tensors import number_of
from allo_air.passes.partition._movement import Movement, Step
from allo_air.passes.partition._pieces import Piece

if TYPE_CHECKING:
    import numpy as np

LARGEST = 1 << 24
"""Largest number of elements of a tensor whose movement is analysed element by element."""
MOST = 160
"""Largest number of boxes into which a tensor is decomposed."""
_ANY, _PADDED = -1, -2
"""Entries of an element map for elements without a source element: undefined elements, and padding by zero. Padding by other
numbers has the next lower entries.
"""


def boxes_of_movement(movement: Movement) -> tuple[list[Piece], list[int]] | None:
    """The result of a movement as boxes of its source and of padding, and the shape in which the boxes have positions.

    That shape is the result's, with a dimension split in two if its elements are at two different distances in the source. None
    if the tensor is too large or consists of too many boxes.

    Example: padding 4 elements by one zero on each side gives three boxes, of 1, 4 and 1 elements.
    """
    shapes = movement.shapes()
    if max(map(prod, shapes)) > LARGEST:
        return None
    import numpy as np

    elements = np.arange(prod(shapes[0]), dtype=np.int32).reshape(shapes[0])
    numbers = list(dict.fromkeys([0, *(s.layout.outside for s in movement.steps if s.kind == "pack")]))
    for step in movement.steps:
        elements = _shifted(elements, step, numbers)
    elements = elements.reshape(_refined(elements))
    steps = [_equal_step(elements, d) for d in range(elements.ndim)]
    corner = elements[tuple(slice(None) if step is None else slice(1) for step in steps)]
    kind = movement.source.type.element_type
    pieces = list[Piece]()
    for low, part in _regular(corner, (0,) * corner.ndim):
        first = int(part.flat[0])
        if first == _ANY:
            continue
        sizes = tuple(n if step is None else m for n, m, step in zip(part.shape, elements.shape, steps, strict=True))
        distances = tuple(_equal_step(part, d) or 0 if step is None else step for d, step in enumerate(steps))
        pieces.append(
            Piece(low, sizes, None, number_of(kind, numbers[_PADDED - first]), 0, (0,) * len(sizes))
            if first <= _PADDED
            else Piece(low, sizes, movement.source, None, first, distances)
        )
        if len(pieces) > MOST:
            return None
    return pieces, list(elements.shape)


def _shifted(elements: np.ndarray, step: Step, numbers: Sequence[float]) -> np.ndarray:
    import numpy as np

    if step.kind == "reshape":
        return elements.reshape(step.shape)
    if step.kind == "cut":
        return elements[tuple(map(slice, step.shape))]
    if step.kind == "grow":
        pads = [(0, n - m) for n, m in zip(step.shape, elements.shape, strict=True)]
        return np.pad(elements, pads, constant_values=_PADDED if step.zeros else _ANY)
    outside = _PADDED - numbers.index(step.layout.outside)
    return np.asarray(replace(step.layout, outside=outside).pack(elements, step.shape))


def _refined(elements: np.ndarray) -> list[int]:
    """The shape of `elements`, with a dimension split in two if it consists of equal groups with one distance inside a group
    and another between groups.
    """
    shape = list[int]()
    for d, size in enumerate(elements.shape):
        ends = _box_starts(elements, d)
        group = ends[0] if ends else 0
        is_divided = group > 1 and [*ends, size] == list(range(group, size + 1, group))
        shape += [size // group, group] if is_divided else [size]
    return shape


def _regular(elements: np.ndarray, low: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], np.ndarray]]:
    """Splits `elements`, which begin at `low` of the tensor, into boxes with a single distance between neighbours in each
    dimension.
    """
    ends = [_box_starts(elements, d) for d in range(elements.ndim)]
    divided = [d for d in range(elements.ndim) if ends[d]]
    if not divided:
        yield low, elements
        return
    d = min(divided, key=lambda d: (len(ends[d]), d))
    for start, end in zip([0, *ends[d]], [*ends[d], elements.shape[d]], strict=True):
        part = elements[(slice(None),) * d + (slice(start, end),)]
        yield from _regular(part, (*low[:d], low[d] + start, *low[d + 1 :]))


def _equal_step(elements: np.ndarray, d: int) -> int | None:
    """The distance of neighbours along dimension `d` if all are equal, otherwise None; 0 without neighbours."""
    if elements.shape[d] == 1:
        return 0
    distances = _distances(elements, d)
    return None if _starts(distances) else distances[0]


def _box_starts(elements: np.ndarray, d: int) -> list[int]:
    """The indices along dimension `d` at which a box begins: those whose distance to the previous element is not the most
    frequent one.
    """
    return _starts(_distances(elements, d))


def _starts(distances: list[int | None]) -> list[int]:
    """The indices of elements whose distance from the element before is not the most frequent of `distances`."""
    regular = [n for n in distances if n is not None]
    usual = max(dict.fromkeys(regular), key=regular.count, default=None)
    return [n for n, distance in enumerate(distances, 1) if distance is None or distance != usual]


def _distances(elements: np.ndarray, d: int) -> list[int | None]:
    """For each index except the first along `d`: the distance to the previous element.

    None if distances differ, or if an element of the source is next to padding or an undefined one. 0 if no element is from the
    source.
    """
    import numpy as np

    rows = np.moveaxis(elements, d, 0).reshape(elements.shape[d], -1)
    before, after = rows[:-1], rows[1:]
    inside = before >= 0
    is_regular: np.ndarray = np.all(np.where(inside, after >= 0, before == after), axis=1)
    step = after - before
    least = np.where(inside, step, np.iinfo(np.int32).max).min(axis=1)
    most = np.where(inside, step, np.iinfo(np.int32).min).max(axis=1)
    rows_of_distances = zip(is_regular.tolist(), least.tolist(), most.tolist(), strict=True)
    return [None if not ok or a < b else a if a == b else 0 for ok, a, b in rows_of_distances]
