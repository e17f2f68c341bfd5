"""Brings epilogue operands to a core on the channel of A or B, in transfers as large as a step along k.

All transfers of such a channel fill the same number of bytes of a core's memory. Two buffers and two buffer descriptors
therefore serve any number of transfers in turn (`air-to-aie`).
An operand of the result's size (a matrix) arrives in chunks of a step's bytes. The chunks of all cores that share the channel
arrive one after another, and each core uses its own. Of an operand with one element for each row or column (a vector), L2 holds
as many copies as fill a step. A transfer has the elements for all of these cores, or for some of them. An odd number of
transfers would change the order of the two buffers for the next tile, so a single transfer is made twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.mlir import ir
from allo_air.passes._ir.either import select_or_branch
from allo_air.passes.linalg._elementwise import Operand
from allo_air.passes.linalg._operand_places import Place, place_of
from allo_air.passes.linalg._operand_tiles import (
    L1,
    L2,
    Tile,
    alloc,
    merge_micro_tiles,
    order_of,
    packed,
    promoted,
    regrouped,
    sliced,
    widened_operand,
)
from allo_air.passes.linalg._tile_parts import Part, divided, is_below, minus


@dataclass(frozen=True)
class Multiplexing:
    """The channel that brings the operands, and the sizes of its transfers."""

    channel_dim: int
    """The dimension of the result that the channel's own operand follows: 0 for A (rows), 1 for B (columns)."""
    step_bytes: int
    """Bytes of a core's memory that one transfer fills: those of a step along k."""
    vector_elements: dict[tuple[int, int], int]
    """Elements in a transfer of an operand that follows one dimension of the result, by the dimension and an element's bits."""

    @property
    def broadcast_dim(self) -> int:
        """The dimension of the result along which the cores that receive the channel lie."""
        return 1 - self.channel_dim


Compute = Callable[[list[Tile], Any, Part], Any]
"""A function that computes a part of the tile from the tiles of the operands."""


def multiplex_operands(
    unpack: ir.Operation,
    operands: list[Operand],
    matrix: tuple[int, int],
    into: ir.Value,
    compute: Compute,
    multiplexing: Multiplexing,
) -> Any:
    """The result of `compute` on `into`, part by part, with the tiles of `operands` for the tile that `unpack` unpacks.

    At the insertion point, after the loop over k, for an operand that follows rows or columns of the result:

        %l2 = linalg.broadcast %value[...] into ... in memory space 1, in front of the loop over cores
        scf.for %j = 0 to (rows or columns of all cores) step (those of a transfer) iter_args(%t = %vector) {
          %step = linalg.pack %l2[this core's row, all copies, %j] into ... in memory space 2
          scf.if (%j is of this core) { copies its part of %step }
        }

    and for one that follows both:

        scf.for %j = 0 to (columns of all cores) step (those of a chunk) iter_args(%t = %into) {
          %chunk = linalg.pack %l2[(this core's rows), %j] into ... in memory space 2
          scf.if (%j is of this core) { compute }
        }
    """
    place = place_of(unpack, matrix)
    tiles: dict[Operand, Tile] = {}
    matrix_operand: Operand | None = None
    for operand in operands:
        follows = [matrix.index(loop) for loop in operand.loops if loop is not None and loop in matrix]
        if len(follows) == 2:
            matrix_operand = operand
        else:
            tiles[operand] = _vector(unpack, place, operand, follows[0], matrix, multiplexing)
    if matrix_operand is None:
        return compute([tiles[o] for o in operands], into, Part())
    last = matrix_operand
    return _chunks(
        unpack,
        place,
        last,
        matrix,
        into,
        multiplexing,
        lambda tile, t, part: compute([tile if o == last else _part_of(tiles[o], part) for o in operands], t, part),
    )


def _part_of(tile: Tile, part: Part) -> Tile:
    """The part of a vector operand's tile that corresponds to `part` of the result's tile."""
    dims = [ir.AffineDimExpr(e).position for e in tile.map.results]
    if part.dim not in dims:
        return tile
    return Tile(Part(dims.index(part.dim), part.offset, part.size).of(tile.value), tile.map)


