"""Brings epilogue operands to a core on the channel of A or B, in transfers as large as a step along k.

All transfers of such a channel fill the same number of bytes of a core's memory. Two buffers and two buffer descriptors
therefore serve any number of transfers in turn (`air-to-aie`).
An operand of the result's size arrives in chunks of a step's bytes. The chunks of all cores that share the channel arrive one
after another, and each core uses its own. Of an operand that follows rows or columns only, L2 holds as many copies as fill a
step. The data for all of these cores arrives in one transfer, which is repeated once to keep the two buffers in turn, or in
several transfers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.mlir import ir
from allo_air.passes.linalg._elementwise import Operand
from allo_air.passes.linalg._operand_places import Place, place_of
from allo_air.passes.linalg._operand_tiles import (
    L1,
    L2,
    Tile,
    alloc,
    flat,
    order_of,
    packed,
    promoted,
    regrouped,
    sliced,
    widened,
)


@dataclass(frozen=True)
class Multiplexing:
    """The channel that brings operands: that of A, which follows dimension `on` = 0 of the result, or of B, 1.

    Its steps along k take `step_bytes` bytes of a core's memory. `line` gives, for an operand that follows dimension 0 or 1 of
    the result, the elements that arrive at a time, by bits of an element.
    """

    on: int
    step_bytes: int
    line: dict[tuple[int, int], int]

    @property
    def walked(self) -> int:
        """The dimension of the result along which the cores that share a channel lie."""
        return 1 - self.on


@dataclass(frozen=True)
class Part:
    """`size` blocks of micro-tiles of the packed tile from `offset` on, in dimension `dim`; the whole tile if `size` is 0."""

    dim: int = 0
    offset: Any = 0
    size: int = 0

    def _lists(self, value: ir.Value) -> tuple[list[Any], list[int]]:
        shape = list(value.type.shape)
        offsets: list[Any] = [0] * len(shape)
        offsets[self.dim], shape[self.dim] = self.offset, self.size
        return offsets, shape

    def of(self, value: ir.Value) -> Any:
        """This part of `value`."""
        if not self.size:
            return value
        offsets, shape = self._lists(value)
        return sliced(value, offsets, shape, shape)

    def insert(self, part: ir.Value, into: ir.Value) -> Any:
        """`into` with `part` inserted at this part."""
        from allo_air.mlir import tensor

        if not self.size:
            return part
        offsets, shape = self._lists(into)
        dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
        static = [n if isinstance(n, int) else dynamic for n in offsets]
        values = [n for n in offsets if not isinstance(n, int)]
        return tensor.InsertSliceOp(part, into, values, [], [], static, shape, [1] * len(shape)).result


Compute = Callable[[list[Tile], Any, Part], Any]
"""Computes a part of the tile from the tiles of the operands."""


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
        scf.for %j = 0 to (rows or columns of all cores) step (those that come at a time) iter_args(%t = %line) {
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
    whole: Operand | None = None
    for other in operands:
        follows = [matrix.index(loop) for loop in other.loops if loop is not None and loop in matrix]
        if len(follows) == 2:
            whole = other
        else:
            tiles[other] = _line(unpack, place, other, follows[0], matrix, multiplexing)
    if whole is None:
        return compute([tiles[o] for o in operands], into, Part())
    last = whole
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
    """The part of a line's tile, which has one of the packed tile's two block dimensions, or neither."""
    dims = [ir.AffineDimExpr(e).position for e in tile.map.results]
    if part.dim not in dims:
        return tile
    return Tile(Part(dims.index(part.dim), part.offset, part.size).of(tile.value), tile.map)


def _line(
    unpack: ir.Operation, place: Place, other: Operand, follows: int, matrix: tuple[int, int], multiplexing: Multiplexing
) -> Tile:
    """The tile of an operand that follows only dimension `follows` of the result, widened to micro-tiles.

    L2 holds one copy of it for each row of a transfer; the DMA reads the copies side by side and so widens it.
    """
    from allo_air.mlir import linalg

    element, tile = other.value.type.element_type, list(unpack.results[0].type.shape)
    outer, inner, sizes = order_of(unpack)
    micro = sizes[inner.index(follows)]
    cores = place.sizes[multiplexing.on] // tile[multiplexing.on]
    is_walked = follows == multiplexing.walked
    length = place.sizes[follows] if is_walked else tile[follows]
    size = multiplexing.line[follows, element.width]
    copies = multiplexing.step_bytes * 8 // element.width // size
    again = size == length
    with ir.InsertionPoint(place.l2.owner), unpack.location:
        offsets = [0 if loop is None else place.array[loop] for loop in other.loops]
        shape = [place.sizes[follows] if loop == matrix[follows] else 1 for loop in other.loops]
        value = sliced(other.value, offsets, shape, [place.sizes[follows]])
        value = value if is_walked else regrouped(value, [cores, length])
        target = alloc([cores, copies + again, length], element, L2)
        in_l2 = linalg.broadcast(value, outs=[target], dimensions=[0, 1] if is_walked else [1]).results[0]
    row = divided(place.core[multiplexing.on], tile[multiplexing.on])
    first = place.core[follows] if is_walked else 0

    def got(at: ir.Value) -> Any:
        # What comes twice begins with another copy, so that it is no transfer that a loop repeats.
        offsets = [row, divided(at, size), 0] if again else [row, 0, at]
        part = sliced(in_l2, offsets, [1, copies, size], [copies, size])
        blocks = [copies // sizes[inner.index(1 - follows)], size // micro]
        target = alloc([*blocks, *sizes], element, L1)
        places = [int(i == follows) for i in inner]
        return linalg.PackOp(target.type, part, target, places, [], sizes, outer_dims_perm=[0, 1]).result

    taken_at = min(size, tile[follows])

    def insert_tile(came: ir.Value, at: ir.Value, mine: ir.Value) -> Any:
        start = 0 if again and not is_walked else divided(less(first, at), micro) if size > tile[follows] else 0
        blocks = taken_at // micro
        shape = [1, blocks, prod(sizes)]
        part = sliced(flat(came), [0, start, 0], shape, shape[1:])
        into = Part(0, divided(less(at, first), micro), blocks) if size < tile[follows] else Part(0, 0, blocks)
        return into.insert(linalg.copy(part, outs=[into.of(mine)]), mine)

    def is_mine(at: ir.Value) -> Any:
        if again:
            return is_below(at, size, unpack)
        if size < tile[follows]:
            return is_below(less(at, first), tile[follows], unpack)
        return is_below(less(first, at), size, unpack)

    line = alloc([tile[follows] // micro, prod(sizes)], element, L1)
    line = _in_turn(unpack, (2 * size if again else length, size), line, got, insert_tile, is_mine)
    mapped = [ir.AffineDimExpr.get(outer.index(follows)), ir.AffineDimExpr.get(len(outer))]
    return Tile(line, ir.AffineMap.get(len(outer) + 1, 0, mapped))


def _chunks(
    unpack: ir.Operation,
    place: Place,
    other: Operand,
    matrix: tuple[int, int],
    into: ir.Value,
    multiplexing: Multiplexing,
    compute: Callable[[Tile, ir.Value, Part], ir.Value],
) -> Any:
    """Receives the chunks of all cores that share the channel, and computes with those of this core."""
    _, in_l2 = promoted(place, unpack, other, matrix)
    tile = list(unpack.results[0].type.shape)
    on, walked = multiplexing.on, multiplexing.walked
    outer, inner, sizes = order_of(unpack)
    size = multiplexing.step_bytes * 8 // (tile[on] * other.value.type.element_type.width)
    micro = sizes[inner.index(walked)]
    dim = outer.index(walked)

    def got(at: ir.Value) -> Any:
        offsets, shape = [place.core[on]] * 2, [tile[on]] * 2
        offsets[walked], shape[walked] = at, size
        return packed(unpack, sliced(in_l2, offsets, shape, shape), [0, 1])

    def compute_chunk(chunk: ir.Value, at: ir.Value, mine: ir.Value) -> Any:
        # All of a tile is no slice of it, of which MLIR would fold one end alone, and copy the tile twice.
        part = Part(dim, divided(less(at, place.core[walked]), micro), size // micro) if size < tile[walked] else Part()
        return part.insert(compute(widened(unpack, chunk, [0, 1]), part.of(mine), part), mine)

    def is_mine(at: ir.Value) -> Any:
        return is_below(less(at, place.core[walked]), tile[walked], unpack)

    return _in_turn(unpack, (place.sizes[walked], size), into, got, compute_chunk, is_mine)


def _in_turn(
    unpack: ir.Operation,
    walk: tuple[int, int],
    into: ir.Value,
    got: Callable[[ir.Value], ir.Value],
    consume: Callable[[ir.Value, ir.Value, ir.Value], ir.Value],
    is_mine: Callable[[ir.Value], ir.Value],
) -> Any:
    """The value of `into` after a transfer at each position of `walk`, an (extent, step) pair.

    `got` makes the transfer. All cores receive each one; where `is_mine`, `consume` puts it into the carried value.
    """
    from allo_air.mlir import scf

    extent, step = walk
    loop = scf.ForOp(*(index_constant(v, unpack.location) for v in (0, extent, step)), iter_args=[into])
    with ir.InsertionPoint(loop.body):
        at, carried = loop.induction_variable, loop.inner_iter_args[0]
        came = got(at)
        branch = scf.IfOp(is_mine(at), [into.type], has_else=True)
        with ir.InsertionPoint(branch.then_block):
            scf.yield_([consume(came, at, carried)])
        with ir.InsertionPoint(branch.else_block):
            scf.yield_([carried])
        scf.yield_(list(branch.results))
    return loop.results[0]


def is_below(offset: ir.Value, size: int, unpack: ir.Operation) -> Any:
    """Whether `offset` is in [0, size); a negative offset is a large unsigned number."""
    from allo_air.mlir import arith

    return arith.CmpIOp(arith.CmpIPredicate.ult, offset, index_constant(size, unpack.location)).result


def less(a: ir.Value | int, b: ir.Value | int) -> Any:
    """a - b, either of which may be 0."""
    if isinstance(b, int):
        return a
    d0, d1 = ir.AffineDimExpr.get(0), ir.AffineDimExpr.get(1)
    return applied(0 - d0, [b]) if isinstance(a, int) else applied(d0 - d1, [a, b])


def divided(value: ir.Value, by: int) -> Any:
    if isinstance(value, int):
        return value // by
    return applied(ir.AffineExpr.get_floor_div(ir.AffineDimExpr.get(0), ir.AffineConstantExpr.get(by)), [value])


def applied(expr: ir.AffineExpr, values: list[ir.Value]) -> Any:
    from allo_air.mlir import affine

    return affine.AffineApplyOp(ir.AffineMap.get(len(values), 0, [expr]), values).result
