"""Gives elementwise operations on a matrix product the product's shape, so that they can be fused into its kernel."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import defining_op, is_unused, is_used_once, walk_named
from allo_air.mlir import AnyOp, ir, tensor
from allo_air.passes._analysis.structured import reassociation
from allo_air.passes._ir.generic import Generic, composed_map, generic, generics
from allo_air.passes._ir.tensors import empty

Groups = list[list[int]]
"""For each dimension of a shape, the dimensions of another shape that it consists of."""


def sink_expansions(function: AnyOp) -> None:
    """Makes elementwise operations on an expanded product work on the product's two dimensions, and expands their result.

    Networks on batches of rows have this form in each layer, and kernels only fuse operations with their product's shape.
    Before: `%e = expand_shape %matmul [[0, 1], [2]]`, `%y = generic ins(%e : tensor<2x11x50xf32>)`;
    after: `%y = generic ins(%matmul : tensor<22x50xf32>)`, `%e = expand_shape %y [[0, 1], [2]]`.

    The same holds for a product of one row, whose dimension of 1 a collapse_shape drops.
    Before: `%c = collapse_shape %matmul [[0, 1]]`, `%y = generic ins(%c : tensor<50xf32>)`;
    after: `%y = generic ins(%matmul : tensor<1x50xf32>)`, `%c = collapse_shape %y [[0, 1]]`.
    """
    for generic_op in generics(function):
        if (groups := _expanded_groups(generic_op)) is not None:
            _sink_expansion(generic_op, groups)
        elif (number := _row_of_product(generic_op)) is not None:
            _sink_collapse(generic_op, number)


def _expanded_groups(generic_op: Generic) -> Groups | None:
    """The groups of dimensions in which some input expands a product, if all operands can be collapsed alike."""
    for number in _reshaped_products(generic_op, "tensor.expand_shape"):
        shown = defining_op(generic_op.inputs[number])
        if len(shown.operands) == 1 and all(_merged(m, reassociation(shown)) for m in generic_op.maps):
            return reassociation(shown)
    return None


def _row_of_product(generic_op: Generic) -> int | None:
    """The number of an input that is a product without its dimensions of 1."""
    for number in _reshaped_products(generic_op, "tensor.collapse_shape"):
        collapse = defining_op(generic_op.inputs[number])
        sizes = collapse.operands[0].type.shape
        if all(sum(sizes[n] != 1 for n in group) <= 1 for group in reassociation(collapse)):
            return number
    return None


def _reshaped_products(generic_op: Generic, reshape: str) -> list[int]:
    """The numbers of the inputs that are products with other dimensions, by an operation `reshape` that has no other use."""
    if not generic_op.iterators or not generic_op.is_elementwise or walk_named(generic_op.op, "linalg.index"):
        return []
    identity = ir.AffineMap.get_identity(len(generic_op.iterators))
    ops = [defining_op(v, reshape) if m == identity else None for v, m in zip(generic_op.inputs, generic_op.maps, strict=False)]
    return [n for n, op in enumerate(ops) if op is not None and is_used_once(op.results[0]) and _is_of_product(op.operands[0])]


def _is_of_product(value: ir.Value) -> bool:
    """Whether `value`, which has no other use, is a matrix product or an elementwise function of one."""
    new = defining_op(value)
    if new is None or not is_used_once(value):
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
    while (dim := sum(map(len, own))) < len(dims):
        [number] = [n for n, group in enumerate(groups) if dims[dim] in group]
        if dims[dim : dim + len(groups[number])] != groups[number]:
            return None
        own.append(list(range(dim, dim + len(groups[number]))))
        loops.append(number)
    return own, ir.AffineMap.get(len(groups), 0, [ir.AffineDimExpr.get(n) for n in loops])


def _sink_expansion(generic_op: Generic, groups: Groups) -> None:
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        merged = [m for m in (_merged(m, groups) for m in generic_op.maps) if m is not None]
        inputs = [_collapsed(v, own) for v, (own, _) in zip(generic_op.inputs, merged, strict=False)]
        outs = [empty(_collapsed_type(v.type, groups)) for v in generic_op.outs]
        results = _with_body_of(generic_op, inputs, outs, [m for _, m in merged])
        for old, new in zip(list(generic_op.op.results), results, strict=True):
            old.replace_all_uses_with(tensor.expand_shape(old.type, new, groups, [], list(old.type.shape)))
    generic_op.op.erase()
    for shown in map(defining_op, generic_op.inputs):
        if shown is not None and shown.name == "tensor.expand_shape" and is_unused(shown.results[0]):
            shown.erase()


def _sink_collapse(generic_op: Generic, number: int) -> None:
    """Gives `generic_op` the dimensions of the product that its input `number` collapses."""
    collapse = defining_op(generic_op.inputs[number])
    product, groups = collapse.operands[0], reassociation(collapse)
    shape, rank = product.type.shape, len(product.type.shape)
    loops = [ir.AffineDimExpr.get(next((n for n in group if shape[n] != 1), group[0])) for group in groups]
    whole = ir.AffineMap.get_identity(rank)
    inputs = [product if n == number else v for n, v in enumerate(generic_op.inputs)]
    maps = [composed_map(m, ir.AffineMap.get(rank, 0, loops)) for m in generic_op.maps[: len(inputs)]]
    maps[number] = whole
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        outs = [empty(ir.RankedTensorType.get(shape, v.type.element_type)) for v in generic_op.outs]
        results = _with_body_of(generic_op, inputs, outs, [*maps, *[whole] * len(outs)])
        for old, new in zip(list(generic_op.op.results), results, strict=True):
            old.replace_all_uses_with(_collapsed(new, groups))
    generic_op.op.erase()
    collapse.erase()


def _with_body_of(generic_op: Generic, inputs: list[Any], outs: list[Any], maps: list[ir.AffineMap]) -> list[Any]:
    """Results of a parallel generic with the body of `generic_op`, and with other operands and maps."""

    def body(values: list[ir.Value]) -> list[Any]:
        return list(clone_body(generic_op.block, dict(zip(generic_op.arguments, values, strict=True)))[1])

    return list(generic(inputs, outs, maps, ["parallel"] * maps[0].n_dims, body).results)


def _collapsed(value: ir.Value, groups: Groups) -> Any:
    """`value` with one dimension for each of `groups`."""
    if not isinstance(value.type, ir.RankedTensorType) or all(len(group) == 1 for group in groups):
        return value
    result = defining_op(value, "tensor.expand_shape")
    if result is not None and reassociation(result) == groups:
        return result.operands[0]
    return tensor.collapse_shape(_collapsed_type(value.type, groups), value, groups)


def _collapsed_type(kind: ir.RankedTensorType, groups: Groups) -> Any:
    return ir.RankedTensorType.get([prod(kind.shape[n] for n in group) for group in groups], kind.element_type)
