"""Reads and writes arrays in `.npy` files, including types without a name in numpy's format: bf16 and the 8-bit floats."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.core.texts import read_bytes
from allo_air.errors import AlloAirError

if TYPE_CHECKING:
    import numpy as np

_SHORT_FLOAT, _RAW = b"'<f1'", b"'|V1'"
"""numpy's name in files for some 8-bit floats, which it cannot read back, and the name of raw bytes that replaces it."""
_MAGIC, _ZIP = b"\x93NUMPY", b"PK"
"""How files of numpy.save and numpy.savez begin."""
_HEADER = 128
"""Bytes in which an `.npy` file of a plain array names its type."""


def read(path: str) -> Any:
    """Returns the array in `path`. The file stores elements of a type without a name as raw bytes (`|V2`)."""
    import numpy as np

    try:
        data = read_bytes(path)
        array = np.load(io.BytesIO(data[:_HEADER].replace(_SHORT_FLOAT, _RAW) + data[_HEADER:]), allow_pickle=False)
    except OSError as error:
        raise AlloAirError(f"cannot read '{path}': {error.strerror or error}") from None
    except EOFError:
        raise AlloAirError(f"cannot read '{path}' as a numpy array (.npy): the file is empty") from None
    except Exception as error:
        if not data.startswith((_MAGIC, _ZIP)):
            raise AlloAirError(
                f"cannot read '{path}' as a numpy array (.npy): it does not begin like one; numpy.save writes one"
            ) from None
        # numpy can raise nearly any exception for a damaged file
        raise AlloAirError(f"cannot read '{path}' as a numpy array (.npy): {error}") from None
    if not isinstance(array, np.ndarray):
        raise AlloAirError(f"'{path}' holds several arrays ({', '.join(array.files)}); save one in a file with numpy.save")
    return array


def write(path: str, array: np.ndarray) -> None:
    """Saves `array` in `path`."""
    import numpy as np

    raw = np.ascontiguousarray(array).view(f"V{array.dtype.itemsize}") if array.dtype.isbuiltin == 2 else array
    try:
        with Path(path).open("wb") as file:
            np.save(file, raw)
    except OSError as error:
        raise AlloAirError(f"cannot write '{path}': {error.strerror}") from None
