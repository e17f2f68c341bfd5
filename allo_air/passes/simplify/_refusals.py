"""Raises errors for functions that no program for the array can compute."""

from __future__ import annotations

from allo_air.core.diagnostics import error_at
from allo_air.core.names import function_type_of
from allo_air.core.walking import walk_pre_order
from allo_air.dialects.passed_types import why_not_passed
from allo_air.mlir import AnyOp, ir


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
    """Raises an error for an element type that programs cannot take or return."""
    if why := why_not_passed(type_):
        raise error_at(function, f"{verb} {type_}, and {why}")


def _check_size(op: AnyOp, verb: str, type_: ir.Type) -> None:
    if isinstance(type_, ir.RankedTensorType) and not type_.has_static_shape:
        raise error_at(op, f"{verb} {type_}, and a program is compiled for one shape; write a size for each '?'")
