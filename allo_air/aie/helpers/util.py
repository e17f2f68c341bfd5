"""Properties of array types that IRON programs use, and MLIR's types for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.aie.building.arrays import array_type, mlir_type, v8bfp16ebs8, v16bfp16ebs16

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "DEFAULT_NP_FLOAT", "DEFAULT_NP_INT", "NpuDType",
    "get_arg_types", "np_dtype_to_mlir_type", "np_ndarray_type_get_dtype", "np_ndarray_type_get_shape",
    "np_ndarray_type_to_memref_type", "try_convert_np_type_to_mlir_type", "v8bfp16ebs8", "v16bfp16ebs16",
]  # fmt: skip

NpuDType = np.integer | np.floating
"""The numbers that buffers contain, for annotations."""
DEFAULT_NP_INT, DEFAULT_NP_FLOAT = np.int32, np.float32
"""The default types of Python's numbers."""


def np_ndarray_type_get_shape(ndarray_type: object) -> tuple[int, ...]:
    """The shape of an array type."""
    return array_type(ndarray_type, "np_ndarray_type_get_shape").shape


def np_ndarray_type_get_dtype(ndarray_type: object) -> Any:
    """The numpy dtype of an array type."""
    return array_type(ndarray_type, "np_ndarray_type_get_dtype").dtype


def np_dtype_to_mlir_type(np_dtype: object) -> Any:
    """MLIR's type of a numpy dtype."""
    return mlir_type(np_dtype, "np_dtype_to_mlir_type")


def np_ndarray_type_to_memref_type(ndarray_type: object) -> Any:
    """The memref type of an array type."""
    return mlir_type(ndarray_type, "np_ndarray_type_to_memref_type")


def try_convert_np_type_to_mlir_type(input_type: object) -> Any:
    """MLIR's type of an array type or a numpy type; an MLIR type is unchanged."""
    return mlir_type(input_type, "try_convert_np_type_to_mlir_type")


def get_arg_types(objects: Iterable[object]) -> list[Any]:
    """The types of values, and of numbers in their place."""
    from allo_air.aie.building.values import value_of

    return [value_of(o).type if hasattr(value_of(o), "type") else mlir_type(type(o), "get_arg_types") for o in objects]
