"""MLIR types as numpy types, and values that are neither numbers nor memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allo_air.core.elements import array_of
from allo_air.core.integers import width_of, wrap
from allo_air.dtypes import is_known, numpy_dtype
from allo_air.mlir import ir

DYNAMIC = -(2**63)
"""MLIR's mark for a size, stride or offset that is an operand."""


class Frame(dict[int, Any]):
    """The run-time values of one run of a body, by the translator's slot numbers."""


def dtype_of(type_: ir.Type) -> Any:
    """The NumPy type of an element type; None if there is none (i4, f8, ...)."""
    element = str(type_)
    return numpy_dtype(element) if is_known(element) and not element.startswith("f8") else None


def is_token(type_: ir.Type) -> bool:
    """Whether a type is that of tokens."""
    return str(type_) == "!air.async.token"


def small_range(dtype: np.dtype) -> tuple[int, int]:
    """The least and the largest of the numbers that inputs are drawn from: their products and sums are exact in floats, too."""
    most = 2 if is_float(dtype) else 9
    return (0 if dtype.kind == "u" else -most), most


def is_float(dtype: np.dtype | str) -> bool:
    """Whether a numpy type is a floating-point one, bf16 included."""
    return bool(dtype == numpy_dtype("bf16") or np.issubdtype(dtype, np.floating))


def constant_of(attribute: ir.IntegerAttr, type_: ir.Type) -> int:
    """The value of a constant's attribute of type `type_`: a number, an array for a vector, a Tensor for a tensor."""
    if isinstance(type_, ir.ShapedType):
        return dense(attribute, type_)
    if isinstance(type_, ir.IndexType | ir.IntegerType):
        return wrap(int(attribute.value), width_of(type_))
    return dtype_of(type_).type(attribute.value)


def dense(attribute: ir.Attribute, type_: ir.ShapedType) -> Any:
    """The array of a dense elements attribute, or of a resource."""
    array = array_of(attribute).astype(dtype_of(type_.element_type))
    return Tensor(array) if isinstance(type_, ir.RankedTensorType) else array


@dataclass(frozen=True, eq=False)
class Tensor:
    """An immutable tensor; `defined` is the mask of defined elements, None if all are."""

    array: Any
    defined: Any = None