def _vector(
    unpack: ir.Operation, place: Place, operand: Operand, follows: int, matrix: tuple[int, int], multiplexing: Multiplexing
) -> Tile:
    """The tile of an operand that follows only dimension `follows` of the result, widened to micro-tiles.

    L2 holds one copy of it for each row of a transfer; the DMA reads the copies side by side and so widens it.
    """
    from allo_air.mlir import linalg

    element, tile = operand.value.type.element_type, list(unpack.results[0].type.shape)
    outer, inner, sizes = order_of(unpack)
    micro = sizes[inner.index(follows)]
    cores = place.sizes[multiplexing.channel_dim] // tile[multiplexing.channel_dim]
    differs = follows == multiplexing.broadcast_dim
    length = place.sizes[follows] if differs else tile[follows]
    size = multiplexing.vector_elements[follows, element.width]
    copies = multiplexing.step_bytes * 8 // element.width // size
    sent_twice = size == length
    with ir.InsertionPoint(place.l2.owner), unpack.location:
        offsets = [0 if loop is None else place.array[loop] for loop in operand.loops]
        shape = [place.sizes[follows] if loop == matrix[follows] else 1 for loop in operand.loops]
        value = sliced(operand.value, offsets, shape, [place.sizes[follows]])
        value = value if differs else regrouped(value, [cores, length])
        target = alloc([cores, copies + sent_twice, length], element, L2)
        in_l2 = linalg.broadcast(value, outs=[target], dimensions=[0, 1] if differs else [1]).results[0]
    row = divided(place.core[multiplexing.channel_dim], tile[multiplexing.channel_dim])
    first = place.core[follows] if differs else 0

    def receive(offset: ir.Value) -> Any:
        # A vector that is sent twice begins with another copy the second time: a loop must not repeat the same transfer.
        offsets = [row, divided(offset, size), 0] if sent_twice else [row, 0, offset]
        part = sliced(in_l2, offsets, [1, copies, size], [copies, size])
        blocks = [copies // sizes[inner.index(1 - follows)], size // micro]
        target = alloc([*blocks, *sizes], element, L1)
        places = [int(i == follows) for i in inner]
        return linalg.PackOp(target.type, part, target, places, [], sizes, outer_dims_perm=[0, 1]).result

    used = min(size, tile[follows])

    def insert(received: ir.Value, offset: ir.Value, vector: ir.Value) -> Any:
        start = 0 if sent_twice and not differs else divided(minus(first, offset), micro) if size > tile[follows] else 0
        blocks = used // micro
        shape = [1, blocks, prod(sizes)]
        part = sliced(merge_micro_tiles(received), [0, start, 0], shape, shape[1:])
        target = Part(0, divided(minus(offset, first), micro), blocks) if size < tile[follows] else Part(0, 0, blocks)
        return target.insert(linalg.copy(part, outs=[target.of(vector)]), vector)

    def is_for_this_core(offset: ir.Value) -> Any:
        if sent_twice:
            return is_below(offset, size, unpack)
        if size < tile[follows]:
            return is_below(minus(offset, first), tile[follows], unpack)
        return is_below(minus(first, offset), size, unpack)

    vector = alloc([tile[follows] // micro, prod(sizes)], element, L1)
    extent = 2 * size if sent_twice else length
    vector = _receive_each(unpack, (extent, size), vector, receive, insert, is_for_this_core)
    mapped = [ir.AffineDimExpr.get(outer.index(follows)), ir.AffineDimExpr.get(len(outer))]
    return Tile(vector, ir.AffineMap.get(len(outer) + 1, 0, mapped))


def _chunks(
    unpack: ir.Operation,
    place: Place,
    operand: Operand,
    matrix: tuple[int, int],
    into: ir.Value,
    multiplexing: Multiplexing,
    compute: Callable[[Tile, ir.Value, Part], ir.Value],
) -> Any:
    """Receives the chunks of all cores that share the channel, and computes with those of this core."""
    _, in_l2 = promoted(place, unpack, operand, matrix)
    tile = list(unpack.results[0].type.shape)
    channel_dim, broadcast_dim = multiplexing.channel_dim, multiplexing.broadcast_dim
    outer, inner, sizes = order_of(unpack)
    size = multiplexing.step_bytes * 8 // (tile[channel_dim] * operand.value.type.element_type.width)
    micro = sizes[inner.index(broadcast_dim)]
    dim = outer.index(broadcast_dim)

    def receive(offset: ir.Value) -> Any:
        offsets, shape = [place.core[channel_dim]] * 2, [tile[channel_dim]] * 2
        offsets[broadcast_dim], shape[broadcast_dim] = offset, size
        return packed(unpack, sliced(in_l2, offsets, shape, shape), [0, 1])

    def compute_chunk(chunk: ir.Value, offset: ir.Value, result: ir.Value) -> Any:
        # No slice for a whole tile: MLIR would fold the extract_slice but not the insert_slice, and copy the tile twice.
        part = (
            Part(dim, divided(minus(offset, place.core[broadcast_dim]), micro), size // micro)
            if size < tile[broadcast_dim]
            else Part()
        )
        return part.insert(compute(widened_operand(unpack, chunk, [0, 1]), part.of(result), part), result)

    def is_for_this_core(offset: ir.Value) -> Any:
        return is_below(minus(offset, place.core[broadcast_dim]), tile[broadcast_dim], unpack)

    return _receive_each(unpack, (place.sizes[broadcast_dim], size), into, receive, compute_chunk, is_for_this_core)


def _receive_each(
    unpack: ir.Operation,
    walk: tuple[int, int],
    into: ir.Value,
    receive: Callable[[ir.Value], ir.Value],
    consume: Callable[[ir.Value, ir.Value, ir.Value], ir.Value],
    is_for_this_core: Callable[[ir.Value], ir.Value],
) -> Any:
    """The value of `into` after a transfer at each position of `walk`, an (extent, step) pair.

    `receive` makes the transfer at a position. All cores receive all transfers. If `is_for_this_core` is true at a position,
    `consume` computes the next value of `into` from the received data.
    """
    from allo_air.mlir import scf

    extent, step = walk
    loop = scf.ForOp(*(index_constant(v, unpack.location) for v in (0, extent, step)), iter_args=[into])
    with ir.InsertionPoint(loop.body):
        offset, carried = loop.induction_variable, loop.inner_iter_args[0]
        received = receive(offset)
        scf.yield_(select_or_branch(is_for_this_core(offset), lambda: [consume(received, offset, carried)], [carried]))
    return loop.results[0]
