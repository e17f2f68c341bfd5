"""What no program for the array can be made of."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, ir


def refuse(function: AnyOp) -> None:
    """Raises an error at sizes that are not known and at arguments or results of f64."""
    kind = function.attributes["function_type"].value
    for what, types in (("takes", kind.inputs), ("returns", kind.results)):
        for type_ in types:
            _check_size(function, what, type_)
            if isinstance(type_.element_type if isinstance(type_, ir.RankedTensorType) else type_, ir.F64Type):
                raise error_at(
                    function,
                    f"{what} {type_}, and the array computes no f64; give it f32, and convert on the host",
                )
    for op in walk_pre_order(function):
        for result in op.results:
            _check_size(op, "makes", result.type)


def _check_size(op: AnyOp, what: str, type_: Any) -> None:
    if isinstance(type_, ir.RankedTensorType) and not type_.has_static_shape:
        raise error_at(op, f"{what} {type_}, and a program is made for one shape; write a size for each '?'")
