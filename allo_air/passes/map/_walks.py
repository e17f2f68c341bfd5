"""How an operation's loops address a core's buffers: which loop can be vectorized, and how many iterations that takes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, reductions

LANES = 16
"""Elements of a core's vector."""
HALF = 8
"""32-bit elements in half a vector: the smallest vector of a copy."""
SCALAR = 3
"""Time of adding one element in memory by scalar code, in vector operations."""
ALIGNMENT = 32
"""Alignment of vectors in bytes (docs/sources.md#vector-kernels)."""


class Walks:
    """The loops of an operation, and the step of each loop in each dimension of the tensors."""

    def __init__(self, op: ir.Operation) -> None:
        self._reduces = reductions(op)
        self._extents = loop_extents(op)
        count = len(op.results)
        maps = indexing_maps(op)
        self._tensors: list[tuple[int, bool, list[list[int]]]] = []
        self._known = True
        for number, (value, indexing) in enumerate(zip(op.operands, maps, strict=True)):
            if not isinstance(value.type, ir.RankedTensorType):
                continue
            steps = [_steps(e, indexing.n_dims) for e in indexing.results]
            self._known = self._known and None not in steps
            size = max(element_bits(value.type) or 32, 8) // 8
            self._tensors.append((size, number >= len(maps) - count, [s for s in steps if s is not None]))
        self._counted: dict[tuple[int, ...], int] = {}
        only_moves = len(op.regions[0].blocks[0].operations) == 1
        self._lanes = (LANES, HALF) if only_moves and all(size == 4 for size, *_ in self._tensors) else (LANES,)

    def iterations(self, tile: Sequence[int], piece: Sequence[int]) -> int:
        """Iterations of one tile, of which a core has `piece` at a time. A scalar element counts as the iterations that its
        time equals.

        As in `vectorize-generics`, the vectorized loop must have unit stride in every tensor, or stride zero if each row
        begins at a multiple of ALIGNMENT. The remainder is scalar; without such a loop everything is. What only moves 32-bit
        elements may take half a vector.
        """
        if not tile:
            return 1
        key = (*tile, *piece)
        if key not in self._counted:
            self._counted[key] = self._count(tile, piece)
        return self._counted[key]

    def _count(self, tile: Sequence[int], piece: Sequence[int]) -> int:
        if not self._known:
            *rest, last = tile
            is_short = last < min(LANES, self._extents[-1])
            return prod(rest) * LANES * (SCALAR * last if is_short else -(-last // LANES))
        walks = [(size, is_output, _factors(steps, piece)) for size, is_output, steps in self._tensors]
        loops = self._merged(tile, piece, [factors for _, _, factors in walks])
        total = prod(tile)
        for lanes in self._lanes:
            vectors = [d for d in range(len(loops)) if self._is_vectors(d, loops, walks, lanes)]
            if vectors:
                inner = loops[max(vectors, key=lambda d: (not loops[d][1], loops[d][2] // lanes))][2]
                return total // inner * LANES * (inner // lanes + inner % lanes * SCALAR)
        return total * LANES * SCALAR

    def _merged(self, tile: Sequence[int], piece: Sequence[int], walks: list[list[int]]) -> list[tuple[int, bool, int]]:
        """The loops that run, where adjacent loops that all tensors address as one are merged: the inner loop's number,
        whether it reduces, and its trip count.
        """
        results: list[tuple[int, bool, int]] = []
        for d, size in enumerate(piece):
            if size == 1:
                continue
            if results:
                before, reduces, times = results[-1]
                if reduces == self._reduces[d] and all(w[before] == size * w[d] for w in walks):
                    results[-1] = (d, reduces, times * size)
                    continue
            results.append((d, self._reduces[d], size))
        return results

    def _is_vectors(
        self, depth: int, loops: list[tuple[int, bool, int]], walks: list[tuple[int, bool, list[int]]], lanes: int
    ) -> bool:
        dim, reduces, times = loops[depth]
        if times < lanes:
            return False
        for size, is_output, factors in walks:
            along = factors[dim]
            if along not in (0, 1) or (is_output and bool(along) == reduces):
                return False
            rest = [factors[d] for d, _, _ in loops if d != dim]
            if along and any(f * size % min(lanes * size, ALIGNMENT) for f in rest):
                return False
        return True


def _factors(steps: list[list[int]], tile: Sequence[int]) -> list[int]:
    """The stride of each loop, in elements, in a buffer with the part of a tensor that a tile touches, in row-major order."""
    spans = [1 + sum(s * (n - 1) for s, n in zip(row, tile, strict=True)) for row in steps]
    factors = [0] * len(tile)
    stride = 1
    for row, span in reversed(list(zip(steps, spans, strict=True))):
        factors = [f + stride * s for f, s in zip(factors, row, strict=True)]
        stride *= span
    return factors


def _steps(expression: ir.AffineExpr, loops: int) -> list[int] | None:
    """The change of an index by each loop; None if it is not constant, or negative."""
    if isinstance(expression, ir.AffineConstantExpr):
        return [0] * loops
    if isinstance(expression, ir.AffineDimExpr):
        return [int(d == expression.position) for d in range(loops)]
    if isinstance(expression, ir.AffineAddExpr):
        lhs, rhs = (_steps(e, loops) for e in (expression.lhs, expression.rhs))
        return None if lhs is None or rhs is None else [a + b for a, b in zip(lhs, rhs, strict=True)]
    if isinstance(expression, ir.AffineMulExpr) and isinstance(expression.rhs, ir.AffineConstantExpr):
        steps = _steps(expression.lhs, loops)
        times = expression.rhs.value
        return None if steps is None or times < 0 else [f * times for f in steps]
    return None
