"""Moves elementwise operations before the expand_shape of a matrix product, so that they can be fused into the product's
kernel.
"""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import defining_op, is_unused, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import Generic, generic, generics
from allo_air.passes._ir.tensors import empty

Groups = list[list[int]]
"""The dimensions of a shape that are one of another, in order."""


def sink_expansions(function: AnyOp) -> None:
    """Makes elementwise operations on an expanded product work on the product's two dimensions, and expands their result.

    Networks on batches of rows have this form in each layer, and kernels only fuse operations with their product's shape.
    Before: `%e = expand_shape %matmul [[0, 1], [2]]`, `%y = generic ins(%e : tensor<2x11x50xf32>)`;
    after: `%y = generic ins(%matmul : tensor<22x50xf32>)`, `%e = expand_shape %y [[0, 1], [2]]`.
    """
    for generic_op in generics(function):
        if (groups := _expanded_groups(generic_op)) is not None:
            _sink(generic_op, groups)


def _expanded_groups(generic_op: Generic) -> Groups | None:
    """The groups of dimensions in which some input expands a product, if all operands can be collapsed alike."""
    if not generic_op.is_elementwise or walk_named(generic_op.op, "linalg.index"):
        return None
    identity = ir.AffineMap.get_identity(len(generic_op.iterators))
    for value, map_ in zip(generic_op.inputs, generic_op.maps, strict=False):
        shown = defining_op(value, "tensor.expand_shape")
        if shown is None or map_ != identity or len(shown.operands) != 1:
            continue
        groups = _groups(shown)
        if _is_used_once(value) and _is_of_product(shown.operands[0]) and all(_merged(m, groups) for m in generic_op.maps):
            return groups
    return None


def _groups(reshape: AnyOp) -> Groups:
    return [[n.value for n in group] for group in reshape.attributes["reassociation"]]


def _is_used_once(value: ir.Value) -> bool:
    return len(list(value.uses)) == 1


def _is_of_product(value: ir.Value) -> bool:
    """Whether `value`, which has no other use, is a matrix product or an elementwise function of one."""
    new = defining_op(value)
    if new is None or not _is_used_once(value):
        return False
    if new.name == "linalg.generic":
        result = Generic.of(new)
        return result.is_elementwise and any(map(_is_of_product, result.inputs))
    return bool(new.name == "linalg.matmul")


def _merged(map_: ir.AffineMap, groups: Groups) -> tuple[Groups, Any] | None:
    """An operand's groups of dimensions, and its map in terms of merged loops.

    None if the operand has only a part of a group, or another order.
    """
    if not map_.is_projected_permutation:
        return None
    dims = [ir.AffineDimExpr(e).position for e in map_.results]
    own, loops = Groups(), list[int]()
    while (at := sum(map(len, own))) < len(dims):
        [number] = [n for n, group in enumerate(groups) if dims[at] in group]
        if dims[at : at + len(groups[number])] != groups[number]:
            return None
        own.append(list(range(at, at + len(groups[number]))))
        loops.append(number)
    return own, ir.AffineMap.get(len(groups), 0, [ir.AffineDimExpr.get(n) for n in loops])


def _sink(generic_op: Generic, groups: Groups) -> None:
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        merged = [m for m in (_merged(m, groups) for m in generic_op.maps) if m is not None]
        inputs = [_collapsed(v, own) for v, (own, _) in zip(generic_op.inputs, merged, strict=False)]
        outs = [empty(_collapsed_type(v.type, groups)) for v in generic_op.outs]

        def body(values: list[ir.Value]) -> list[Any]:
            _, yielded = clone_body(generic_op.block, dict(zip(generic_op.arguments, values, strict=True)))
            return list(yielded)

        result = generic(inputs, outs, [m for _, m in merged], ["parallel"] * len(groups), body)
        for old, new in zip(list(generic_op.op.results), list(result.results), strict=True):
            attributes = {
                "reassociation": _attribute(groups),
                "static_output_shape": ir.DenseI64ArrayAttr.get(list(old.type.shape)),
            }
            shown = ir.Operation.create("tensor.expand_shape", [old.type], [new], attributes)
            old.replace_all_uses_with(shown.results[0])
    generic_op.op.erase()
    for shown in map(defining_op, generic_op.inputs):
        if shown is not None and shown.name == "tensor.expand_shape" and is_unused(shown.results[0]):
            shown.erase()


def _collapsed(value: ir.Value, groups: Groups) -> Any:
    """`value` with one dimension for each of `groups`."""
    if not isinstance(value.type, ir.RankedTensorType) or all(len(group) == 1 for group in groups):
        return value
    result = defining_op(value, "tensor.expand_shape")
    if result is not None and _groups(result) == groups:
        return result.operands[0]
    attributes = {"reassociation": _attribute(groups)}
    return ir.Operation.create("tensor.collapse_shape", [_collapsed_type(value.type, groups)], [value], attributes).results[0]


def _collapsed_type(kind: ir.RankedTensorType, groups: Groups) -> Any:
    return ir.RankedTensorType.get([prod(kind.shape[n] for n in group) for group in groups], kind.element_type)


def _attribute(groups: Groups) -> ir.ArrayAttr:
    index = ir.IntegerType.get_signless(64)
    return ir.ArrayAttr.get([ir.ArrayAttr.get([ir.IntegerAttr.get(index, n) for n in group]) for group in groups])
