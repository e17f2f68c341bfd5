"""Creates buffers for arrays that are known at compile time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core.walking import root_of
from allo_air.frontend.errors import KernelError
from allo_air.frontend.numbers import mlir_type
from allo_air.frontend.types import Float, Int, ScalarType, UInt, bfloat16
from allo_air.frontend.values import Buffer, memref_type
from allo_air.mlir import ir, memref

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


def element_of(dtype: DTypeLike) -> ScalarType:
    """The kernel type for a numpy type."""
    dtype = np.dtype(dtype)
    if dtype.name == "bfloat16":
        return bfloat16
    kinds = {"i": Int, "u": UInt, "f": Float}
    if dtype.kind == "b":
        return UInt(1)
    if dtype.kind not in kinds:
        raise KernelError(f"arrays of {dtype} cannot be used in kernels; convert with .astype")
    return kinds[dtype.kind](dtype.itemsize * 8)


def storage(element: ScalarType) -> Any:
    """The numpy type whose arrays can hold `element`; None if no type is wide enough."""
    import ml_dtypes

    if element.floating:
        return np.dtype(ml_dtypes.bfloat16 if element.brain else f"f{element.bits // 8}")
    if element.kind == "index":
        return np.dtype(np.int64)
    for bits in (8, 16, 32, 64):
        if element.bits <= bits:
            return np.dtype(f"{'i' if element.signed else 'u'}{bits // 8}")
    return None


def converted(array: np.ndarray, element: ScalarType) -> Any:
    """The array in the storage type of `element`. Fixed-point numbers are stored as integers."""
    array = np.asarray(array)
    dtype = storage(element)
    if element.fixed:
        array = np.floor(array.astype(np.float64) * 2.0**element.fracs).astype(np.int64)
    if dtype is None:
        raise KernelError(f"constants of {element}: numpy has no integers of more than 64 bits")
    return np.ascontiguousarray(array.astype(dtype)).reshape(array.shape)


def constant_buffer(array: np.ndarray, element: ScalarType | None = None) -> Buffer:
    """A buffer with the elements of an array, as a global of the module."""
    array = np.asarray(array)
    kind = element or element_of(array.dtype)
    symbol = global_array(array, kind, constant=True)
    return Buffer(memref.get_global(memref_type(kind, array.shape), symbol), kind)


def global_array(array: np.ndarray, kind: ScalarType, *, constant: bool, hint: str = "constant") -> str:
    """Creates a global with these elements; returns its symbol."""
    body = root_of(ir.InsertionPoint.current.block.owner).opview.body
    used = {str(op.attributes["sym_name"]) for op in body.operations if "sym_name" in op.attributes}
    number = 0
    while f'"{hint}_{number}"' in used:
        number += 1
    symbol = f"{hint}_{number}"
    with ir.InsertionPoint.at_block_begin(body):
        memref.GlobalOp(
            sym_name=symbol,
            type_=memref_type(kind, array.shape),
            sym_visibility=ir.StringAttr.get("private"),
            initial_value=_elements(array, kind),
            constant=constant,
        )
    return symbol


def _elements(array: np.ndarray, kind: ScalarType) -> Any:
    type_ = mlir_type(kind)
    converted_array = converted(array, kind)
    shaped = ir.RankedTensorType.get(list(converted_array.shape), type_)
    if kind.kind == "index" or (not kind.floating and kind.bits not in (8, 16, 32, 64)):
        if kind.kind == "index":
            values = [ir.IntegerAttr.get(type_, int(v)) for v in converted_array.reshape(-1)]
        else:
            top = 1 << kind.bits
            values = [ir.IntegerAttr.get(type_, ((int(v) + top // 2) % top) - top // 2) for v in converted_array.reshape(-1)]
        return ir.DenseElementsAttr.get(values, shaped)
    if kind.floating and kind.bits == 16:
        return ir.DenseElementsAttr.get(converted_array.view(np.uint16), type=type_, shape=list(converted_array.shape))
    if not kind.signed:
        converted_array = converted_array.view(converted_array.dtype.str.replace("u", "i"))
    return ir.DenseElementsAttr.get(converted_array, type=type_, shape=list(converted_array.shape))
