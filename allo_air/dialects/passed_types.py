"""The element types that arguments and results of programs for the array may have."""

from __future__ import annotations

from allo_air.mlir import ir

_WIDTHS = (1, 8, 16, 32, 64)
"""Supported bit widths of integer arguments and results; 64 bits are passed as two words."""


def is_moved(kind: ir.RankedTensorType) -> bool:
    """Whether DMAs move elements of a type."""
    return str(kind.element_type) not in ("i1", "i64", "f64", "index")


def why_not_passed(type_: ir.Type) -> str:
    """Why a program cannot take or return a value of a type; "" if it can.

    Elements must be whole bytes, or bits (each of which is passed as a byte).
    """
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    if isinstance(element, ir.F64Type):
        return "the array computes no f64; give it f32, and convert on the host"
    if isinstance(element, ir.IndexType):
        return "indices have no size in memory; give it i32, and use arith.index_cast"
    if isinstance(element, ir.IntegerType) and element.width not in _WIDTHS:
        fitting = next((w for w in _WIDTHS if w > element.width), None)
        advice = f"give it i{fitting}, and cast on the host" if fitting else "take the numbers apart on the host"
        return f"the array moves integers of 1, 8, 16, 32 or 64 bits; {advice}"
    if isinstance(element, ir.IntegerType) and not element.is_signless:
        return f"operations take integers without a sign in the type; give it i{element.width}, which holds the same bits"
    if str(element).startswith(("f4", "f6", "f8", "complex", "f80", "f128", "tf32")):
        return f"the array computes no {element}; give it bf16 or f32"
    return ""
