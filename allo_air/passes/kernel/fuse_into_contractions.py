"""fuse-into-contractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from allo_air.arch import Core, core_of
from allo_air.core.cloning import clone
from allo_air.core.dedup import change_equal
from allo_air.core.loops import Dim, Loop, dim_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, walk_named, walk_pre_order
from allo_air.dialects.declarations import device_of
from allo_air.mlir import AnyOp, affine, ir, vector
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import accesses
from allo_air.passes.kernel._paired_products import has_pairs, pair_products
from allo_air.passes.kernel._rebuilt_for import rebuilt_for
from allo_air.passes.kernel._tile_nests import (
    Nest,
    Tiles,
    can_merge,
    counters,
    in_any_order,
    in_order,
    is_plain,
    merge_loops,
    nest_of,
    reads_own,
    tiles_of,
    writes_are_disjoint,
)

RELEASE = 1
"""The number of a lock's action."""


@dataclass(frozen=True)
class FuseIntoContractions(Pass):
    """Moves loops over a contraction's result into the loops of the contraction, where they read it from registers.

    These loops must walk the whole buffer in its order, vector by vector, and compute other buffers, a maximum or minimum, or
    the same buffer again. Their work fills free issue slots of the contractions, and the vectors are not loaded again.
    Operations in between that access other buffers are moved before the contraction. All contraction nests of such a core
    become one loop each, whose iterations overlap.

    Before:

        scf.for %i ... { scf.for %j ... {
          %r = vector.contract ...
          vector.transfer_write %r, %sums[%j, %i, %c0, %c0] : vector<4x4xf32>, memref<8x8x4x4xf32, 2>
        } }
        %row = memref.collapse_shape %sums [[0, 1, 2, 3]]
        scf.for %n = %c0 to %c1024 step %c16 {
          %x = vector.transfer_read %row[%n] : memref<1024xf32, 2>, vector<16xf32>
          // %y of %x
          vector.transfer_write %y, %other[%n]
        }

    After:

        scf.for %i ... { scf.for %j ... {
          %r = vector.contract ...
          vector.transfer_write %r, %sums[%j, %i, %c0, %c0] : vector<4x4xf32>, memref<8x8x4x4xf32, 2>
          %x = vector.shape_cast %r : vector<4x4xf32> to vector<16xf32>
          // %y of %x
          vector.transfer_write %y, %other[(8 * %j + %i) * 16]
        } }
    """

    name = "fuse-into-contractions"
    works_on = ("vector.contract",)

    def run(self, op: AnyOp, /) -> None:
        for device in walk_named(op, "aie.device"):
            arch = core_of(device_of(device).arch)
            cores = [core for core in walk_named(device, "aie.core") if walk_named(core, "vector.contract")]
            change_equal(cores, lambda core, arch=arch: _fused(core, arch))  # type: ignore[misc]


def _fused(core: AnyOp, arch: Core) -> bool:
    """Fuses the loops of a core into its contractions; returns whether it has any that were examined."""
    nests = [nest_of(loop) for loop in walk_named(core, "scf.for")]
    tiles = [tiles_of(nest) for nest in nests if nest is not None and _is_plain(nest) and can_merge(nest)]
    fusions = [_Fusion(t, t.nest.root, [_Tile(w, [w.operands[0]]) for w in t.writes], arch) for t in tiles if t is not None]
    fused = [fusion.run() for fusion in fusions]
    if any(fused):
        for fusion in fusions:
            fusion.finish()
    return bool(fusions)


def _is_plain(nest: Nest) -> bool:
    return all(op.name == "scf.for" or is_plain(op) for op in walk_pre_order(nest.root))


@dataclass
class _Tile:
    """The tile that `write` writes as a matrix; the write stays. `vectors` are the tile's elements, as one or several
    vectors.
    """

    write: Any
    vectors: list[Any]


