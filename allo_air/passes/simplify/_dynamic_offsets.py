"""Rewrites tensor operations that later passes do not support: accesses at computed positions, reshapes, bitcasts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from allo_air.core.cloning import clone_body, replace
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir, linalg, tensor
from allo_air.passes._ir.generic import generic
from allo_air.passes._ir.tensors import empty
from allo_air.passes.simplify._gathers import reshaped
from allo_air.passes.simplify._scalars import constant


def lower_dynamic_offsets(function: AnyOp) -> None:
    """Rewrites gathers, scatters, tensor.generate and slices at computed offsets as linalg.generic.

    A scatter examines all of its indices for each element, and selects inserted values by position. Reshapes become collapsed
    and expanded dimensions, and bitcasts become casts of arith.

    Before:

        %r = tensor.extract_slice %x[%i, 0] [4, 20] [1, 1] : tensor<8x20xf32> to tensor<4x20xf32>

    After:

        %r = linalg.generic outs(%e : tensor<4x20xf32>) { yield (tensor.extract %x[linalg.index 0 + %i, linalg.index 1]) }
    """
    for op in walk_named(function, *_RULES):
        types = [r.type for r in (*op.operands, *op.results) if isinstance(r.type, ir.RankedTensorType)]
        if all(kind.has_static_shape for kind in types):
            with ir.InsertionPoint(op), op.location:
                result = _RULES[op.name](op)
            if result is not None:
                replace(op, [result])


def _generate(op: AnyOp) -> Any:
    [block] = op.regions[0].blocks
    kind = op.results[0].type

    def body(_: Sequence[ir.Value]) -> Sequence[Any]:
        return clone_body(block, dict(zip(block.arguments, _indices(len(kind.shape)), strict=True)))[1]

    return _elementwise([], kind, body)


def _gather(op: AnyOp) -> Any:
    source, indices = op.operands
    kind, dims = op.results[0].type, list(op.attributes["gather_dims"])
    batch, rank, loops = len(indices.type.shape) - 1, len(source.type.shape), len(kind.shape)
    is_reduced = loops < batch + rank
    along = dict(zip([d for d in range(rank) if not (is_reduced and d in dims)], range(batch, loops), strict=True))

    def body(arguments: Sequence[ir.Value]) -> Sequence[Any]:
        indices, coordinates = _indices(loops), dict(zip(dims, arguments, strict=False))
        return [tensor.extract(source, [_index(coordinates[d]) if d in dims else indices[along[d]] for d in range(rank)])]

    return _elementwise([(indices, _map(loops, range(batch), n)) for n in range(len(dims))], kind, body)


def _scatter(op: AnyOp) -> Any:
    source, target, indices = op.operands
    kind, dims = op.results[0].type, list(op.attributes["scatter_dims"])
    batch, rank = len(indices.type.shape) - 1, len(kind.shape)
    is_reduced = len(source.type.shape) < batch + rank
    updates = range(rank, rank + batch)
    update_dims = [None if d in dims else d for d in range(rank) if not (is_reduced and d in dims)]

    def body(arguments: Sequence[ir.Value]) -> Sequence[Any]:
        *coordinates, update, old = arguments
        is_target: Any = None
        for d, value in zip(dims, coordinates, strict=True):
            is_target = _conjunction(is_target, arith.cmpi(arith.CmpIPredicate.eq, _index(value), linalg.IndexOp(d).result))
        return [arith.select(is_target, update, old)]

    maps = [_map(rank + batch, updates, n) for n in range(len(dims))]
    maps += [_map(rank + batch, [*updates, *update_dims]), _map(rank + batch, range(rank))]
    kinds = ["parallel"] * rank + ["reduction"] * batch
    return generic([*[indices] * len(dims), source], [target], maps, kinds, body).results[0]


def _extract_slice(op: AnyOp) -> Any:
    view = op.opview
    if not len(view.offsets) and not len(view.strides):
        return None
    source, kind = op.operands[0], op.results[0].type
    offsets, strides = _mixed_values(view.static_offsets, view.offsets), _mixed_values(view.static_strides, view.strides)
    kept_dims = _remaining_dimensions(list(view.static_sizes), list(kind.shape))

    def body(_: Sequence[ir.Value]) -> Sequence[Any]:
        indices = dict(zip(kept_dims, _indices(len(kind.shape)), strict=True))
        places = [_number(offset) for offset in offsets]
        for d, value in indices.items():
            step = value if strides[d] == 1 else arith.muli(value, _number(strides[d]))
            places[d] = step if offsets[d] == 0 else arith.addi(step, places[d])
        return [tensor.extract(source, places)]

    return _elementwise([], kind, body)


def _insert_slice(op: AnyOp) -> Any:
    view = op.opview
    if not len(view.offsets) or len(view.strides) or any(n != 1 for n in view.static_strides):
        return None
    source, target = op.operands[:2]
    kind, sizes = op.results[0].type, list(view.static_sizes)
    offsets, kept_dims = _mixed_values(view.static_offsets, view.offsets), _remaining_dimensions(sizes, list(source.type.shape))

    def body(arguments: Sequence[ir.Value]) -> Sequence[Any]:
        inside: Any = None
        places = list[Any]()
        for d, (offset, size) in enumerate(zip(offsets, sizes, strict=True)):
            index = linalg.IndexOp(d).result
            if offset != 0 or size != kind.shape[d]:
                index = arith.subi(index, _number(offset))
                within = arith.cmpi(arith.CmpIPredicate.ult, index, _number(size))
                inside = _conjunction(inside, within)
                index = arith.select(within, index, _number(0))
            places += [index] if d in kept_dims else []
        return [arith.select(inside, tensor.extract(source, places), arguments[0])]

    return _elementwise([(target, ir.AffineMap.get_identity(len(sizes)))], kind, body)


def _bitcast(op: AnyOp) -> Any:
    return arith.bitcast(op.results[0].type, op.operands[0])


def _reshape(op: AnyOp) -> Any:
    return reshaped(op.operands[0], list(op.results[0].type.shape))


_RULES: dict[str, Callable[[Any], Any]] = {
    "tensor.generate": _generate,
    "tensor.bitcast": _bitcast,
    "tensor.reshape": _reshape,
    "tensor.gather": _gather,
    "tensor.scatter": _scatter,
    "tensor.extract_slice": _extract_slice,
    "tensor.insert_slice": _insert_slice,
}


def _elementwise(
    inputs: list[tuple[ir.Value, ir.AffineMap]], kind: ir.RankedTensorType, body: Callable[[list[ir.Value]], Sequence[ir.Value]]
) -> Any:
    rank = len(kind.shape)
    maps = [*(m for _, m in inputs), ir.AffineMap.get_identity(rank)]
    return generic([v for v, _ in inputs], [empty(kind)], maps, ["parallel"] * rank, body).results[0]


def _map(loops: int, along: Iterable[int | None], last: int | None = None) -> ir.AffineMap:
    """A map to loops, 0 for None, followed by the number `last`."""
    exprs = [ir.AffineConstantExpr.get(0) if d is None else ir.AffineDimExpr.get(d) for d in along]
    return ir.AffineMap.get(loops, 0, [*exprs, *([] if last is None else [ir.AffineConstantExpr.get(last)])])


def _indices(rank: int) -> list[Any]:
    return [linalg.IndexOp(d).result for d in range(rank)]


def _index(value: ir.Value) -> Any:
    return value if isinstance(value.type, ir.IndexType) else arith.index_cast(ir.IndexType.get(), value)


def _conjunction(first: ir.Value, second: ir.Value) -> Any:
    return second if first is None else arith.andi(first, second)


def _number(value: int | ir.Value) -> Any:
    return value if isinstance(value, ir.Value) else constant(value, ir.IndexType.get())


def _mixed_values(static: ir.DenseI64ArrayAttr, dynamic: ir.OpOperandList) -> list[Any]:
    """Static numbers, and values where they are dynamic."""
    values = iter(dynamic)
    return [next(values) if n == ir.ShapedType.get_dynamic_size() else n for n in static]


def _remaining_dimensions(sizes: list[int], shape: list[int]) -> list[int]:
    """The dimensions of a slice of `sizes` that `shape` keeps; it may drop dimensions of size 1."""
    dropped, kept_dims = len(sizes) - len(shape), list[int]()
    for d, size in enumerate(sizes):
        if dropped and size == 1 and (len(kept_dims) == len(shape) or shape[len(kept_dims)] != 1):
            dropped -= 1
        else:
            kept_dims.append(d)
    return kept_dims
