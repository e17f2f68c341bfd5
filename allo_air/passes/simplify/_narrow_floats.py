"""Narrows f64 to f32, since the array has no f64 arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np

from allo_air.core.elements import array_of, elements_attr, is_elements
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, ir


def narrow_floats(function: AnyOp) -> None:
    """Computes in f32 what the function computes in f64, if its arguments and results are not f64.

    Importers write scalars and variances in f64 and round the result to f32. After this rewrite, each step rounds.

    Before:

        %w = arith.extf %x : f32 to f64
        %s = arith.mulf %w, %pi : f64
        %r = arith.truncf %s : f64 to f32

    After:

        %r = arith.mulf %x, %pi : f32
    """
    for op in walk_pre_order(function):
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    _retype(argument)
        if op.name == "arith.constant" and _is_wide(op.results[0].type):
            op.attributes["value"] = _narrowed(op.attributes["value"])
        for result in op.results:
            _retype(result)
    for op in walk_pre_order(function):
        if op.name in ("arith.extf", "arith.truncf") and op.operands[0].type == op.results[0].type:
            op.results[0].replace_all_uses_with(op.operands[0])
            op.erase()


def _is_wide(type_: ir.Type) -> bool:
    return isinstance(type_.element_type if isinstance(type_, ir.RankedTensorType) else type_, ir.F64Type)


def _retype(value: ir.Value) -> None:
    if _is_wide(value.type):
        narrow = ir.F32Type.get()
        tensor = isinstance(value.type, ir.RankedTensorType)
        value.set_type(ir.RankedTensorType.get(value.type.shape, narrow, value.type.encoding) if tensor else narrow)


def _narrowed(attribute: ir.FloatAttr) -> Any:
    with np.errstate(over="ignore"):
        if is_elements(attribute):
            kind = ir.RankedTensorType.get(attribute.type.shape, ir.F32Type.get())
            return elements_attr(array_of(attribute).astype(np.float32), kind)
        return ir.FloatAttr.get(ir.F32Type.get(), float(np.float32(attribute.value)))
