"""peel-tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.core.folding import fold
from allo_air.core.loops import LOOPS, PARALLEL, Dim, Loop
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes.bind._cut import can_be_cut, cut

SIZES = ("affine.min", "affine.max", "arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui", "arith.select")
"""Operations that say how long a tile is, where the last is shorter."""
_MOST = 4096  # iterations that are looked at


@dataclass(frozen=True)
class PeelTiles(Pass):
    """Splits loops over tiles where the tiles' size changes, so that each loop has tiles of one size, which become constants.

    Tiles that do not divide a shape are shorter at the end, by `affine.min` of the loop's counter. A parallel loop is split,
    too, where its step does not divide its range. Loops whose bounds are not constant stay; those inside get constant bounds
    when the loop around has been split, so that a second run takes them.

    Before (`peel-tiles`):

        scf.for %i = %c0 to %c100 step %c32 {
          %n = affine.min affine_map<(d0) -> (-d0 + 100, 32)>(%i)
          "use"(%i, %n) : (index, index) -> ()
        }

    After:

        scf.for %i = %c0 to %c96 step %c32 {
          "use"(%i, %c32) : (index, index) -> ()
        }
        scf.for %i = %c96 to %c128 step %c32 {
          "use"(%i, %c4) : (index, index) -> ()
        }
    """

    name = "peel-tiles"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            _peel_inside(function)


def _peel_inside(op: Any) -> None:
    """Splits the outermost loops in `op`, then what is in each piece."""
    loops = walk_named(op, *LOOPS)[1 if op.name in LOOPS else 0 :]
    for loop in loops:
        if next(p for p in parents(loop) if p.name in (*LOOPS, "func.func")) == op:
            _peel(loop)


def _peel(op: Any) -> None:
    """Splits `op` until no size in it changes, writes the sizes, and goes on inside."""
    pieces = [op]
    while pieces:
        piece = pieces.pop()
        dims = Loop(piece).dims() or ()
        counted = all(dim.trips for dim in dims)
        found = (
            next(((n, k) for n, dim in enumerate(dims) if (k := _change(piece, dim)) is not None), None) if counted else None
        )
        if found is not None and can_be_cut(piece):
            pieces += reversed(cut(piece, dims, *found))
            continue
        if counted:
            _write(piece, dims)
        _peel_inside(piece)


def _change(op: Any, dim: Dim) -> int | None:
    """After how many iterations of `dim` a size in `op` changes; None where none does."""
    if dim.trips > _MOST:
        return None
    cuts = []
    for inner in walk_named(op, *SIZES):
        sizes = [_size(inner, {dim.iv: value}) for value in dim.values]
        if None not in sizes:
            cuts += [k for k, size in enumerate(sizes) if size != sizes[0]][:1]
    if op.name in PARALLEL and (dim.upper - dim.lower) % dim.step and dim.trips > 1:
        cuts.append(dim.trips - 1)
    return min(cuts, default=None)


def _write(op: Any, dims: tuple[Dim, ...]) -> None:
    """Puts constants for the sizes in `op` that each iteration has alike."""
    for dim in dims:
        for inner in walk_named(op, *SIZES):
            first = _size(inner, {dim.iv: dim.lower})
            if first is None or constant_of(inner.results[0]) is not None or dim.trips > _MOST:
                continue
            if all(_size(inner, {dim.iv: value}) == first for value in dim.values):
                kept = index_constant(first, inner.location, ir.InsertionPoint(inner))
                inner.results[0].replace_all_uses_with(kept)


def _size(op: Any, known: dict[Any, int]) -> int | None:
    """The result of `op`, an index, where `known` are the counters that are known."""
    if not isinstance(op.results[0].type, ir.IndexType):
        return None

    def number(value: Any) -> int | None:
        if value in known:
            return known[value]
        found = fold(value.owner.operation, number) if isinstance(value, ir.OpResult) else None
        return None if found is None else found[value.result_number]

    return number(op.results[0])
