"""Slices, copies and layouts of attention's tensors in external memory, L2 and L1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from allo_air.mlir import affine, bufferization, ir, tensor
from allo_air.mlir import linalg_views as linalg
from allo_air.passes.map._linear_index import Linear

Index = Any
"""An int, or a value of type index."""
L1, L2 = 2, 1
"""Memory spaces."""
DYNAMIC = ir.ShapedType.get_dynamic_size()


def kind(shape: Sequence[int], element: ir.Type) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(list(shape), element)


def alloc(kind: ir.Type, space: int) -> Any:
    """A buffer in memory space `space`."""
    return bufferization.alloc_tensor(kind, [], memory_space=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), space))


def copied(value: ir.Value, space: int) -> Any:
    """`value` in memory space `space`."""
    return bufferization.materialize_in_destination(value.type, value, alloc(value.type, space))


def total(*terms: tuple[Index, int], plus: int = 0) -> Index:
    """The sum of the terms, each a value times its factor."""
    values = [(v, c) for v, c in terms if not isinstance(v, int)]
    plus += sum(v * c for v, c in terms if isinstance(v, int))
    if not values:
        return plus
    if len(values) == 1 and values[0][1] == 1 and not plus:
        return values[0][0]
    expression: ir.AffineExpr = ir.AffineExpr.get_constant(plus)
    for n, (_, factor) in enumerate(values):
        expression = ir.AffineExpr.get_dim(n) * factor + expression
    return affine.AffineApplyOp(ir.AffineMap.get(len(values), 0, [expression]), [v for v, _ in values]).result


def linear_index(index: Linear, index_of_dim: Mapping[int, Index]) -> Index:
    """The value of a linear index; dimensions that are not in `index_of_dim` count as 0."""
    terms, number = index
    return total(*((index_of_dim[d], c) for d, c in terms if d in index_of_dim), plus=number)


def packed(value: ir.Value, tiles: Sequence[int]) -> Any:
    """The matrix `value` in L1, in micro-tiles of `tiles`; rows of micro-tiles are outermost."""
    (rows, columns), (high, wide) = value.type.shape, tiles
    into = alloc(kind([rows // high, columns // wide, high, wide], value.type.element_type), L1)
    return linalg.PackOp(into.type, value, into, [0, 1], [], [high, wide]).results[0]


def unpacked(value: ir.Value, into: ir.Value, transposed: bool) -> Any:
    """`into` with the data of `value`, which is in micro-tiles that are adjacent by columns; with `transposed`, transposed.

    `into` may split its column dimension in two, with whole micro-tiles in each.
    """
    if len(into.type.shape) == 2:
        order, outer = ([1, 0], [0, 1]) if transposed else ([0, 1], [1, 0])
    else:
        order, outer = ([2, 1], [0, 1, 2]) if transposed else ([0, 2], [1, 2, 0])
        value = expanded(value, 0, into.type.shape[0 if transposed else 1])
    return linalg.UnPackOp(into.type, value, into, order, [], list(value.type.shape)[-2:], outer_dims_perm=outer).results[0]


def flattened(value: ir.Value) -> Any:
    """The elements of `value` as a tensor of one dimension."""
    shape = list(value.type.shape)
    i64 = ir.IntegerType.get_signless(64)
    groups = ir.ArrayAttr.get([ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in range(len(shape))])])
    return tensor.CollapseShapeOp(kind([prod(shape)], value.type.element_type), value, groups).result


def part(value: ir.Value, offsets: Sequence[Index], sizes: Sequence[int], shape: Sequence[int]) -> Any:
    """A slice of `value`, in as few dimensions as `shape` has."""
    ones = [1] * len(sizes)
    dynamic, static = _split(offsets)
    result = kind(shape, value.type.element_type)
    return tensor.ExtractSliceOp(result, value, dynamic, [], [], static, list(sizes), ones).result


def inserted(value: ir.Value, into: ir.Value, offsets: Sequence[Index], sizes: Sequence[int]) -> Any:
    """`into` with `value` inserted at `offsets` with `sizes`."""
    dynamic, static = _split(offsets)
    return tensor.InsertSliceOp(value, into, dynamic, [], [], static, list(sizes), [1] * len(sizes)).result


def insert_parallel(value: ir.Value, into: ir.Value, offsets: Sequence[Index], sizes: Sequence[int]) -> None:
    """Ends the body of an scf.forall by inserting `value` into `into`."""
    from allo_air.mlir import scf

    dynamic, static = _split(offsets)
    end = scf.InParallelOp()
    block = end.region.blocks[0] if len(end.region.blocks) else end.region.blocks.append()
    with ir.InsertionPoint(block):
        tensor.ParallelInsertSliceOp(value, into, dynamic, [], [], static, list(sizes), [1] * len(sizes))


def expanded(value: Any, place: int, outer: int) -> Any:
    """`value` with dimension `place` split in two, the outer one of extent `outer`."""
    shape = list(value.type.shape)
    results = [*shape[:place], outer, shape[place] // outer, *shape[place + 1 :]]
    result = kind(results, value.type.element_type)
    return tensor.ExpandShapeOp(result, value, _groups(len(shape), place), [], results).result


def collapsed(value: ir.Value, place: int) -> Any:
    """`value` with dimensions `place` and `place + 1` merged."""
    shape = list(value.type.shape)
    results = [*shape[:place], shape[place] * shape[place + 1], *shape[place + 2 :]]
    return tensor.CollapseShapeOp(kind(results, value.type.element_type), value, _groups(len(results), place)).result


def _groups(rank: int, place: int) -> ir.ArrayAttr:
    i64 = ir.IntegerType.get_signless(64)
    groups = [[n] if n < place else [n, n + 1] if n == place else [n + 1] for n in range(rank)]
    return ir.ArrayAttr.get([ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in group]) for group in groups])


def _split(offsets: Sequence[Index]) -> tuple[list[Any], list[int]]:
    return [o for o in offsets if not isinstance(o, int)], [o if isinstance(o, int) else DYNAMIC for o in offsets]
