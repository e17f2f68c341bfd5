"""Turns gathers by constant indices into slices and reshapes of their source."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from allo_air.core.walking import body_of, defining_op, is_unused, walk_named
from allo_air.mlir import AnyOp, ir, tensor
from allo_air.mlir import linalg_views as linalg
from allo_air.passes._ir.generic import Generic, extents, generics, rewrite
from allo_air.passes.simplify._constants import fold
from allo_air.passes.simplify._diagonals import collapsed, strided
from allo_air.passes.simplify._evaluate import apply, broadcast_to_loops, constant_array, has_rule

_MANY = 1 << 20
"""Largest table of indices that is analysed as a whole."""


def fold_gathers(function: AnyOp) -> None:
    """Reads a tensor by an indexing map if the body extracts its elements in a regular order.

    Each index follows a loop, with an offset and a step, or is constant; or all together enumerate the elements in order. If
    only some indices follow a loop, as in reflection padding, these become the loop's own index, into a slice.

    Before:

        %p = linalg.generic outs(%e : tensor<8x16xf32>) { yield (tensor.extract %table[linalg.index 0, linalg.index 1]) }

    After:

        %s = tensor.extract_slice %table[0, 0] [8, 16] [1, 1] : tensor<50x16xf32> to tensor<8x16xf32>
        %p = linalg.generic ins(%s) outs(%e : tensor<8x16xf32>) { yield %in }
    """
    if walk_named(function, "tensor.extract"):
        for op in body_of(function):
            if all(isinstance(getattr(r.type, "element_type", None), ir.IntegerType) for r in op.results):
                fold(op)  # a table of indices
    for generic in generics(function):
        is_table = 0 < prod(extents(generic)) <= _MANY
        extracts = [n for n, op in enumerate(generic.body) if op.name == "tensor.extract" and is_table]
        for number in reversed(extracts):  # in reverse, since erasing an operation renumbers the later ones
            extract = generic.body[number]
            arrays = _arrays(generic, list(extract.operands)[1:])
            operand = _operand(generic, extract, arrays)
            if operand is not None:
                generic = _read(generic, number, *operand)
            else:
                _follow_loops(generic, extract, arrays)
        for op in reversed(generic.body if extracts else []):
            if all(map(is_unused, op.results)):
                op.erase()  # what computed an index


def _read(generic: Generic, number: int, value: ir.Value, map_: ir.AffineMap) -> Generic:
    """The generic with `value`, indexed by `map_`, as an additional input that replaces the extract with this number in its
    body.
    """
    count = len(generic.inputs)
    inputs = [*zip(generic.inputs, generic.maps, strict=False), (value, map_)]
    places = [*range(count), *range(count + 1, count + 1 + len(generic.outs))]
    result = Generic.of(rewrite(generic, inputs, places))
    extract = result.body[number]
    extract.results[0].replace_all_uses_with(result.arguments[count])
    extract.erase()
    return result


def _operand(generic: Generic, extract: AnyOp, indices: list[np.ndarray | None]) -> tuple[Any, Any] | None:
    """The slice or reshape that `extract` reads, and its map; `indices` has the values of its indices."""
    source, shape = extract.operands[0], extents(generic)
    arrays = [a for a in indices if a is not None]
    if len(arrays) < len(indices):
        return None
    if any(a.min() < 0 or a.max() >= n for a, n in zip(arrays, source.type.shape, strict=True)):
        return None
    with ir.InsertionPoint(generic.op), generic.op.location:
        walked, sides = _walks(arrays, list(source.type.shape))
        loops = [w[0] for w in walked if w is not None and w[0] is not None]
        if all(w is not None for w in walked) and len(set(loops)) == len(loops):
            for n, count in enumerate(sides):
                source = collapsed(source, n, count)
            return _slice(source, [w for w in walked if w is not None], len(shape))
        table = np.ravel_multi_index(tuple(np.broadcast_to(a, shape) for a in arrays), tuple(source.type.shape))
        if prod(shape) == prod(source.type.shape) and np.array_equal(table.ravel(), np.arange(table.size)):
            return reshaped(source, shape), ir.AffineMap.get_identity(len(shape))
    return None


def _follow_loops(generic: Generic, extract: AnyOp, arrays: list[np.ndarray | None]) -> None:
    """Makes those indices of `extract` that follow a loop by a constant step the index of that loop, into a slice; `arrays` has
    the values of the indices.
    """
    source, *indices = extract.operands
    bounds = list(source.type.shape)
    places = list[tuple[int, int, int]]((0, n, 1) for n in bounds)
    loops: dict[int, int] = {}
    for dim, array in enumerate(arrays):
        if array is None or array.min() < 0 or array.max() >= bounds[dim]:
            continue
        loop, *place = _walk(array) or (None,)
        if loop is not None and loop not in loops.values() and defining_op(indices[dim], "linalg.index") is None:
            loops[dim], places[dim] = loop, (place[0], place[1], place[2])
    if not loops:
        return
    if any(place != (0, n, 1) for place, n in zip(places, bounds, strict=True)):
        with ir.InsertionPoint(generic.op), generic.op.location:
            extract.operands[0] = strided(source, *map(list, zip(*places, strict=True)))
    with ir.InsertionPoint(extract), extract.location:
        for dim, loop in loops.items():
            extract.operands[1 + dim] = linalg.IndexOp(loop).result


def _arrays(generic: Generic, indices: list[ir.Value]) -> list[np.ndarray | None]:
    """The values of each of `indices` in all iterations; None if unknown."""
    shape = extents(generic)
    values: dict[Any, Any] = {}
    for value, argument, map_ in zip(generic.inputs, generic.arguments, generic.maps, strict=False):
        if isinstance(value.type, ir.RankedTensorType) and (array := constant_array(value)) is not None:
            values[argument] = broadcast_to_loops(array, map_, shape)
    for op in generic.body:
        arguments = [values[v] if v in values else constant_array(v) for v in op.operands]
        if has_rule(op) and all(g is not None for g in arguments):
            values[op.results[0]] = apply(op, arguments, shape)
    results = [values[v] if v in values else constant_array(v) for v in indices]
    return [None if m is None else np.asarray(m) for m in results]


def _walk(array: np.ndarray) -> tuple[int | None, int, int, int] | None:
    """The loop on which an index depends, its first value, its trip count and its step; None for other indices."""
    if (array == array.flat[0]).all():
        return None, int(array.flat[0]), 1, 1
    moving = [d for d in range(array.ndim) if array.shape[d] > 1 and (np.diff(array, axis=d) != 0).any()]
    if len(moving) != 1:
        return None
    row = np.moveaxis(array, moving[0], 0).reshape(array.shape[moving[0]], -1)[:, 0].astype(np.int64)
    step = int(row[1] - row[0])
    return (moving[0], int(row[0]), len(row), step) if step > 0 and (np.diff(row) == step).all() else None


def _walks(arrays: list[np.ndarray], shape: list[int]) -> tuple[list[tuple[int | None, int, int, int] | None], list[int]]:
    """How each index changes, and the number of adjacent indices that follow one loop together."""
    result, sides, last = list[Any](), list[int](), list[Any]()
    for array, size in zip(arrays, shape, strict=True):
        walk = _walk(array)
        if result and walk is not None and result[-1] is not None and walk[0] is not None and walk[0] == result[-1][0]:
            last[-1] = last[-1] * size + array
            result[-1], sides[-1] = _walk(last[-1]), sides[-1] + 1
        else:
            result.append(walk)
            sides.append(1)
            last.append(array)
    return result, sides


def _slice(source: ir.Value, walks: list[tuple[int | None, int, int, int]], rank: int) -> tuple[Any, Any]:
    value = strided(source, [o for _, o, _, _ in walks], [n for _, _, n, _ in walks], [s for _, _, _, s in walks])
    exprs = [ir.AffineConstantExpr.get(0) if d is None else ir.AffineDimExpr.get(d) for d, _, _, _ in walks]
    return value, ir.AffineMap.get(rank, 0, exprs)


def reshaped(value: ir.Value, shape: list[int]) -> Any:
    """`value` in another shape of as many elements."""
    rank, element = len(value.type.shape), value.type.element_type
    if rank > 1 or (rank == 1 and not shape):
        flat = ir.RankedTensorType.get([prod(shape)] if shape else [], element)
        value = tensor.collapse_shape(flat, value, [range(rank)] if shape else [])
        rank = len(flat.shape)
    if len(shape) == rank:
        return value
    groups = [range(len(shape))] if rank else []
    return tensor.expand_shape(ir.RankedTensorType.get(shape, element), value, groups, [], shape)
