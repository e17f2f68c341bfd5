"""peel-tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.core.folding import number_of
from allo_air.core.loops import LOOPS, PARALLEL, Dim, Loop
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes.bind._cut import can_be_cut, cut

SIZES = ("affine.min", "affine.max", "arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui", "arith.select")
"""Operations that compute the size of a tile if the last tile is shorter."""
_MOST = 4096  # largest number of iterations that are examined


@dataclass(frozen=True)
class PeelTiles(Pass):
    """Splits loops over tiles of several sizes into loops over tiles of one constant size each.

    If tiles do not divide a shape, the last one is shorter: its size is an `affine.min` of the loop variable. A parallel loop
    is also split if its step does not divide its range. Loops with dynamic bounds stay. Inner loops whose bounds become
    constant in the parts of the outer loop are split, too.

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


def _peel_inside(op: AnyOp) -> None:
    """Splits the outermost loops in `op`, then the loops in each part."""
    loops = walk_named(op, *LOOPS)[1 if op.name in LOOPS else 0 :]
    for loop in loops:
        if enclosing(loop, *LOOPS, "func.func") == op:
            _peel(loop)


def _peel(op: AnyOp) -> None:
    """Splits `op` until every size in it is constant, writes the sizes, and continues inside."""
    pieces = [op]
    while pieces:
        piece = pieces.pop()
        dims = Loop(piece).dims() or ()
        if any(dim.trips == 0 for dim in dims):
            dims = ()
        sizes = [_sizes(piece, dim) for dim in dims]
        cuts = [(n, k) for n, dim in enumerate(dims) if (k := _change(piece, dim, sizes[n])) is not None]
        if cuts and can_be_cut(piece):
            pieces += reversed(cut(piece, dims, *cuts[0]))
            continue
        _write(sizes)
        _peel_inside(piece)


def _sizes(op: AnyOp, dim: Dim) -> dict[Any, list[int]]:
    """For each size in `op` that depends on `dim` only: its value in each iteration. Sizes that fold without a split are left
    out.
    """
    sizes = {}
    for inner in walk_named(op, *SIZES) if dim.trips <= _MOST else ():
        result = inner.results[0]
        if isinstance(result.type, ir.IndexType) and constant_of(result) is None:
            values = [number_of(result, {dim.iv: value}) for value in dim.values]
            constants = [v for v in values if v is not None]
            if len(constants) == len(values):
                sizes[result] = constants
    return sizes


def _change(op: AnyOp, dim: Dim, sizes: dict[ir.Value, list[int]]) -> int | None:
    """The number of iterations of `dim` after which a size in `op` changes; None if none does."""
    cuts = [k for values in sizes.values() for k, size in enumerate(values) if size != values[0]]
    if op.name in PARALLEL and (dim.upper - dim.lower) % dim.step and 1 < dim.trips <= _MOST:
        cuts.append(dim.trips - 1)
    return min(cuts, default=None)


def _write(sizes: list[dict[ir.Value, list[int]]]) -> None:
    """Replaces sizes that are equal in all iterations by constants."""
    for result, values in (item for size in sizes for item in size.items()):
        if len(set(values)) == 1:
            owner = result.owner
            result.replace_all_uses_with(index_constant(values[0], owner.location, ir.InsertionPoint(owner)))
