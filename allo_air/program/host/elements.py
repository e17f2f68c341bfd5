"""MLIR's element types and numpy's: what an array must hold to be passed where a type is written."""

from __future__ import annotations

from typing import Any

from allo_air.errors import AlloAirError

_NUMPY = {
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "si8": "int8",
    "si16": "int16",
    "si32": "int32",
    "si64": "int64",
    "ui8": "uint8",
    "ui16": "uint16",
    "ui32": "uint32",
    "ui64": "uint64",
    "index": "int64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
}
_ML_DTYPES = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
_SPELLINGS = {"bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64"} | {
    f"{sign}int{bits}": f"{sign}i{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def numpy_dtype(element: str) -> Any:
    """The numpy dtype of MLIR element type `element`; bf16 and the 8-bit floats are those of ml_dtypes."""
    import numpy as np

    if element in _NUMPY:
        return np.dtype(_NUMPY[element])
    if element in _ML_DTYPES:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, _ML_DTYPES[element]))
    raise AlloAirError(f"no numpy type for elements of {element}; known are {', '.join((*_NUMPY, *_ML_DTYPES))}")


def element_of(dtype: Any) -> str:
    """The MLIR element type for a numpy dtype, scalar type, or name (`bf16`, `bfloat16`, `int8`, `i8`)."""
    import numpy as np

    if isinstance(dtype, str) and (dtype in _NUMPY or dtype in _ML_DTYPES):
        return dtype
    if dtype is None:
        raise AlloAirError("the element type is None; give a name as 'bf16', or a numpy dtype")
    try:
        name = dtype if isinstance(dtype, str) and dtype in _SPELLINGS else np.dtype(dtype).name
    except TypeError:
        name = str(dtype)
    if name not in _SPELLINGS:
        raise AlloAirError(f"no element type is called '{name}'; known are {', '.join((*_SPELLINGS, *_SPELLINGS.values()))}")
    return _SPELLINGS[name]


def is_float(element: str) -> bool:
    """Whether `element` is a floating-point type."""
    return element.lstrip("b").startswith("f")
