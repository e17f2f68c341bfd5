"""Copies tiles of epilogue operands from external memory to L2 and from there to a core's L1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.mlir import ir
from allo_air.passes._ir.either import select_or_branch
from allo_air.passes.linalg._elementwise import Operand
from allo_air.passes.linalg._operand_places import Offset, Place, place_of

L1, L2 = 2, 1


@dataclass(frozen=True)
class Tile:
    """A tensor in L1, and the map from the dimensions of the flat result tile to its own."""

    value: Any
    map: ir.AffineMap


def copy_separately(
    unpack: ir.Operation,
    operands: list[Operand],
    matrix: tuple[int, int],
    into: ir.Value,
    compute: Callable[[list[Tile], Any], Any],
) -> ir.OpResult:
    """The result of `compute` on `into` with the tiles of `operands` for the tile that `unpack` unpacks; each operand has
    transfers of its own.

    At the insertion point, after the loop over k, for an operand that follows rows or columns of the result:

        %l2 = ... %value[...] in memory space 1, in front of the loop over cores
        %packed = linalg.pack %l2[...] into ... in memory space 2
        %tile = linalg.broadcast %packed over the other dimension of a micro-tile

    An operand that follows both differs from core to core. The cores that share rows receive all of their tiles, one after
    another:

        scf.for %j = 0 to (cores) iter_args(%t = %into) {
          %packed = linalg.pack %l2[(this core's rows), %j * n] into ... in memory space 2
          scf.if (%j is this core) { compute }
        }
    """
    if not operands:
        return compute([], into)
    place = place_of(unpack, matrix)
    tiles: dict[Operand, Tile] = {}
    matrices: list[tuple[Operand, ir.Value]] = []
    for operand in operands:
        follows, in_l2 = promoted(place, unpack, operand, matrix)
        if len(follows) == 2 and place.sizes[1] > unpack.results[0].type.shape[1]:
            matrices.append((operand, in_l2))
            continue
        sizes = [unpack.results[0].type.shape[i] for i in follows]
        part = sliced(in_l2, [place.core[i] for i in follows], sizes, sizes)
        tiles[operand] = widened_operand(unpack, packed(unpack, part, follows), follows)
    if not matrices:
        return compute([tiles[o] for o in operands], into)
    [(last, in_l2)] = matrices
    return _receive_all(unpack, place, in_l2, into, lambda tile, t: compute([(tiles | {last: tile})[o] for o in operands], t))


def promoted(place: Place, unpack: ir.Operation, operand: Operand, matrix: tuple[int, int]) -> tuple[list[int], ir.Value]:
    """The dimensions of the result that `operand` follows (0 for rows, 1 for columns), and its part for all cores, in L2."""
    kept_dims = [d for d, loop in enumerate(operand.loops) if loop in matrix]
    follows = [matrix.index(loop) for loop in operand.loops if loop is not None and loop in matrix]
    whole = [place.sizes[i] for i in follows]
    shape = [1] * len(operand.loops)
    for d, size in zip(kept_dims, whole, strict=True):
        shape[d] = size
    with ir.InsertionPoint(place.l2.owner), unpack.location:
        offsets = [0 if loop is None else place.array[loop] for loop in operand.loops]
        return follows, copied(sliced(operand.value, offsets, shape, whole), L2)


def _receive_all(
    unpack: ir.Operation, place: Place, in_l2: ir.Value, into: ir.Value, compute: Callable[[Tile, ir.Value], ir.Value]
) -> ir.OpResult:
    """Receives the tiles of all cores that share rows, and computes with the one of this core."""
    from allo_air.mlir import affine, arith, scf

    rows, columns = unpack.results[0].type.shape
    location = unpack.location
    bounds = [index_constant(v, location) for v in (0, place.sizes[1] // columns, 1)]
    loop = scf.ForOp(*bounds, iter_args=[into])
    with ir.InsertionPoint(loop.body):
        scaled = ir.AffineMap.get(1, 0, [ir.AffineDimExpr.get(0) * columns])
        column = affine.AffineApplyOp(scaled, [loop.induction_variable]).result
        received = packed(unpack, sliced(in_l2, [place.core[0], column], [rows, columns], [rows, columns]), [0, 1])
        is_for_this_core = arith.CmpIOp(arith.CmpIPredicate.eq, column, place.core[1]).result
        carried = loop.inner_iter_args[0]
        scf.yield_(
            select_or_branch(is_for_this_core, lambda: [compute(widened_operand(unpack, received, [0, 1]), carried)], [carried])
        )
    return loop.results[0]


def merge_micro_tiles(value: ir.Value) -> ir.OpResult:
    """A packed tile with the two dimensions of its micro-tiles merged."""
    *outer, rows, columns = value.type.shape
    kind = ir.RankedTensorType.get([*outer, rows * columns], value.type.element_type)
    from allo_air.mlir import tensor

    return tensor.CollapseShapeOp(kind, value, _two_last_dims_apart(len(outer))).result


def unflat(value: ir.Value, kind: ir.RankedTensorType) -> ir.OpResult:
    """`value` in the shape before `merge_micro_tiles`."""
    from allo_air.mlir import tensor

    return tensor.ExpandShapeOp(kind, value, _two_last_dims_apart(len(kind.shape) - 2), [], list(kind.shape)).result


def _two_last_dims_apart(outer: int) -> ir.ArrayAttr:
    i64 = ir.IntegerType.get_signless(64)
    groups = [[n] for n in range(outer)] + [[outer, outer + 1]]
    return ir.ArrayAttr.get([ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in group]) for group in groups])


def sliced(value: ir.Value, offsets: list[Offset], sizes: list[int], shape: list[int]) -> ir.Value:
    """`sizes` elements of `value` from `offsets`, as a tensor of shape `shape`."""
    from allo_air.mlir import tensor

    if list(value.type.shape) == sizes == shape:
        return value
    kind = ir.RankedTensorType.get(shape, value.type.element_type)
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    static = [n if isinstance(n, int) else dynamic for n in offsets]
    values = [n for n in offsets if not isinstance(n, int)]
    return tensor.ExtractSliceOp(kind, value, values, [], [], static, sizes, [1] * len(sizes)).result


def regrouped(value: ir.Value, shape: Sequence[int]) -> Any:
    """`value` with its last dimension split in two, or its last two merged."""
    from allo_air.mlir import tensor

    kind = ir.RankedTensorType.get(list(shape), value.type.element_type)
    last = _two_last_dims_apart(min(len(shape), value.type.rank) - 1)
    if len(shape) > value.type.rank:
        return tensor.ExpandShapeOp(kind, value, last, [], list(shape)).result
    return tensor.CollapseShapeOp(kind, value, last).result


def alloc(shape: Sequence[int], element: ir.Type, space: int) -> ir.Value:
    """An uninitialized tensor in memory space `space`."""
    from allo_air.mlir import bufferization

    kind = ir.RankedTensorType.get(list(shape), element)
    memory_space = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), space)
    return bufferization.AllocTensorOp(kind, [], memory_space=memory_space).result


def copied(value: ir.Value, space: int) -> Any:
    """A copy of `value` in memory space `space`."""
    from allo_air.mlir import bufferization

    target = alloc(value.type.shape, value.type.element_type, space)
    return bufferization.MaterializeInDestinationOp(target.type, value, target).result


def packed(unpack: ir.Operation, part: ir.Value, follows: list[int]) -> Any:
    """`part`, whose dimensions follow rows (0) or columns (1) of the tile, in L1, in the order of `unpack`'s micro-tiles."""
    from allo_air.mlir import linalg

    outer, inner, sizes = order_of(unpack)
    blocks = [part.type.shape[follows.index(i)] // sizes[inner.index(i)] for i in outer if i in follows]
    tiles = [size for i, size in zip(inner, sizes, strict=True) if i in follows]
    target = alloc([*blocks, *tiles], part.type.element_type, L1)
    return linalg.PackOp(
        target.type,
        part,
        target,
        [follows.index(i) for i in inner if i in follows],
        [],
        tiles,
        outer_dims_perm=[follows.index(i) for i in outer if i in follows],
    ).result


def order_of(unpack: ir.Operation) -> tuple[list[int], list[int], list[int]]:
    """The order of the block dimensions, the order of the dimensions in a block, and the sizes of the latter."""
    op = unpack.opview
    inner, sizes = list(op.inner_dims_pos), list(op.static_inner_tiles)
    return list(op.outer_dims_perm) or [0, 1], inner, sizes


def widened_operand(unpack: ir.Operation, packed: ir.Value, follows: list[int]) -> Tile:
    """`packed` with whole micro-tiles, in one dimension, and its position in the flat tile of the result."""
    from allo_air.mlir import linalg

    outer, inner, sizes = order_of(unpack)
    blocks = [n for n, i in enumerate(outer) if i in follows]
    missing = [n for n, i in enumerate(inner) if i not in follows]
    value = packed
    if missing:
        shape = [*list(packed.type.shape)[: len(blocks)], *sizes]
        target = alloc(shape, packed.type.element_type, L1)
        dimensions = [len(blocks) + n for n in missing]
        value = linalg.broadcast(packed, outs=[target], dimensions=dimensions).results[0]
    assert prod(sizes) == prod(value.type.shape[len(blocks) :])
    mapped = [ir.AffineDimExpr.get(n) for n in (*blocks, len(outer))]
    return Tile(merge_micro_tiles(value), ir.AffineMap.get(len(outer) + 1, 0, mapped))
