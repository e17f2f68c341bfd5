"""Describes how the loops of an operation index its tensors, in the same way for linalg operations, slices and pads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.access.pattern import kept_dims
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import indexing_maps, is_structured, loop_extents, reductions, spans
from allo_air.passes.partition._roles import captured

Dims = tuple[int | None, ...]
"""For each dimension of a tensor, the loop that indexes it; None if no single loop does."""

_WEIGHTS = {"math": 20}
"""Number of scalar operations that an operation counts as, by dialect. Math functions are polynomials: about 10 multiplications
and additions.
"""

Spans = Callable[[Sequence[int]], Sequence[int]]
"""A function from the sizes of a tile's loops to the elements that the tile touches along each dimension of a tensor."""


@dataclass(frozen=True)
class Operand:
    """A tensor that an operation reads."""

    value: Any
    dims: Dims
    spans: Spans


@dataclass(frozen=True)
class Access:
    """The loops of an operation, the loops that tiles must contain whole, its operands, and the loops that index its
    results.
    """

    extents: tuple[int, ...]
    whole_loops: frozenset[int]
    reads: tuple[Operand, ...]
    results: tuple[Dims, ...]
    iteration_work: int
    """Scalar operations in each iteration."""

    @property
    def work(self) -> int:
        """Scalar operations in all iterations."""
        return prod(self.extents) * self.iteration_work


def access(op: ir.Operation) -> Access:
    """The Access of an operation on tensors. For an unknown operation, a tile contains everything."""
    if is_structured(op):
        return _structured(op)
    if op.name == "tensor.pad":
        return _pad(op)
    if op.name == "tensor.extract_slice":
        return _slice(op)
    shape = tuple(op.results[0].type.shape) if isinstance(op.results[0].type, ir.RankedTensorType) else ()
    reads = [_whole_operand(v) for v in [*op.operands, *captured(op)] if isinstance(v.type, ir.RankedTensorType)]
    return Access(shape, frozenset(range(len(shape))), tuple(reads), (tuple(range(len(shape))),), 1)


def _structured(op: ir.Operation) -> Access:
    maps, extents = indexing_maps(op), tuple(loop_extents(op))
    operands = [
        Operand(v, _dims(m), lambda sizes, m=m: spans(m, sizes))  # type: ignore[misc]
        for v, m in zip(op.operands, maps, strict=False)
        if isinstance(v.type, ir.RankedTensorType)
    ]
    operands += [_whole_operand(v) for v in captured(op) if isinstance(v.type, ir.RankedTensorType)]
    results = tuple(_dims(m) for m in maps[len(maps) - len(op.results) :])
    in_results = {d for dims in results for d in dims}
    whole = {d for d, reduces in enumerate(reductions(op)) if reduces or d not in in_results}
    body = sum(_WEIGHTS.get(o.operation.name.split(".")[0], 1) for block in op.regions[0].blocks for o in block.operations)
    return Access(extents, frozenset(whole), tuple(operands), results, max(body - 1, 1))


def _dims(indexing: ir.AffineMap) -> Dims:
    dims = [ir.AffineDimExpr(e).position if isinstance(e, ir.AffineDimExpr) else None for e in indexing.results]
    return tuple(dims)


def _whole_operand(value: ir.Value) -> Operand:
    shape = tuple(value.type.shape)
    return Operand(value, (None,) * len(shape), lambda _: shape)


def _pad(op: AnyOp) -> Access:
    """The access of a pad: a tile contains padded dimensions whole."""
    source, shape = op.operands[0], tuple(op.results[0].type.shape)
    low, high = list(op.attributes["static_low"]), list(op.attributes["static_high"])
    padded = frozenset(d for d in range(len(shape)) if low[d] or high[d])
    dims = tuple(None if d in padded else d for d in range(len(shape)))
    extents = tuple(source.type.shape)
    read = Operand(source, dims, lambda sizes: [extents[d] if d in padded else sizes[d] for d in range(len(shape))])
    return Access(shape, padded, (read,), (tuple(range(len(shape))),), 1)


def _slice(op: AnyOp) -> Access:
    """The access of a slice: a tile of the slice is a slice. Along a cut dimension, tiles of the source do not correspond to
    tiles of the slice.
    """
    source = op.operands[0]
    offsets, sizes, strides = (list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides"))
    loop_of = {d: n for n, d in enumerate(kept_dims(sizes, list(op.results[0].type.shape)))}
    full = [o == 0 and s == 1 and n == e for o, n, s, e in zip(offsets, sizes, strides, source.type.shape, strict=True)]
    dims = tuple(loop_of.get(d) if full[d] else None for d in range(len(sizes)))

    def of(tile: Sequence[int]) -> list[int]:
        return [(tile[loop_of[d]] - 1) * strides[d] + 1 if d in loop_of else 1 for d in range(len(sizes))]

    extents = tuple(op.results[0].type.shape)
    return Access(extents, frozenset(), (Operand(source, dims, of),), (tuple(range(len(extents))),), 1)
