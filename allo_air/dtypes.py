"""MLIR's element types and the corresponding numpy types."""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError

if TYPE_CHECKING:
    import numpy as np

_INTEGERS = {f"{sign}i{bits}": f"{sign.strip('s')}int{bits}" for sign in ("", "s", "u") for bits in (8, 16, 32, 64)}
_NUMPY = {"i1": "bool", "index": "int64", "f16": "float16", "f32": "float32", "f64": "float64", **_INTEGERS}
_ML_DTYPES = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
_SPELLINGS = {"bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64"} | {
    f"{sign}int{bits}": f"{sign}i{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def is_known(element: str) -> bool:
    """Whether numpy has a type for MLIR element type `element`."""
    return element in _NUMPY or element in _ML_DTYPES


@cache
def numpy_dtype(element: str) -> Any:
    """The numpy dtype of MLIR element type `element`; bf16 and the 8-bit floats are those of ml_dtypes."""
    import numpy as np

    if element in _ML_DTYPES:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, _ML_DTYPES[element]))
    if element not in _NUMPY:
        raise AlloAirError(f"no numpy type for elements of {element}; known are {', '.join((*_NUMPY, *_ML_DTYPES))}")
    return np.dtype(_NUMPY[element])


def element_of(dtype: Any) -> str:
    """The MLIR element type for a numpy dtype, scalar type, or name (`bf16`, `bfloat16`, `int8`, `i8`)."""
    import numpy as np

    if isinstance(dtype, str) and is_known(dtype):
        return dtype
    if isinstance(dtype, str) and (short := re.fullmatch(r"([iu])(\d+)", dtype)):
        return _by_bits(dtype, *short.groups())
    if dtype is None:
        raise AlloAirError("the element type is None; give a name as 'bf16', or a numpy dtype")
    try:
        name = dtype if isinstance(dtype, str) and dtype in _SPELLINGS else np.dtype(dtype).name
    except TypeError:
        name = str(dtype)
    if name not in _SPELLINGS:
        raise AlloAirError(f"no element type is called '{name}'; known are {', '.join((*_SPELLINGS, *_SPELLINGS.values()))}")
    return _SPELLINGS[name]


def _by_bits(name: str, kind: str, bits: str) -> str:
    """`u8` as `ui8`; an error for names like `u1`, which count bytes in numpy."""
    text = f"{'ui' if kind == 'u' else kind}{bits}"
    if is_known(text):
        return text
    wide = f"{kind if kind != 'u' else 'ui'}{8 * int(bits)}"
    hint = f" ({bits} bytes, as numpy counts, are '{wide}')" if is_known(wide) else ""
    raise AlloAirError(f"no element type is called '{name}': digits count bits{hint}; known are {', '.join(_NUMPY)}, bf16")


def is_float(element: str) -> bool:
    """Whether `element` is a floating-point type."""
    return element.lstrip("b").startswith("f")


def is_masked(array: np.ndarray) -> bool:
    """Whether `array` is a masked array; numpy.ma is slow to import, so it is only consulted if it is already imported."""
    ma = sys.modules.get("numpy.ma")
    return ma is not None and isinstance(array, ma.MaskedArray)
