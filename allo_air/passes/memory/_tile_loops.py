"""Tiles a linalg operation on memrefs by a nest of loops, the outer parallel ones as one scf.parallel."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from allo_air import dialects
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop, parallel_loop
from allo_air.core.walking import body_of, root_of
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import loop_extents, reductions
from allo_air.transform.segments import run_snippet


def tile(op: ir.Operation, sizes: Sequence[int], order: Sequence[int], *, parallel: bool) -> ir.Operation:
    """Tiles `op` by `sizes`, with its loops in `order` (empty: unchanged); returns the operation on a tile.

    A loop with size 0 is not tiled; a size above the extent counts as the extent. With `parallel` the outermost loops that do
    not reduce become one scf.parallel.
    """
    extents = loop_extents(op)
    if len(sizes) > len(extents):
        raise error_at(op, f"has {counted(len(extents), 'loop')}, found {counted(len(sizes), 'tile size')}")
    if order and sorted(order) != list(range(len(extents))):
        raise error_at(op, f"has {counted(len(extents), 'loop')}, and {list(order)} is not a permutation of their numbers")
    tile_sizes = [min(s, e) for s, e in zip(sizes, extents, strict=False)] + [0] * (len(extents) - len(sizes))
    for loop, (size, extent) in enumerate(zip(tile_sizes, extents, strict=True)):
        if extent < 0:
            raise error_at(op, f"has a loop {loop} whose extent is not known, but tiles must divide it; use static shapes")
        if size < 0 or (size and extent % size):
            raise error_at(
                op,
                f"has {counted(extent, 'iteration')} in loop {loop}, which is not a multiple of tile size {size}; give a"
                " divisor",
            )
    if not any(tile_sizes):
        return op
    tiled_loops = [d for d in (order or range(len(extents))) if tile_sizes[d]]
    result, loops = _loop_nest(op, tile_sizes, order, len(tiled_loops))
    reduces = reductions(result)
    outer = next((n for n, d in enumerate(tiled_loops) if reduces[d]), len(tiled_loops))
    if parallel and outer:
        _join(loops[:outer])
    return result


def _loop_nest(
    op: ir.Operation, sizes: Sequence[int], order: Sequence[int], depth: int
) -> tuple[ir.Operation, list[ir.Operation]]:
    """The operation on a tile, and the loops around it from outside."""
    names = [f"l{n}" for n in range(depth)]
    kinds = ", ".join(["!transform.any_op"] * (depth + 1))
    results = ", ".join(f"%{n}" for n in ("r", *names))
    interchange = f" interchange = {list(order)}" if order else ""
    sized = f"tile_sizes {list(sizes)}{interchange}"
    text = f"{results} = transform.structured.tile_using_for %t {sized} : (!transform.any_op) -> ({kinds})"
    dialects.load(op.context, ("air", "transform.air"))
    [[tiled], *loops] = run_snippet(root_of(op), text, {"t": [op]}, ("r", *names))
    return tiled, [loop for [loop] in loops]


def _join(loops: list[ir.Operation]) -> None:
    """Makes one scf.parallel of a nest of scf.for without results."""
    first, last = loops[0], loops[-1]
    for outer, inner in pairwise(loops):
        for op in body_of(outer)[:-1]:
            if op != inner:
                op.move_before(first)
    lower, upper, step = zip(*(list(loop.operands)[:3] for loop in loops), strict=True)
    with first.location, ir.InsertionPoint(first):
        result = Loop(parallel_loop(lower, upper, step))
    for loop, iv in zip(loops, result.ivs, strict=True):
        Loop(loop).ivs[0].replace_all_uses_with(iv)
    for op in body_of(last)[:-1]:
        op.move_before(result.terminator)
    first.erase()
