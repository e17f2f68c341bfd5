"""The time of an operation on one tile: iterations of whole vectors, or cycles of work on single elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from allo_air.mlir import ir
from allo_air.passes._analysis.gather_pattern import cycles, one_hot_gather_of
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, loops_in, reductions
from allo_air.passes.map._walks import LANES, SCALAR, Walks

PRODUCT = ({"f32": 14.0, "bf16": 7.0}, 3.0, 20.0)
"""Cycles of a multiply-add of single elements, by type; of integers; and of each start of the innermost loop. Measured in
simulation on AIE2 with windows of 3 and sums over 16 channels. Products of f32 are function calls.
"""


class StepTime:
    """The time of an operation, queried for many tiles."""

    def __init__(self, op: ir.Operation) -> None:
        self._op, self._extents = op, loop_extents(op)
        self._gather, self._walks = one_hot_gather_of(op), Walks(op)
        self._windows = _windows(op, indexing_maps(op))

    def of(self, tile: list[int], piece: list[int]) -> tuple[int | None, float]:
        """Iterations of whole vectors (None for work on single elements), and cycles besides these.

        `tile` and `piece` are sizes of the loops: of the tile, and of what a core takes at a time.
        """
        if self._gather is not None:
            return None, cycles(self._gather, tile, prod(-(-t // p) for t, p in zip(tile, piece, strict=True)), LANES)
        if self._windows is None:
            return self._walks.iterations(tile, piece), 0.0
        if _has_vectors(self._windows, tile):
            return _iterations(tile, self._extents), 0.0
        return None, _by_elements(self._op, tile)


def _iterations(tile: list[int], extents: list[int]) -> int:
    """Iterations in whole vectors. If the last loop is cut to less than one vector, each element takes the time of some
    vectors.
    """
    if not tile:
        return 1
    *rest, last = tile
    return prod(rest) * LANES * (SCALAR * last if last < min(LANES, extents[-1]) else -(-last // LANES))


def _windows(op: ir.Operation, maps: Sequence[ir.AffineMap]) -> list[list[list[int]]] | None:
    """The loops in each index of each operand of a sum of products over windows; empty for integers, None for other
    operations.
    """
    names = {o.operation.name for o in op.regions[0].blocks[0].operations}
    has_no_window = all(isinstance(e, ir.AffineDimExpr) for m in maps for e in m.results)
    if has_no_window or not any(reductions(op)) or not names & {"arith.mulf", "arith.muli"}:
        return None
    return [] if "arith.muli" in names else [[sorted(loops_in(e)) for e in m.results] for m in maps]


def _has_vectors(windows: list[list[list[int]]], tile: Sequence[int]) -> bool:
    """Whether there is a loop along which the elements of all its varying operands are contiguous, for a vector or more."""
    lines = [[[d for d in loops if tile[d] > 1] for loops in operand] for operand in windows]
    last = [next((loops for loops in reversed(line) if loops), []) for line in lines]
    longest = {d for loops in last for d in loops if tile[d] >= LANES}
    used = [{d for loops in line for d in loops} for line in lines]
    return any(all(d not in loops or innermost == [d] for loops, innermost in zip(used, last, strict=True)) for d in longest)


def _by_elements(op: ir.Operation, tile: Sequence[int]) -> float:
    """Cycles of a sum of products of single elements."""
    floats, integer, start = PRODUCT
    cycles = floats.get(str(op.operands[0].type.element_type), integer)
    inner = next((n for n, reduces in zip(reversed(tile), reversed(reductions(op)), strict=True) if reduces and n > 1), 1)
    return prod(tile) * (cycles + start / inner)
