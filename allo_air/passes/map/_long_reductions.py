"""Rewrites reductions of long rows so that they can be cut: merges loops, splits a reduction in two, or pads a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from allo_air.core.cloning import clone, clone_body
from allo_air.core.walking import defining_op, is_result_of, is_unused, walk_named
from allo_air.mlir import AnyOp, arith, ir, linalg, tensor
from allo_air.passes._analysis.kernels import MOVED_BY_HOST
from allo_air.passes._analysis.structured import loops_in
from allo_air.passes._ir.generic import Generic, composed_map, extents, generic
from allo_air.passes._ir.packing import pad_by
from allo_air.passes._ir.tensors import empty, filled
from allo_air.passes.map._neutral_numbers import combiner, dims_of_loop, neutral_of, padding_of


def is_plain(generic_op: Generic) -> bool:
    """Whether each reduction loop is, by itself, a dimension of every operand that depends on it."""
    reduced = {n for n, kind in enumerate(generic_op.iterators) if kind == "reduction"}
    sums = [e for m in generic_op.maps for e in m.results if not isinstance(e, ir.AffineDimExpr)]
    return not any(reduced & loops_in(e) for e in sums)


def is_read_again(generic_op: Generic) -> bool:
    """Whether a user of the result also reads the reduced tensor, or an elementwise function of it."""
    rows = set(generic_op.inputs)
    for value in generic_op.inputs:
        maker = defining_op(value, "linalg.generic")
        if maker is not None and Generic.of(maker).is_elementwise:
            rows |= {v for v in Generic.of(maker).inputs if v.type.shape == value.type.shape}
    waiting, seen = list(generic_op.op.results), set()
    while waiting:
        value = waiting.pop()
        for user in [use.owner.operation for use in value.uses]:
            if user.name != "linalg.generic" or not any(r not in seen for r in user.results):
                continue
            if Generic.of(user).is_elementwise and not rows.isdisjoint(Generic.of(user).inputs):
                return True
            seen |= set(user.results)
            waiting += list(user.results)
    return False


def join_loops(generic_op: Generic) -> Any:
    """Joins two reduced loops that are adjacent dimensions in all operands; returns the new operation, or None if there are
    none.

    Before:

        %s = linalg.generic {(i, j) -> (i, j), (i, j) -> ()} ins(%a : tensor<8x16xf32>)

    After:

        %b = tensor.collapse_shape %a [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
        %s = linalg.generic {(k) -> (k), (k) -> ()} ins(%b : tensor<128xf32>)
    """
    reduced = [n for n, kind in enumerate(generic_op.iterators) if kind == "reduction"]
    pairs = [(a, b) for a in reduced for b in reduced if a != b and all(_is_inside(m, a, b) for m in generic_op.maps)]
    if not pairs:
        return None
    _, inner = pairs[0]
    kept_loops = [n for n in range(len(generic_op.iterators)) if n != inner]
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        inputs = [_collapsed(v, dims_of_loop(m, inner)) for v, m in zip(generic_op.inputs, generic_op.maps, strict=False)]
        maps = [_renumbered(m, kept_loops, without=inner) for m in generic_op.maps]
        copy = _copy(generic_op, inputs, generic_op.outs, maps, [generic_op.iterators[n] for n in kept_loops])
    return _replace(generic_op, copy)


def fuse_producer(generic_op: Generic) -> Any:
    """Moves an elementwise producer with no other user into the body; returns the new operation, or None if there is none.

    Before:

        %p = linalg.generic ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) { yield (arith.mulf) }
        %s = linalg.generic ins(%p : tensor<8xf32>) outs(%z : tensor<f32>) { yield (arith.addf) }

    After:

        %s = linalg.generic ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%z) { yield (arith.addf (arith.mulf)) }
    """
    for number, value in enumerate(generic_op.inputs):
        maker = defining_op(value, "linalg.generic")
        if maker is None or len(_readers(value)) != 1:
            continue
        result = Generic.of(maker)
        if len(result.outs) != 1 or not result.is_elementwise or walk_named(maker, "linalg.index", "tensor.extract"):
            continue
        if not _is_product(generic_op, result):
            return _inlined(generic_op, number, result)
    return None


def _readers(value: ir.Value) -> list[Any]:
    """The uses of `value`, without linalg.generics whose results are unused."""
    owners = [use.owner.operation for use in value.uses]
    return [o for o in owners if o.name != "linalg.generic" or not all(map(is_unused, o.results))]


def _is_product(generic_op: Generic, item: Generic) -> bool:
    """Whether the two form a sum of products of two tensors. These are left to the passes for contractions."""
    return len(item.inputs) > 1 and [o.name for g in (item, generic_op) for o in g.body] in (
        ["arith.mulf", "arith.addf"],
        ["arith.muli", "arith.addi"],
    )


def _inlined(generic_op: Generic, number: int, item: Generic) -> Any:
    inside = [composed_map(m, generic_op.maps[number]) for m in item.maps]
    count = len(item.inputs)

    def body(values: list[ir.Value]) -> Sequence[Any]:
        first = dict(zip(item.arguments, values[number : number + count], strict=False))
        [value] = clone_body(item.block, first)[1]
        rest = [*values[:number], value, *values[number + count :]]
        return clone_body(generic_op.block, dict(zip(generic_op.arguments, rest, strict=True)))[1]

    inputs = [*generic_op.inputs[:number], *item.inputs, *generic_op.inputs[number + 1 :]]
    maps = [*generic_op.maps[:number], *inside[:count], *generic_op.maps[number + 1 :]]
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        return _replace(generic_op, generic(inputs, generic_op.outs, maps, generic_op.iterators, body))


def split_in_two(generic_op: Generic, loop: int) -> Sequence[Any]:
    """Splits a reduction in two: the first one reduces all loops except `loop`, the second one reduces `loop`. Returns both.

    Before:

        %s = linalg.generic {(i, j) -> (i, j), (i, j) -> ()} ins(%a : tensor<8x16xf32>) outs(%z : tensor<f32>)

    After:

        %p = linalg.generic {(i, j) -> (i, j), (i, j) -> (i)} ins(%a) outs(%zeros : tensor<8xf32>)
        %s = linalg.generic {(i) -> (i), (i) -> ()} ins(%p : tensor<8xf32>) outs(%z : tensor<f32>)
    """
    join = combiner(generic_op)
    out, out_map = generic_op.outs[0], generic_op.maps[-1]
    loops = len(generic_op.iterators)
    results = [ir.AffineDimExpr.get(loop), *out_map.results]
    shape, kind = [extents(generic_op)[loop], *out.type.shape], out.type.element_type
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        start = arith.ConstantOp(kind, neutral_of(join)).result
        first = filled(start, ir.RankedTensorType.get(shape, kind))
        maps = [*generic_op.maps[:-1], ir.AffineMap.get(loops, 0, results)]
        partial = _copy(
            generic_op,
            generic_op.inputs,
            [first],
            maps,
            ["parallel" if n == loop else k for n, k in enumerate(generic_op.iterators)],
        )
        rank = len(shape)
        final = generic(
            partial.results,
            generic_op.outs,
            [ir.AffineMap.get_identity(rank), ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(d) for d in range(1, rank)])],
            ["reduction", *["parallel"] * (rank - 1)],
            _join_body(generic_op, join),
        )
    return partial, _replace(generic_op, final)


def pad_loop(generic_op: Generic, loop: int, length: int) -> Sequence[Any]:
    """Pads a loop to `length` iterations without a change of the result. Returns the new result.

    Operands are padded with a neutral number. If there is no such number, the elementwise part of the body becomes an operation
    of its own first.

    Before:

        %s = linalg.generic ins(%a : tensor<1000003xf32>) outs(%z : tensor<f32>)

    After:

        %p = tensor.pad %a low[0] high[125] {allo.brought} : tensor<1000003xf32> to tensor<1000128xf32>
        %s = linalg.generic ins(%p : tensor<1000128xf32>) outs(%z : tensor<f32>)
    """
    join = combiner(generic_op)
    pad_value = padding_of(generic_op, join, loop)
    if pad_value is None:
        return pad_loop(Generic.of(_elements_first(generic_op, join)), loop, length)
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        inputs = [
            _padded(v, dims_of_loop(m, loop), length, pad_value)
            for v, m in zip(generic_op.inputs, generic_op.maps, strict=False)
        ]
        copy = _copy(generic_op, inputs, generic_op.outs, generic_op.maps, generic_op.iterators)
    return (_replace(generic_op, copy),)


def _elements_first(generic_op: Generic, join: AnyOp) -> Any:
    """Makes the elementwise part of the body an operation of its own, whose result the reduction reads."""
    so_far = generic_op.arguments[-1]
    [term] = [v for v in join.operands if v != so_far]
    loops = len(generic_op.iterators)
    kind = ir.RankedTensorType.get(extents(generic_op), term.type)
    everywhere = ir.AffineMap.get_identity(loops)

    def element(values: list[ir.Value]) -> list[Any]:
        mapping = dict(zip(generic_op.arguments[:-1], values, strict=False))
        for op in generic_op.body:
            if op != join:
                clone(op, mapping)
        return [mapping[term]]

    ins = list(generic_op.inputs)
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        elements = generic(ins, [empty(kind)], [*generic_op.maps[:-1], everywhere], ["parallel"] * loops, element)
        result = generic(
            list(elements.results),
            generic_op.outs,
            [everywhere, generic_op.maps[-1]],
            generic_op.iterators,
            _join_body(generic_op, join),
        )
    return _replace(generic_op, result)


def _join_body(generic_op: Generic, join: AnyOp) -> Callable[[list[Any]], list[Any]]:
    def body(values: Sequence[ir.Value]) -> list[Any]:
        so_far = generic_op.arguments[-1]
        operands = [values[1] if v == so_far else values[0] for v in join.operands]
        attributes = {name: join.attributes[name] for name in join.attributes}
        return [ir.Operation.create(join.name, [join.results[0].type], operands, attributes).results[0]]

    return body


def _copy(
    generic_op: Generic,
    inputs: Sequence[ir.BlockArgument | ir.OpResult],
    outs: Sequence[ir.BlockArgument | ir.OpResult],
    maps: Sequence[Any],
    iterators: Sequence[str],
) -> Any:
    def body(values: list[ir.Value]) -> Sequence[Any]:
        return clone_body(generic_op.block, dict(zip(generic_op.arguments, values, strict=True)))[1]

    return generic(list(inputs), list(outs), maps, iterators, body)


def _replace(generic_op: Generic, op: AnyOp) -> Any:
    for old, new in zip(generic_op.op.results, op.results, strict=True):
        old.replace_all_uses_with(new)
    generic_op.op.erase()
    return op


def _is_inside(map_: ir.AffineMap, outer: int, inner: int) -> bool:
    """Whether an operand has both loops, with `inner` as the dimension after `outer`, or neither."""
    outer_places, inner_places = dims_of_loop(map_, outer), dims_of_loop(map_, inner)
    return (not outer_places and not inner_places) or (
        len(outer_places) == len(inner_places) == 1 and inner_places[0] == outer_places[0] + 1
    )


def _renumbered(map_: Any, kept_loops: list[int], without: int) -> Any:
    new = {ir.AffineDimExpr.get(old): ir.AffineDimExpr.get(position) for position, old in enumerate(kept_loops)}
    exprs = [e for n, e in enumerate(map_.results) if n not in dims_of_loop(map_, without)]
    replaced = [new[e] if e in new else _shifted(e, kept_loops) for e in exprs]
    return ir.AffineMap.get(len(kept_loops), 0, replaced)


def _shifted(expression: ir.AffineExpr, kept_loops: list[int]) -> Any:
    old = [
        ir.AffineDimExpr.get(kept_loops.index(n)) if n in kept_loops else ir.AffineConstantExpr.get(0)
        for n in range(len(kept_loops) + 1)
    ]
    return expression.compose(ir.AffineMap.get(len(kept_loops), 0, old))


def _collapsed(value: ir.Value, places: list[int]) -> Any:
    if not places:
        return value
    [dim] = places
    shape = list(value.type.shape)
    groups = [[n] for n in range(dim - 1)] + [[dim - 1, dim]] + [[n] for n in range(dim + 1, len(shape))]
    kind = ir.RankedTensorType.get([*shape[: dim - 1], shape[dim - 1] * shape[dim], *shape[dim + 1 :]], value.type.element_type)
    return tensor.collapse_shape(kind, value, groups)


def _padded(value: ir.Value, places: list[int], size: int, pad_value: int | float) -> Any:
    if not places:
        return value
    if pad_value == 0 and not is_argument(value) and len(list(value.uses)) > 1:  # other users need the unpadded value
        value = linalg.copy(value, outs=[empty(value.type)])
    high = [size - e if n in places else 0 for n, e in enumerate(value.type.shape)]
    result = pad_by(value, [0] * len(high), high, pad_value)
    if pad_value == 0 or is_argument(value):
        result.owner.attributes[MOVED_BY_HOST] = ir.UnitAttr.get()
    return result


def is_argument(value: ir.Value) -> bool:
    """Whether `value` is an argument of the function, or a reshape of one."""
    while is_result_of(value, "tensor.collapse_shape", "tensor.expand_shape"):
        value = value.owner.operands[0]
    return isinstance(value, ir.BlockArgument)
