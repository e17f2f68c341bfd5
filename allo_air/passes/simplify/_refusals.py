"""Raises errors for functions that no program for the array can compute."""

from __future__ import annotations

from allo_air.core.diagnostics import error_at
from allo_air.core.names import function_type_of
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, ir

_WIDTHS = (1, 8, 16, 32, 64)
"""Supported bit widths of integer arguments and results; 64 bits are passed as two words."""


def refuse(function: AnyOp) -> None:
    """Raises an error at dynamic sizes, at arguments or results of unsupported types, and at Winograd operations."""
    kind = function_type_of(function)
    for verb, types in (("takes", kind.inputs), ("returns", kind.results)):
        for type_ in types:
            _check_size(function, verb, type_)
            _check_element(function, verb, type_)
    for op in walk_pre_order(function):
        if op.name.startswith("linalg.winograd_"):
            raise error_at(
                op,
                "is a part of Winograd's convolution, which kernels do not support; write the convolution "
                "(linalg.conv_2d_nhwc_fhwc), or decompose it first (transform.structured.decompose_winograd_op)",
            )
        for result in op.results:
            _check_size(op, "makes", result.type)


def _check_element(function: AnyOp, verb: str, type_: ir.Type) -> None:
    """Raises an error unless elements are whole bytes, or bits (each of which is passed as a byte)."""
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    if isinstance(element, ir.F64Type):
        raise error_at(function, f"{verb} {type_}, and the array computes no f64; give it f32, and convert on the host")
    if isinstance(element, ir.IndexType):
        raise error_at(function, f"{verb} {type_}, and indices have no size in memory; give it i32, and use arith.index_cast")
    if isinstance(element, ir.IntegerType) and element.width not in _WIDTHS:
        fitting = next((w for w in _WIDTHS if w > element.width), None)
        advice = f"give it i{fitting}, and cast on the host" if fitting else "take the numbers apart on the host"
        raise error_at(function, f"{verb} {type_}, and the array moves integers of 1, 8, 16, 32 or 64 bits; {advice}")
    if str(element).startswith(("f4", "f6", "f8", "complex", "f80", "f128", "tf32")):
        raise error_at(function, f"{verb} {type_}, and the array computes no {element}; give it bf16 or f32")


def _check_size(op: AnyOp, verb: str, type_: ir.Type) -> None:
    if isinstance(type_, ir.RankedTensorType) and not type_.has_static_shape:
        raise error_at(op, f"{verb} {type_}, and a program is compiled for one shape; write a size for each '?'")
