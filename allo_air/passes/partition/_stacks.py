"""Elementwise operations on a concatenation of equal parts have the dimensions of its parts, so that one kernel does both."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import defining_op, is_unused, walk_named
from allo_air.mlir import AnyOp, ir, tensor
from allo_air.passes._ir.generic import Generic, generic, generics
from allo_air.passes._ir.tensors import empty

Groups = list[list[int]]


def sink_stacks(function: AnyOp) -> None:
    """Gives elementwise operations the dimensions of the concatenation that they read, and collapses their results instead.

    Before: `%c = collapse_shape %parts [[0], [1, 2]]`, `%y = generic ins(%c, %x : tensor<8x64xf32>, tensor<8x64xf32>)`;
    after: `%e = expand_shape %x [[0], [1, 2]]`, `%y = generic ins(%parts, %e : tensor<8x2x32xf32>, tensor<8x2x32xf32>)`,
    `%c = collapse_shape %y [[0], [1, 2]]`.
    """
    for generic_op in generics(function):
        stack = next((s for v, m in zip(generic_op.inputs, generic_op.maps, strict=False) if (s := _stack(v, m))), None)
        movable = generic_op.is_elementwise and not walk_named(generic_op.op, "linalg.index")
        if stack is not None and movable and all(m.is_projected_permutation for m in generic_op.maps):
            _sink(generic_op, stack)


def _stack(value: ir.Value, map_: ir.AffineMap) -> AnyOp | None:
    """The operation that collapses a selection by index into `value`, if nothing else reads either."""
    collapse = defining_op(value, "tensor.collapse_shape")
    if collapse is None or map_ != ir.AffineMap.get_identity(map_.n_dims) or len(list(value.uses)) != 1:
        return None
    producer = defining_op(collapse.operands[0], "linalg.generic")
    is_selection = (
        producer is not None and bool(walk_named(producer, "linalg.index")) and len(list(collapse.operands[0].uses)) == 1
    )
    return collapse if is_selection else None


def _sink(generic_op: Generic, collapse: AnyOp) -> None:
    groups: Groups = [[n.value for n in group] for group in collapse.attributes["reassociation"]]
    shape = list(collapse.operands[0].type.shape)
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        loops = [[ir.AffineDimExpr(e).position for e in m.results] for m in generic_op.maps]
        maps = [
            ir.AffineMap.get(len(shape), 0, [ir.AffineDimExpr.get(n) for loop in own for n in groups[loop]]) for own in loops
        ]
        inputs = [
            collapse.operands[0] if v == collapse.results[0] else _expanded(v, own, groups, shape)
            for v, own in zip(generic_op.inputs, loops, strict=False)
        ]
        kinds = zip(generic_op.outs, loops[len(inputs) :], strict=True)
        outs = [empty(_expanded_type(v.type, own, groups, shape)) for v, own in kinds]
        results = generic(inputs, outs, maps, ["parallel"] * len(shape), lambda values: _body(generic_op, values)).results
        for old, new, own in zip(list(generic_op.op.results), results, loops[len(inputs) :], strict=True):
            old.replace_all_uses_with(tensor.CollapseShapeOp(old.type, new, _own_groups(own, groups)).result)
    generic_op.op.erase()
    if is_unused(collapse.results[0]):
        collapse.erase()


def _body(generic_op: Generic, values: list[ir.Value]) -> list[Any]:
    return list(clone_body(generic_op.block, dict(zip(generic_op.arguments, values, strict=True)))[1])


def _own_groups(loops: list[int], groups: Groups) -> Groups:
    """The dimensions of an expanded operand that each of its former dimensions, for `loops`, consists of."""
    own, start = Groups(), 0
    for loop in loops:
        own.append(list(range(start, start + len(groups[loop]))))
        start += len(groups[loop])
    return own


def _expanded_type(kind: ir.RankedTensorType, loops: list[int], groups: Groups, shape: list[int]) -> ir.RankedTensorType:
    return ir.RankedTensorType.get([shape[n] for loop in loops for n in groups[loop]], kind.element_type)


def _expanded(value: Any, loops: list[int], groups: Groups, shape: list[int]) -> Any:
    """`value`, an operand with the dimensions `loops`, in the dimensions that `groups` split them into."""
    if not isinstance(value.type, ir.RankedTensorType) or all(len(groups[loop]) == 1 for loop in loops):
        return value
    kind = _expanded_type(value.type, loops, groups, shape)
    return tensor.expand_shape(kind, value, _own_groups(loops, groups), [], list(kind.shape))