@dataclass
class _Fusion:
    """A contraction nest with `tiles`, and the loops that were fused into it: the values of its `writes`, and the buffers that
    it reads and writes.
    """

    tiles: Tiles
    root: Any
    writes: list[_Tile]
    core: Core
    pieces: int = 0
    read: set[Any] = field(default_factory=set)
    written: set[Any] = field(default_factory=set)

    def run(self) -> bool:
        """Moves the loops after the nest into it, up to the first operation that must stay. Returns whether it moved any."""
        self._note(self.root)
        following = [o.operation for o in self.root.block.operations]
        for op in following[following.index(self.root) + 1 : -1]:
            if any(_is_made_by(v, self.root) for o in walk_pre_order(op) for v in o.operands):
                break
            if _is_release(op):
                continue
            if not (self._fuse(op) if op.name == "scf.for" else self._moves(op)):
                break
        return self.pieces > 0

    def finish(self) -> None:
        """Merges the loops of the nest into one, with the fewest instructions."""
        body = merge_loops(self.tiles.nest) if self.pieces or len(self.tiles.nest.loops) > 1 else []
        if self.pieces and has_pairs(self.core):
            pair_products(body)

    def _note(self, op: AnyOp) -> None:
        for access in accesses(op):
            (self.read if access.kind == "read" else self.written).add(access.root)

    def _conflicts(self, op: AnyOp, but: ir.Value | None = None) -> bool:
        """Whether `op` conflicts with the nest: it reads a buffer that the nest writes, or writes one that it accesses, except
        buffer `but`.
        """
        results = [a for a in accesses(op) if but is None or a.root != but]
        return any(a.root in self.written or (a.kind != "read" and a.root in self.read) for a in results)

    def _moves(self, op: AnyOp) -> bool:
        """Moves `op` before the nest if they are independent."""
        if not is_plain(op) or self._conflicts(op):
            return False
        op.move_before(self.root)
        return True

    def _fuse(self, loop: ir.Operation) -> bool:
        nest = nest_of(loop)
        buffer = root_of(self.tiles.buffer)
        if nest is None or not _is_plain(nest) or not all(is_plain(op) for op in nest.body):
            return False
        if self._conflicts(loop, but=buffer) or reads_own(loop, buffer):
            return False
        own = [a.op for a in accesses(loop) if a.root == buffer]
        if not own:
            return False
        reads = [op for op in own if op.name == "vector.transfer_read"]
        writes = [op for op in own if op.name == "vector.transfer_write"]
        lanes = {in_order(nest, op, self.tiles) for op in own}
        count = lanes.pop()
        if count is None or lanes or not reads or len(writes) > 1 or len(reads) + len(writes) != len(own):
            return False
        pieces = self.tiles.size // count
        if any(op not in nest.body for op in own) or self.pieces not in (0, pieces):
            return False
        places = counters(nest, [*self.tiles.outer, pieces])
        if places is None or not in_any_order(nest):
            return False
        if not all(writes_are_disjoint(nest, op) for op in nest.body if op.name == "vector.transfer_write" and op not in own):
            return False
        _Copies(self, nest, pieces, places, reads, writes).make()
        self._note(self.root)
        return True

    def divide(self, pieces: int) -> None:
        """Splits rows of the tiles that the nest writes into the given number of vectors."""
        size = self.tiles.size
        for tile in self.writes if not self.pieces else ():
            [matrix] = tile.vectors
            element = matrix.type.element_type
            row = vector.shape_cast(ir.VectorType.get([size], element), matrix)
            part, lanes = ir.VectorType.get([size // pieces], element), size // pieces
            cuts = [([n * lanes], [lanes], [1]) for n in range(pieces)]
            tile.vectors = [row] if pieces == 1 else [vector.extract_strided_slice(part, row, *cut) for cut in cuts]
        self.pieces = pieces

    def carry(self, inits: list[Any]) -> list[Any]:
        """Makes all loops of the nest carry `inits`; returns the values in the innermost one."""
        count, result = len(inits), list[Any]()
        for loop in [dim.op for dim in self.tiles.nest.loops]:
            old = len(loop.results)
            new = rebuilt_for(
                loop,
                [*list(loop.operands)[3:], *inits],
                lambda values, old=old: values[:old],  # type: ignore[misc]
                lambda values, yielded, old=old: [*yielded, *values[old:]],  # type: ignore[misc]
            )
            for before, after in zip(list(loop.results), list(new.results)[:old], strict=True):
                before.replace_all_uses_with(after)
            loop.erase()
            if result:
                _yield_last(result[-1], list(new.results)[old:])
            result.append(new)
            inits = list(new.regions[0].blocks[0].arguments)[1 + old :]
        self.root = result[0]
        dims = tuple(dim for dim in map(dim_of, result) if dim is not None)
        self.tiles = replace(self.tiles, nest=Nest(dims, Loop(result[-1]).body))
        assert len(inits) == count and len(dims) == len(result)
        return inits


def _is_release(op: AnyOp) -> bool:
    """Whether `op` releases a lock: following operations may run before it."""
    return op.name == "aie.use_lock" and op.attributes["action"].value == RELEASE


def _yield_last(loop: AnyOp, values: Sequence[ir.Value]) -> None:
    """Makes `loop` yield `values` as its last results."""
    end = Loop(loop).terminator
    for n, value in enumerate(values, len(end.operands) - len(values)):
        end.operands[n] = value


def _is_made_by(value: ir.Value, op: AnyOp) -> bool:
    owner = defining_op(value)
    return owner is not None and bool(owner == op)


@dataclass
class _Copies:
    """Copies the body of `nest`, once for each of the `pieces` of each tile. `places` are the dimensions of tiles that its
    loops traverse.
    """

    fusion: _Fusion
    nest: Nest
    pieces: int
    places: list[list[int]]
    reads: list[Any]
    writes: list[Any]

    def make(self) -> None:
        """Inserts the copies at the end of the tiles' loops and erases `nest`."""
        fusion, first = self.fusion, Loop(self.nest.root)
        carried = fusion.carry(first.inits) if first.inits else []
        last = fusion.tiles.nest.loops[-1].op
        with ir.InsertionPoint(Loop(last).terminator), self.nest.root.location:
            fusion.divide(self.pieces)
            carried = self._copy(carried)
        _yield_last(last, carried)
        results = list(fusion.root.results)[len(fusion.root.results) - len(carried) :]
        for old, new in zip(list(first.op.results), results, strict=True):
            old.replace_all_uses_with(new)
        first.op.erase()

    def _copy(self, carried: Sequence[ir.Value]) -> list[Any]:
        """Each operation of the body for all vectors, since these are independent; returns the carried values."""
        parts = [(tile, piece) for tile in self.fusion.writes for piece in range(self.pieces)]
        mappings = [self._counters(tile, piece) for tile, piece in parts]
        arguments, yielded = [list(v) for v in (self._inner.iter_args, self._inner.yielded)]
        for argument, value in zip(arguments, carried, strict=True):
            mappings[0][argument] = value
        for op in [op for loop in self.nest.loops for op in Loop(loop.op).body if op.name != "scf.for"]:
            for n, (tile, piece) in enumerate(parts):
                for argument, value in zip(arguments, yielded, strict=True):
                    if n and value.owner == op:
                        mappings[n][argument] = mappings[n - 1][value]
                if op in self.reads:
                    mappings[n][op.results[0]] = tile.vectors[piece]
                    continue
                result = clone(op, mappings[n])
                if op in self.writes:
                    tile.vectors[piece] = result.operands[0]
        return [mappings[-1][v] for v in yielded]

    @property
    def _inner(self) -> Loop:
        return Loop(self.nest.loops[-1].op)

    def _counters(self, tile: _Tile, piece: int) -> dict[Any, Any]:
        """The counters of all loops in the iteration for a vector of a tile."""
        sizes, place = [*self.fusion.tiles.outer, self.pieces], [*self.fusion.tiles.place(tile.write), piece]
        loops = zip(self.nest.loops, self.places, strict=True)
        return {loop.iv: _counter(loop, [place[d] for d in dims], [sizes[d] for d in dims]) for loop, dims in loops}


def _counter(loop: Dim, place: list[int | ir.Value], sizes: list[int]) -> Any:
    """The counter of `loop` in the iteration at `place`, an index in dimensions of `sizes`."""
    values = [v for v in place if not isinstance(v, int)]
    result: Any = ir.AffineConstantExpr.get(loop.lower)
    for dim, part in enumerate(place):
        factor = loop.step * prod(sizes[dim + 1 :])
        term = ir.AffineConstantExpr.get(part) if isinstance(part, int) else ir.AffineDimExpr.get(values.index(part))
        result = result + term * factor
    return affine.AffineApplyOp(ir.AffineMap.get(len(values), 0, [result]), values).result
