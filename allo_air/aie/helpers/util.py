"""What IRON programs ask of array types."""

from __future__ import annotations

from typing import Any

from allo_air.aie.iron.arrays import array_type


def np_ndarray_type_get_shape(given: Any) -> tuple[int, ...]:
    """The shape of an array type."""
    return array_type(given, "np_ndarray_type_get_shape").shape


def np_ndarray_type_get_dtype(given: Any) -> Any:
    """The numpy dtype of an array type."""
    return array_type(given, "np_ndarray_type_get_dtype").dtype
