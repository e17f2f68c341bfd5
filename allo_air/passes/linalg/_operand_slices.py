"""Brings epilogue operands to a core in slices, one with each step along k.

If all cores lie along one dimension of the result, the operand that all of them share is small, and its channel has time for
other data. With each step along k, the same slice of an epilogue operand goes to all cores, cut along the dimension of the
cores, and each core keeps the part of its own tile. All rounds of a channel are thus equal for the cores, for L2 and for
external memory, and need the same number of buffer descriptors for any k.
"""

from __future__ import annotations

from typing import Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.either import select_or_branch
from allo_air.passes.linalg._elementwise import Operand
from allo_air.passes.linalg._operand_places import Place, place_of
from allo_air.passes.linalg._operand_tiles import L1, L2, Tile, alloc, order_of, packed, promoted, sliced, widened_operand
from allo_air.passes.linalg._tile_parts import Part, applied, divided, is_below, minus


def copy_in_slices(unpack: ir.Operation, operands: list[Operand], matrix: tuple[int, int], broadcast_dim: int) -> list[Tile]:
    """The tiles of `operands` for the tile that `unpack` unpacks.

    The cores lie along dimension `broadcast_dim` of the result (0 for rows, 1 for columns).

    Before:

        %sums = scf.for %k = ... iter_args(%t = %zeros) { ... }

    After, for one that follows the broadcast dimension:

        %sums, %tile = scf.for %k = ... iter_args(%t = %zeros, %u = %empty) {
          ...
          %slice = linalg.pack %l2[..., (of this step)] into ... in memory space 2
          scf.if (the slice is of this core) { copies its part of %slice into %u }
        }
    """
    place, steps = place_of(unpack, matrix), _trips_and_step(unpack.operands[0].owner)[0]
    inputs = [_Input(unpack, place, operand, matrix, broadcast_dim, steps) for operand in operands]
    loop = _carrying(unpack, [i.buffer for i in inputs])
    last = loop.regions[0].blocks[0].operations[-1].operation
    step, _, *tiles = loop.regions[0].blocks[0].arguments
    with ir.InsertionPoint(last), unpack.location:
        for n, (value, tile) in enumerate(zip(inputs, tiles, strict=True)):
            last.operands[1 + n] = value.insert_slice(step, tile)
    with ir.InsertionPoint(unpack), unpack.location:
        return [widened_operand(unpack, loop.results[1 + n], value.follows) for n, value in enumerate(inputs)]


