"""Arrays in `.npy` files, bf16 among them (numpy's format knows it as two raw bytes)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from allo_air.errors import AlloAirError
from allo_air.program.elements import numpy_dtype
from allo_air.program.signature import Argument


def read(path: str) -> Any:
    """The array in `path`."""
    import numpy as np

    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise AlloAirError(f"cannot read '{path}' as a numpy array (.npy): {error}") from None


def typed(array: Any, argument: Argument) -> Any:
    """`array` with raw elements seen as the argument's type."""
    dtype = numpy_dtype(argument.element)
    return array.view(dtype) if array.dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize else array


def write(path: str, array: Any) -> None:
    """Saves `array` in `path`."""
    import numpy as np

    try:
        with Path(path).open("wb") as file:
            np.save(file, array)
    except OSError as error:
        raise AlloAirError(f"cannot write '{path}': {error.strerror}") from None
