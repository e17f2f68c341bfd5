"""`DataShaper`: reorders dimensions that are named by letters, as hosts of convolutions do."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.errors import IronValueError
from allo_air.errors import counted

if TYPE_CHECKING:
    import numpy as np

__all__ = ["DataShaper"]


class DataShaper:
    """Reorders arrays: `reorder_mat(image, "YCXC8", "CYX")` makes groups of eight channels innermost."""

    def reorder_mat(self, mat: object, order_out: str, order_in: str) -> Any:
        """`mat`, whose dimensions are `order_in`, in the order `order_out`.

        A letter with a number is an inner part of its dimension, of that size; the outermost part stands without a number:
        "OIYXI8O8" of "OIYX" has blocks of 8 x 8. Parts of the input's dimensions are put together: "CYX" of "YCXC8".
        """
        import numpy as np

        array, names = _merged_dimensions(np.asarray(mat), order_in)
        layout = _parsed(order_out)
        shape: list[int] = []
        places: dict[tuple[str, int | None], int] = {}
        for name, size in zip(names, array.shape, strict=True):
            inner = [n for letter, n in layout if letter == name and n is not None]
            outer = size // int(np.prod(inner)) if inner else size
            if outer * int(np.prod(inner)) != size:
                raise IronValueError(
                    f"reorder_mat: {name} has {counted(size, 'element')}, not a multiple of {int(np.prod(inner))}"
                )
            for part in (None, *inner):
                places[name, part] = len(shape)
                shape.append(outer if part is None else part)
        for name, part in layout:
            if (name, part) not in places:
                raise IronValueError(f"reorder_mat: '{order_out}' has {name}, and '{order_in}' has not")
        missing = [place for key, place in places.items() if key not in layout]
        if any(shape[place] != 1 for place in missing):
            lost = next(name for (name, part), place in places.items() if place in missing and shape[place] != 1)
            raise IronValueError(f"reorder_mat: '{order_out}' has no {lost} for the rest of it; give it without a number")
        order = [places[key] for key in layout]
        return array.reshape(shape).transpose(*order, *missing).reshape([shape[p] for p in order])


def _merged_dimensions(array: np.ndarray, order: str) -> tuple[Any, list[str]]:
    """`array` with the parts of each dimension merged, and the letters of the dimensions."""
    parts = _parsed(order)
    if len(parts) != array.ndim:
        raise IronValueError(f"reorder_mat: '{order}' has {counted(len(parts), 'dimension')}, and the array has {array.ndim}")
    for (name, part), size in zip(parts, array.shape, strict=True):
        if part not in (None, size):
            raise IronValueError(f"reorder_mat: '{order}' has {name}{part}, and the array has {counted(size, 'element')} there")
    names = list(dict.fromkeys(name for name, _ in parts))
    places = {name: [n for n, (part, _) in enumerate(parts) if part == name] for name in names}
    for name in names:  # the outermost part of a dimension first
        places[name].sort(key=lambda place: parts[place][1] is not None)
    transposed = array.transpose([place for name in names for place in places[name]])
    return transposed.reshape([math.prod(array.shape[place] for place in places[name]) for name in names]), names


def _parsed(order: str) -> list[tuple[str, int | None]]:
    result = re.findall(r"([A-Za-z])(\d*)", order)
    if "".join(f"{name}{size}" for name, size in result) != order:
        raise IronValueError(f"reorder_mat: '{order}' is not an order; give letters, of which some have a size: YCXC8")
    parts = [(name, int(size) if size else None) for name, size in result]
    for name, size in parts:
        if size == 0:
            raise IronValueError(f"reorder_mat: '{order}' has {name}0; a part has 1 element or more")
        if parts.count((name, size)) > 1:
            raise IronValueError(f"reorder_mat: '{order}' has {name}{size or ''} twice; name each part of a dimension once")
    return parts
