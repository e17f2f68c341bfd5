"""Removes dimensions of size 1 that no loop indexes from the operands of a linalg.generic."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import is_result_of
from allo_air.mlir import ir, tensor
from allo_air.passes._ir.generic import Generic, generic
from allo_air.passes._ir.tensors import filled


def has_loops_only(generic_op: Generic) -> bool:
    """Whether each dimension of each operand is indexed by exactly one loop."""
    return all(isinstance(e, ir.AffineDimExpr) for m in generic_op.maps for e in m.results)


def drop_units(generic_op: Generic) -> Any:
    """Removes the dimensions with constant index 0. Returns the new operation; None if a dimension has another index than a
    loop.

    Before:

        %s = linalg.generic {(i, j) -> (i, j), (i, j) -> (i, 0)} ins(%a) outs(%z : tensor<32x1xf32>)

    After:

        %s = linalg.generic {(i, j) -> (i, j), (i, j) -> (i)} ins(%a) outs(%y : tensor<32xf32>)
        %r = tensor.expand_shape %s [[0, 1]] : tensor<32xf32> into tensor<32x1xf32>
    """
    loops = [[n for n, e in enumerate(m.results) if isinstance(e, ir.AffineDimExpr)] for m in generic_op.maps]
    operands = [*generic_op.inputs, *generic_op.outs]
    for value, map_, places in zip(operands, generic_op.maps, loops, strict=True):
        indices = [(n, e) for n, e in enumerate(map_.results) if n not in places]
        if any(not isinstance(e, ir.AffineConstantExpr) or value.type.shape[n] != 1 for n, e in indices):
            return None
    count = len(generic_op.inputs)

    def body(values: list[ir.Value]) -> Any:
        return clone_body(generic_op.block, dict(zip(generic_op.arguments, values, strict=True)))[1]

    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        new = [_collapsed(v, places) for v, places in zip(operands, loops, strict=True)]
        maps = [
            ir.AffineMap.get(m.n_dims, 0, [m.results[n] for n in places])
            for m, places in zip(generic_op.maps, loops, strict=True)
        ]
        result = generic(new[:count], new[count:], maps, generic_op.iterators, body)
        for old, value, places in zip(generic_op.op.results, result.results, loops[count:], strict=True):
            shape = list(old.type.shape)
            groups = _groups(places, len(shape))
            wide = value if value.type == old.type else tensor.ExpandShapeOp(old.type, value, groups, [], shape).result
            old.replace_all_uses_with(wide)
    generic_op.op.erase()
    return result


def _collapsed(value: Any, places: list[int]) -> Any:
    """`value` without the dimensions that are not in `places`; a filled tensor becomes a smaller filled tensor."""
    shape = list(value.type.shape)
    if len(places) == len(shape):
        return value
    kind = ir.RankedTensorType.get([shape[n] for n in places], value.type.element_type)
    if is_result_of(value, "linalg.fill"):
        return filled(value.owner.operands[0], kind)
    return tensor.collapse_shape(kind, value, _groups(places, len(shape)))


def _groups(places: list[int], rank: int) -> list[list[int]]:
    """The dimensions that become one of `places` each."""
    ends = [*places[1:], rank]
    starts = [0, *places[1:]]
    return [list(range(start, end)) for start, end in zip(starts, ends, strict=True)] if places else []
