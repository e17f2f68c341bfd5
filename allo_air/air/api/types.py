"""Element types: their names in MLIR and numpy, and the lanes of vector loops."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.air.api.errors import TypeError
from allo_air.dtypes import element_of, numpy_dtype
from allo_air.errors import AlloAirError

__all__ = ["DType", "bf16", "dtype_of", "f16", "f32", "i8", "i16", "i32", "ui8", "ui16", "ui32"]


@dataclass(frozen=True, repr=False)
class DType:
    """An element type; `default_vector_width` is a number of lanes."""

    name: str
    default_vector_width: int
    np_dtype: Any = field(compare=False)

    @property
    def is_float(self) -> bool:
        """Whether it is a floating-point type."""
        return self.name in ("bf16", "f16", "f32")

    @property
    def is_unsigned(self) -> bool:
        """Whether it is an unsigned integer; these can only be moved."""
        return self.name.startswith("u")

    @property
    def signed_name(self) -> str:
        """The name of the signed type of its width."""
        return self.name.removeprefix("u")

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return int(self.np_dtype.itemsize)

    def mlir(self) -> Any:
        """The MLIR type, in the active context."""
        from allo_air.mlir import ir

        return ir.Type.parse(self.name)

    def __repr__(self) -> str:
        return f"air.api.{self.name}"


def _of(name: str, lanes: int) -> DType:
    return DType(name, lanes, numpy_dtype(name))


bf16, f16, f32 = _of("bf16", 16), _of("f16", 16), _of("f32", 16)
i8, i16, i32 = _of("i8", 32), _of("i16", 16), _of("i32", 16)
ui8, ui16, ui32 = _of("ui8", 32), _of("ui16", 16), _of("ui32", 16)

_BY_NAME = {d.name: d for d in (bf16, f16, f32, i8, i16, i32, ui8, ui16, ui32)}


def dtype_of(np_dtype: object) -> DType:
    """The type for a numpy dtype or scalar type, else TypeError."""
    try:
        return _BY_NAME[element_of(np_dtype)]
    except (KeyError, AlloAirError) as error:
        raise TypeError(f"no type of air.api for {np_dtype!r}; there are {', '.join(_BY_NAME)}") from error


def wanted_dtype(dtype: object, who: str) -> DType:
    """`dtype`, which must be a DType."""
    if not isinstance(dtype, DType):
        raise TypeError(f"{who} takes a type of air.api, such as air.api.bf16, got {dtype!r}")
    return dtype
