"""Elementwise arithmetic on vectors of several dimensions becomes that on vectors of one."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.elements import array_of
from allo_air.core.walking import defining_op, walk_pre_order
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes._ir.tensors import number_of


def flatten_vectors(op: AnyOp) -> None:
    """Flattens the arithmetic in `op` on vectors of several dimensions, except operands and results of contractions. The rules
    for arithmetic count lanes.

    Before: `%z = arith.addi %x, %y : vector<2x16xi32>`. After: `%f = arith.addi %a, %b : vector<32xi32>`, where %a, %b and %z
    are shape casts of %x, %y and %f.
    """
    for item in walk_pre_order(op):
        if item.name.startswith(("arith.", "math.")) and item.name != "arith.constant" and _is_matrix(item):
            _flatten(item)


def _is_matrix(op: ir.Operation) -> bool:
    """Whether `op` is elementwise on vectors of several dimensions, apart from contractions."""
    values = [*op.operands, *op.results]
    if len(op.results) != 1 or not all(isinstance(v.type, ir.VectorType) and v.type.rank > 1 for v in values):
        return False
    users = [use.owner.operation for use in op.results[0].uses]
    near = [*users, *filter(None, (defining_op(v) for v in op.operands))]
    return len({tuple(v.type.shape) for v in values}) == 1 and all(o.name != "vector.contract" for o in near)


def _flatten(op: ir.Operation) -> None:
    kind = op.results[0].type
    attributes = {name: op.attributes[name] for name in op.attributes}
    with ir.InsertionPoint(op), op.location:
        operands = [_flat(v) for v in op.operands]
        flat = ir.Operation.create(op.name, [_flat_type(kind)], operands, attributes).results[0]
        result = vector.shape_cast(kind, flat)
    op.results[0].replace_all_uses_with(result)
    op.erase()


def _flat(value: ir.Value) -> Any:
    """`value` as a vector of one dimension."""
    kind = _flat_type(value.type)
    cast = defining_op(value, "vector.shape_cast")
    if cast is not None and cast.operands[0].type == kind:
        return cast.operands[0]
    constant = defining_op(value, "arith.constant")
    if constant is not None and constant.attributes["value"].is_splat:
        number = array_of(constant.attributes["value"]).flat[0]
        return arith.constant(kind, ir.DenseElementsAttr.get_splat(kind, number_of(kind.element_type, number)))
    return vector.shape_cast(kind, value)


def _flat_type(kind: ir.VectorType) -> Any:
    return ir.VectorType.get([prod(kind.shape)], kind.element_type)
