"""Builds a library kernel: its source, its macros, and a unique name for each set of parameters."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from allo_air.aie.building.arrays import ArrayType
from allo_air.aie.building.errors import IronValueError
from allo_air.aie.iron.kernel import ExternalFunction
from allo_air.aie.iron.kernels import checkout
from allo_air.dtypes import element_of

_SOURCES = Path(__file__).parent / "sources"
_C_TYPES = {"ui8": "uint8_t", "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "bf16": "bfloat16", "f32": "float"}


def kernel(symbol: str, source: str, macros: Mapping[str, object], arg_types: Sequence[object]) -> ExternalFunction:
    """The function `symbol` of the file `source` with `macros`; its name begins with a digest of its parameters.

    If the user names a checkout of mlir-aie that defines the function, that source is used.
    """
    text = repr((symbol, sorted(macros.items()), arg_types))
    name = f"k{hashlib.sha256(text.encode()).hexdigest()[:8]}_{symbol}"
    if (file_and_flags := checkout.file_with(symbol, macros, arg_types)) is not None:
        path, flags = file_and_flags
        folders = [str(path.parent), str(path.parents[1])]
        prefix = name.removesuffix(symbol)
        return ExternalFunction(
            symbol, source_file=str(path), arg_types=arg_types, include_dirs=folders, compile_flags=flags, symbol_prefix=prefix
        )
    flags = [f"-DNAME={name}", *(f"-D{n}={v}" if v is not None else f"-D{n}" for n, v in macros.items())]
    return ExternalFunction(name, source_file=str(_SOURCES / source), arg_types=arg_types, compile_flags=flags)


def element(dtype: object, allowed: Sequence[str], who: str) -> str:
    """MLIR's name of `dtype`, which must be among `allowed`."""
    result = element_of(dtype)
    if result not in allowed:
        raise IronValueError(f"kernels.{who}: there is none for {result}; there are {', '.join(allowed)}")
    return result


def c_type(name: str) -> str:
    """C's name of an element type."""
    return _C_TYPES[name]


def array(element: str, *shape: int) -> ArrayType:
    """An array type."""
    return ArrayType(tuple(shape), element)
