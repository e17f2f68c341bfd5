"""Computes a program in float64: its results without the rounding of narrower floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from allo_air.core.elements import array_of, elements_attr, is_elements
from allo_air.errors import AlloAirError
from allo_air.interp.run import run
from allo_air.mlir import AnyOp, ir

_NARROW = ("f16", "bf16", "f32")
_BETWEEN_FLOATS = ("arith.extf", "arith.truncf")
_BITS = ("bitcast", ".view", ".type_cast")
"""Ends of names of operations that see the bits of their operand."""


def in_float64(module: AnyOp) -> Any:
    """A copy of `module` with f64 for every float; integers, and roundings to integers, are unchanged.

    Raises AlloAirError if an operation uses the bits of a float or branches to a block.
    """
    with module.context, ir.Location.unknown():
        result = ir.Module.create()
        for op in getattr(module, "operation", module).regions[0].blocks[0].operations:
            _copied(op.operation, {}, ir.InsertionPoint(result.body))
    return result


def relative_error(exact: Any, arrays: list[np.ndarray], items: list[np.ndarray]) -> float:
    """The largest differences of `items` from the results of module `exact` for `arrays`, relative to the largest element of
    each result.
    """
    with exact.context, ir.Location.unknown():
        references = run(exact, [as_float64(a) for a in arrays])
    worst = 0.0
    for have, want in zip(items, references, strict=True):
        if have.size:
            difference = np.abs(have.astype(np.float64) - want.astype(np.float64)).max()
            worst = max(worst, float(difference) / max(float(np.abs(want.astype(np.float64)).max()), 1e-300))
    return worst


def as_float64(array: np.ndarray) -> Any:
    """`array` as float64 where it holds floats."""
    return array.astype(np.float64) if _is_float(array) else array


def _is_float(array: np.ndarray) -> bool:
    return array.dtype.kind == "f" or array.dtype.name in ("bfloat16",)


def _copied(op: AnyOp, values: dict[ir.Value, ir.Value], ip: ir.InsertionPoint) -> None:
    if op.name in _BETWEEN_FLOATS:
        values[op.results[0]] = values[op.operands[0]]
        return
    if op.successors or (op.name.endswith(_BITS) and any(_holds_floats(v.type) for v in (*op.operands, *op.results))):
        raise AlloAirError(f"'{op.name}' has no meaning in float64")
    attributes = {name: _wide_attribute(op.attributes[name]) for name in op.attributes}
    kinds = [_wide_type(r.type) for r in op.results]
    operands = [values[v] for v in op.operands]
    result = ir.Operation.create(op.name, kinds, operands, attributes, regions=len(op.regions), loc=op.location, ip=ip)
    for old, new in zip(op.regions, result.regions, strict=True):
        for block in old.blocks:
            inside = new.blocks.append(*[_wide_type(a.type) for a in block.arguments])
            values.update(zip(block.arguments, inside.arguments, strict=True))
            for inner in block.operations:
                _copied(inner.operation, values, ir.InsertionPoint(inside))
    values.update(zip(op.results, result.results, strict=True))


def _holds_floats(kind: object) -> bool:
    return str(kind.element_type if isinstance(kind, ir.ShapedType) else kind) in _NARROW


def _wide_type(kind: ir.Type) -> Any:
    if isinstance(kind, ir.RankedTensorType):
        return ir.RankedTensorType.get(kind.shape, _wide_type(kind.element_type), kind.encoding)
    if isinstance(kind, ir.MemRefType):
        return ir.MemRefType.get(kind.shape, _wide_type(kind.element_type), kind.layout, kind.memory_space)
    if isinstance(kind, ir.VectorType):
        return ir.VectorType.get(kind.shape, _wide_type(kind.element_type))
    if isinstance(kind, ir.FunctionType):
        return ir.FunctionType.get([_wide_type(k) for k in kind.inputs], [_wide_type(k) for k in kind.results])
    return ir.F64Type.get() if str(kind) in _NARROW else kind


def _wide_attribute(attribute: ir.Attribute) -> Any:
    if isinstance(attribute, ir.TypeAttr):
        return ir.TypeAttr.get(_wide_type(attribute.value))
    if isinstance(attribute, ir.FloatAttr):
        return ir.FloatAttr.get(_wide_type(attribute.type), attribute.value)
    if is_elements(attribute) and str(attribute.type.element_type) in _NARROW:
        return elements_attr(array_of(attribute).astype(np.float64), _wide_type(attribute.type), "weights")
    return attribute
