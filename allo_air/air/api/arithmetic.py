"""The operations of elementwise expressions by element type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

from allo_air.air.api.errors import NotImplementedError, ValueError
from allo_air.air.api.types import DType
from allo_air.mlir import arith, ir, math

_FLOATS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: arith.AddFOp(a, b).result,
    "sub": lambda a, b: arith.SubFOp(a, b).result,
    "mul": lambda a, b: arith.MulFOp(a, b).result,
    "div": lambda a, b: arith.DivFOp(a, b).result,
    "maximum": lambda a, b: arith.MaximumFOp(a, b).result,
    "minimum": lambda a, b: arith.MinimumFOp(a, b).result,
    "tanh": lambda a: math.TanhOp(a).result,
    "exp": lambda a: math.ExpOp(a).result,
}
_INTEGERS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: arith.AddIOp(a, b).result,
    "sub": lambda a, b: arith.SubIOp(a, b).result,
    "mul": lambda a, b: arith.MulIOp(a, b).result,
    "div": lambda a, b: arith.DivSIOp(a, b).result,
    "maximum": lambda a, b: arith.MaxSIOp(a, b).result,
    "minimum": lambda a, b: arith.MinSIOp(a, b).result,
}


def compute(name: str, dtype: DType, operands: Sequence[object]) -> Any:
    """The value of operation `name` on values of `dtype`, or vectors of these."""
    table = _FLOATS if dtype.is_float else _INTEGERS
    if name not in table:
        raise NotImplementedError(f"{name} of {dtype.name} is not supported; it takes bf16, f16 or f32")
    return table[name](*operands)


def number(value: Any, dtype: DType) -> Any:
    """A Python number as a constant of `dtype`."""
    kind = dtype.mlir()
    if dtype.is_float:
        return arith.ConstantOp(kind, ir.FloatAttr.get(kind, float(value))).result
    return arith.ConstantOp(kind, ir.IntegerAttr.get(kind, whole_number(value, dtype))).result


def whole_number(value: float, dtype: DType) -> int:
    """`value` as an integer of `dtype`; ValueError if it is not an integer in its range."""
    if not isfinite(value) or float(value) != int(value):
        raise ValueError(f"{value!r} in an expression of {dtype.name} is not whole; use an integer, or buffers of a float type")
    bits = 8 * dtype.itemsize
    if not -(1 << bits - 1) <= int(value) < 1 << bits - 1:
        raise ValueError(
            f"{int(value)} does not fit into {dtype.name}, whose values are {-(1 << bits - 1)} to {(1 << bits - 1) - 1}"
        )
    return int(value)
