"""Replaces operands that one loop indexes in several dimensions, such as diagonals, by strided slices with one dimension for
the loop.
"""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

from allo_air.mlir import AnyOp, ir, tensor
from allo_air.passes._ir.generic import generic, generics, rewrite
from allo_air.passes._ir.tensors import empty


def walk_diagonals(function: AnyOp) -> None:
    """Rewrites operands so that each of their dimensions is indexed by a different loop.

    The dimensions that share a loop are made adjacent and merged into one, which a strided slice reads.

    Before:

        %y = linalg.generic {(d0) -> (d0, d0), (d0) -> (d0)} ins(%x : tensor<6x6xf32>) outs(%e)

    After:

        %a = tensor.collapse_shape %x [[0, 1]] : tensor<6x6xf32> into tensor<36xf32>
        %s = tensor.extract_slice %a[0] [6] [7] : tensor<36xf32> to tensor<6xf32>
        %y = linalg.generic {(d0) -> (d0), (d0) -> (d0)} ins(%s) outs(%e)
    """
    for generic_op in generics(function):
        if not any(_shared(m) for m in generic_op.maps[: len(generic_op.inputs)]):
            continue
        inputs = []
        with ir.InsertionPoint(generic_op.op), generic_op.op.location:
            for value, map_ in zip(generic_op.inputs, generic_op.maps, strict=False):
                while (places := _shared(map_)) and isinstance(value.type, ir.RankedTensorType):
                    value, map_ = _walked_once(*_side_by_side(value, map_, places))
                inputs.append((value, map_))
        rewrite(generic_op, inputs, list(range(len(generic_op.arguments))))


def _shared(map_: ir.AffineMap) -> list[int]:
    """The positions of the first loop that occurs more than once in `map_`."""
    results = list(map_.results)
    for e in results:
        places = [n for n, result in enumerate(results) if result == e]
        if len(places) > 1 and isinstance(e, ir.AffineDimExpr):
            return places
    return []


def _side_by_side(value: ir.Value, map_: ir.AffineMap, places: list[int]) -> tuple[Any, Any, list[int]]:
    """`value` with dimensions `places` made adjacent, its map, and their new positions."""
    if all(b == a + 1 for a, b in pairwise(places)):
        return value, map_, places
    rank = len(map_.results)
    first = places[0]
    order = [d for d in range(rank) if d < first or d not in places]
    order[first:first] = places
    kind = ir.RankedTensorType.get([value.type.shape[d] for d in order], value.type.element_type)
    out = empty(kind)
    read = ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(order.index(d)) for d in range(rank)])
    copy = generic([value], [out], [read, ir.AffineMap.get_identity(rank)], ["parallel"] * rank, lambda values: values[:1])
    new = ir.AffineMap.get(map_.n_dims, 0, [map_.results[d] for d in order])
    return copy.results[0], new, list(range(first, first + len(places)))


def _walked_once(value: ir.Value, map_: ir.AffineMap, places: list[int]) -> tuple[Any, Any]:
    """The diagonal of the adjacent dimensions `places`, as one dimension."""
    first, count, shape = places[0], len(places), list(value.type.shape)
    sizes = shape[first : first + count]
    step = sum(prod(sizes[n + 1 :]) for n in range(count))
    result = collapsed(value, first, count)
    flat = list(result.type.shape)
    strides = [step if d == first else 1 for d in range(len(flat))]
    sizes_of_walk = [min(sizes) if d == first else n for d, n in enumerate(flat)]
    result = strided(result, [0] * len(flat), sizes_of_walk, strides)
    results = list(map_.results)
    return result, ir.AffineMap.get(map_.n_dims, 0, [*results[: first + 1], *results[first + count :]])


def collapsed(value: ir.Value, first: int, count: int) -> Any:
    """`value` with `count` dimensions from `first` on merged."""
    if count < 2:
        return value
    shape = list(value.type.shape)
    groups = [[d] for d in range(first)] + [[*range(first, first + count)]] + [[d] for d in range(first + count, len(shape))]
    kind = ir.RankedTensorType.get([prod(shape[d] for d in g) for g in groups], value.type.element_type)
    return tensor.CollapseShapeOp(kind, value, groups).result


def strided(value: ir.Value, offsets: list[int], sizes: list[int], strides: list[int]) -> Any:
    """The elements of `value` from `offsets` on, `sizes` of them, `strides` apart."""
    if sizes == list(value.type.shape):
        return value
    kind = ir.RankedTensorType.get(sizes, value.type.element_type)
    return tensor.ExtractSliceOp(kind, value, [], [], [], offsets, sizes, strides).result