class _Input:
    """An epilogue operand that arrives in slices.

    `buffer` is the tensor in L1, in the order of the packed tile, in which a core collects the elements for its tile; `follows`
    are the dimensions of the result that the operand has (0 for rows, 1 for columns).
    """

    def __init__(
        self, unpack: ir.Operation, place: Place, operand: Operand, matrix: tuple[int, int], broadcast_dim: int, steps: int
    ) -> None:
        self._unpack, self._place, self._broadcast_dim, self._steps = unpack, place, broadcast_dim, steps
        self.follows = [matrix.index(loop) for loop in operand.loops if loop is not None and loop in matrix]
        self._in_l2 = (
            promoted(place, unpack, operand, matrix)[1]
            if broadcast_dim in self.follows
            else _repeated(place, unpack, operand, matrix, steps)
        )
        self._tile = list(unpack.results[0].type.shape)
        outer, inner, sizes = order_of(unpack)
        self._micro = sizes[inner.index(broadcast_dim)]
        self._dim = [i for i in outer if i in self.follows].index(broadcast_dim) if broadcast_dim in self.follows else 0
        blocks = [self._tile[i] // sizes[inner.index(i)] for i in outer if i in self.follows]
        within = [size for i, size in zip(inner, sizes, strict=True) if i in self.follows]
        with ir.InsertionPoint(unpack.operands[0].owner), unpack.location:
            self.buffer = alloc([*blocks, *within], self._in_l2.type.element_type, L1)

    def insert_slice(self, step: ir.Value, buffer: ir.Value) -> Any:
        """`buffer` with the elements for this core from the slice that arrives in step `step`."""
        from allo_air.mlir import linalg

        if self._broadcast_dim not in self.follows:
            length = self._tile[self.follows[0]]
            return linalg.copy(self._receive([step, 0], [1, length], [length]), outs=[buffer])
        size, tile = self._place.sizes[self._broadcast_dim] // self._steps, self._tile[self._broadcast_dim]
        moved = applied(ir.AffineDimExpr.get(0) * size, [step])
        extents = [size if i == self._broadcast_dim else self._tile[i] for i in self.follows]
        received = self._receive([moved if i == self._broadcast_dim else 0 for i in self.follows], extents, extents)
        first = self._place.core[self._broadcast_dim]
        if size < tile:
            source, target = Part(), Part(self._dim, divided(minus(moved, first), self._micro), size // self._micro)
            offset, extent = minus(moved, first), tile
        else:
            start = divided(minus(first, moved), self._micro) if size > tile else 0
            source, target = Part(self._dim, start, tile // self._micro) if size > tile else Part(), Part()
            offset, extent = minus(first, moved), size
        return select_or_branch(
            is_below(offset, extent, self._unpack),
            lambda: [target.insert(linalg.copy(source.of(received), outs=[target.of(buffer)]), buffer)],
            [buffer],
        )[0]

    def _receive(self, offsets: list[int | ir.Value], sizes: list[int], shape: list[int]) -> Any:
        """The slice at `offsets` of the operand in L2, in L1 in the order of micro-tiles."""
        return packed(self._unpack, sliced(self._in_l2, offsets, sizes, shape), self.follows)


def _repeated(place: Place, unpack: ir.Operation, operand: Operand, matrix: tuple[int, int], steps: int) -> Any:
    """An operand that does not follow the broadcast dimension, repeated in L2 for each step, since all its slices are equal."""
    from allo_air.mlir import linalg

    [length] = [place.sizes[matrix.index(loop)] for loop in operand.loops if loop in matrix]
    with ir.InsertionPoint(place.l2.owner), unpack.location:
        offsets = [0 if loop is None else place.array[loop] for loop in operand.loops]
        value = sliced(operand.value, offsets, [length if loop in matrix else 1 for loop in operand.loops], [length])
        target = alloc([steps, length], operand.value.type.element_type, L2)
        return linalg.broadcast(value, outs=[target], dimensions=[0]).results[0]


def _trips_and_step(loop: AnyOp) -> tuple[int, int]:
    """The trip count of the loop along k, and its step."""
    assert loop.name == "scf.for", "sums over several steps"
    _, extent, step = (constant_of(v) for v in list(loop.operands)[:3])
    assert extent is not None and step is not None, "tiles of a known size"
    return extent // step, step


def _carrying(unpack: ir.Operation, values: list[ir.Value]) -> Any:
    """The loop along k whose result `unpack` unpacks, rebuilt with step 1 and with `values` as further loop-carried values."""
    from allo_air.mlir import scf

    old = unpack.operands[0].owner.operation
    (count, step), start = _trips_and_step(old), list(old.operands)[3]
    [block] = old.regions[0].blocks
    with ir.InsertionPoint(old), old.location:
        new = scf.ForOp(*(index_constant(v, old.location) for v in (0, count, 1)), iter_args=[start, *values])
    with ir.InsertionPoint(new.body), old.location:
        k, sums = block.arguments
        k.replace_all_uses_with(applied(ir.AffineDimExpr.get(0) * step, [new.induction_variable]))
        sums.replace_all_uses_with(new.inner_iter_args[0])
        *body, end = [o.operation for o in block.operations]
        last = scf.YieldOp([end.operands[0], *list(new.body.arguments)[2:]])
    for op in body:
        op.move_before(last.operation)
    old.results[0].replace_all_uses_with(new.results[0])
    old.erase()
    return new.operation
