"""The time of sums of products over windows, by formulas: lowering contractions for each tile of a search takes too long."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from allo_air.approximations import CYCLES
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, loops_in, reductions
from allo_air.passes.map._pads import LANES

PRODUCT = ({"f32": 14.0, "bf16": 7.0}, 3.0, 20.0)
"""Cycles of a multiply-add of single elements, by type; of integers; and of each start of the innermost loop. Measured in
simulation on AIE2 with windows of 3 and sums over 16 channels. Products of f32 are function calls.
"""
SCALAR = 3
"""Time of adding one element in memory by scalar code, in vector operations."""
LOOP = 4
"""Cycles for each vector besides the product: the sum, loads and the jump."""


class WindowTime:
    """The time of a sum of products over windows, queried for many tiles."""

    def __init__(self, op: ir.Operation, windows: list[list[list[int]]]) -> None:
        self._op, self._windows, self._extents, self._reduces = op, windows, loop_extents(op), reductions(op)
        self._element = str(op.operands[0].type.element_type)

    @staticmethod
    def of(op: ir.Operation) -> WindowTime | None:
        """The time of `op`; None for other operations."""
        maps, names = indexing_maps(op), {o.operation.name for o in op.regions[0].blocks[0].operations}
        has_no_window = all(isinstance(e, ir.AffineDimExpr) for m in maps for e in m.results)
        if has_no_window or not any(reductions(op)) or not names & {"arith.mulf", "arith.muli"}:
            return None
        is_integer = "arith.muli" in names
        return WindowTime(op, [] if is_integer else [[sorted(loops_in(e)) for e in m.results] for m in maps])

    def cycles(self, tile: Sequence[int]) -> float:
        """Cycles for loops over `tile`."""
        if self._has_vectors(tile):
            *rest, last = tile
            vectors = prod(rest) * (SCALAR * last if last < min(LANES, self._extents[-1]) else -(-last // LANES))
            return vectors * (CYCLES["arith.mulf"][self._element == "bf16"] + LOOP)
        floats, integer, start = PRODUCT
        pairs = zip(reversed(tile), reversed(self._reduces), strict=True)
        return prod(tile) * (floats.get(self._element, integer) + start / next((n for n, r in pairs if r and n > 1), 1))

    def _has_vectors(self, tile: Sequence[int]) -> bool:
        """Whether there is a loop along which the elements of all its varying operands are contiguous, for a vector or more."""
        lines = [[[d for d in loops if tile[d] > 1] for loops in operand] for operand in self._windows]
        last = [next((loops for loops in reversed(line) if loops), []) for line in lines]
        longest = {d for loops in last for d in loops if tile[d] >= LANES}
        used = [{d for loops in line for d in loops} for line in lines]
        return any(
            all(d not in loops or innermost == [d] for loops, innermost in zip(used, last, strict=True)) for d in longest
        )
