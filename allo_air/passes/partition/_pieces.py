"""Decomposes the result of pads, slices, concatenations and transpositions into boxes of source tensors and of constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from allo_air.access.dims import row_major
from allo_air.access.pattern import kept_dims
from allo_air.core.walking import is_result_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes.partition._kinds import is_copy

MOST = 32
"""Largest number of boxes into which a tensor is decomposed."""


@dataclass(frozen=True)
class Piece:
    """A box of a tensor, with `sizes` from position `low` on.

    Its elements are those of `source` from number `first` on, `steps` apart in each dimension; or, if `source` is None, all
    equal to `number`.
    """

    low: tuple[int, ...]
    sizes: tuple[int, ...]
    source: Any
    number: Any
    first: int
    steps: tuple[int, ...]

    def part(self, low: Sequence[int], sizes: Sequence[int]) -> Piece:
        """The part of the piece from `low`, a position of the tensor, with `sizes`."""
        skipped = sum((n - o) * s for n, o, s in zip(low, self.low, self.steps, strict=True))
        return replace(self, low=tuple(low), sizes=tuple(sizes), first=self.first + skipped)

    def moved(self, by: Sequence[int]) -> Piece:
        return replace(self, low=tuple(n + b for n, b in zip(self.low, by, strict=True)))


def only_moves(op: AnyOp) -> bool:
    """Whether `op` only moves elements and `pieces` looks through it."""
    return op.name in _RULES and _pieces(op) is not None


def pieces(value: ir.Value) -> list[Piece]:
    """The boxes of a tensor of static shape. A computed tensor is one box of itself. Unwritten elements have no box."""
    result = None if isinstance(value, ir.BlockArgument) else _pieces(value.owner.operation)
    return [_whole_tensor(value)] if result is None else result


def permuted(op: AnyOp) -> Piece | None:
    """The result of a linalg.generic that only permutes the dimensions of its operand, as a box of that; None for others."""
    if (
        op.name != "linalg.generic"
        or not is_copy(op)
        or len(op.operands) != 2
        or not all(_is_static(v.type) for v in op.operands)
    ):
        return None
    source, result = (m.value for m in op.attributes["indexing_maps"])
    if not source.is_permutation or result != ir.AffineMap.get_identity(source.n_dims) or source == result:
        return None
    strides, shape = row_major(op.operands[0].type.shape), tuple(op.results[0].type.shape)
    steps = {ir.AffineDimExpr(e).position: s for e, s in zip(source.results, strides, strict=True)}
    return Piece((0,) * len(shape), shape, op.operands[0], None, 0, tuple(steps[d] for d in range(len(shape))))


def _pieces(op: AnyOp) -> list[Piece] | None:
    rule = _RULES.get(op.name)
    if rule is None or not all(_is_static(v.type) for v in (*op.operands, *op.results)):
        return None
    result = rule(op)
    return result if result is not None and len(result) <= MOST else None


def _is_static(kind: ir.Type) -> bool:
    return not isinstance(kind, ir.ShapedType) or (isinstance(kind, ir.RankedTensorType) and kind.has_static_shape)


def _whole_tensor(value: ir.Value) -> Piece:
    shape = tuple(value.type.shape)
    return Piece((0,) * len(shape), shape, value, None, 0, tuple(row_major(shape)))


def _filled(shape: Sequence[int], number: ir.Attribute) -> Piece:
    return Piece((0,) * len(shape), tuple(shape), None, number, 0, (0,) * len(shape))


def _pad(op: AnyOp) -> list[Piece] | None:
    [block] = op.regions[0].blocks
    number = _number(block.operations[-1].operands[0])
    if number is None or len(op.operands) != 1 or min(*op.attributes["static_low"], *op.attributes["static_high"], 0) < 0:
        return None
    low = list(op.attributes["static_low"])
    filled_pieces = [_filled(op.results[0].type.shape, number)]
    return _insert_piece(filled_pieces, low, op.operands[0])


def _concat(op: ir.Operation) -> list[Piece]:
    dim, result, start = int(op.attributes["dim"]), list[Piece](), 0
    for value in op.operands:
        by = [start if d == dim else 0 for d in range(len(value.type.shape))]
        result += [p.moved(by) for p in pieces(value)]
        start += value.type.shape[dim]
    return result


def _insert(op: AnyOp) -> list[Piece] | None:
    offsets, sizes, strides = (list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides"))
    if len(op.operands) != 2 or set(strides) - {1} or list(op.operands[0].type.shape) != sizes:
        return None
    return _insert_piece(pieces(op.operands[1]), offsets, op.operands[0])


def _insert_piece(around: list[Piece], low: Sequence[int], value: ir.Value) -> list[Piece]:
    """The boxes of a tensor of boxes `around`, after `value` was inserted at `low`."""
    uncovered = [part for piece in around for part in _parts_outside(piece, low, value.type.shape)]
    return [*uncovered, *(p.moved(low) for p in pieces(value))]


def _parts_outside(piece: Piece, low: Sequence[int], sizes: Sequence[int]) -> list[Piece]:
    """The parts of a piece outside of a box: before and after it in the first dimension, then in the others."""
    result, start, size = [], list(piece.low), list(piece.sizes)
    for d, (begin, extent) in enumerate(zip(low, sizes, strict=True)):
        end, last = begin + extent, start[d] + size[d]
        if begin >= last or end <= start[d]:
            return [piece]
        for first, last_first in ((start[d], begin), (end, last)):
            if last_first > first:
                part_start, n = [*start], [*size]
                part_start[d], n[d] = first, last_first - first
                result.append(piece.part(part_start, n))
        inner = max(start[d], begin)
        start[d], size[d] = inner, min(last, end) - inner
    return result


def _slice(op: AnyOp) -> list[Piece] | None:
    offsets, sizes, strides = (list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides"))
    if len(op.operands) != 1:
        return None
    dims = kept_dims(sizes, op.results[0].type.shape)
    results = []
    for piece in pieces(op.operands[0]):
        ranges = [_steps(*values_by_dim) for values_by_dim in zip(piece.low, piece.sizes, offsets, sizes, strides, strict=True)]
        if any(n <= 0 for _, n in ranges):
            continue
        first = [o + k * s for (k, _), o, s in zip(ranges, offsets, strides, strict=True)]
        part = piece.part(first, [1] * len(first))
        low, count = ([t[i] for t in ranges] for i in (0, 1))
        distances = [s * t for s, t in zip(piece.steps, strides, strict=True)]
        kept_of = (tuple(each[d] for d in dims) for each in (low, count, distances))
        new_low, new_sizes, steps = kept_of
        results.append(replace(part, low=new_low, sizes=new_sizes, steps=steps))
    return results


def _steps(low: int, extent: int, offset: int, size: int, stride: int) -> tuple[int, int]:
    """The first of `size` positions, `stride` apart from `offset` on, that is within `extent` positions from `low`; and the
    number of such positions.
    """
    first = max(0, -(-(low - offset) // stride))
    return first, min(size - 1, (low + extent - 1 - offset) // stride) - first + 1


def _transpose(op: AnyOp) -> list[Piece]:
    order = list(op.attributes["permutation"])

    def transposed_in_memtiles(of: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(of[d] for d in order)

    return [
        replace(
            p, low=transposed_in_memtiles(p.low), sizes=transposed_in_memtiles(p.sizes), steps=transposed_in_memtiles(p.steps)
        )
        for p in pieces(op.operands[0])
    ]


def _empty(_: object) -> list[Piece]:
    return []


def _fill(op: AnyOp) -> list[Piece] | None:
    number = _number(op.operands[0])
    return None if number is None else [_filled(op.results[0].type.shape, number)]


def _constant(op: AnyOp) -> list[Piece] | None:
    data = op.attributes["value"]
    if not isinstance(data, ir.DenseElementsAttr) or not data.is_splat:
        return None
    return [_filled(op.results[0].type.shape, data.get_splat_value())]


def _number(value: ir.Value) -> Any:
    """The attribute of a constant."""
    is_constant = is_result_of(value, "arith.constant")
    return value.owner.attributes["value"] if is_constant else None


_RULES: dict[str, Callable[[Any], list[Piece] | None]] = {
    "tensor.pad": _pad,
    "tensor.concat": _concat,
    "tensor.insert_slice": _insert,
    "tensor.extract_slice": _slice,
    "linalg.transpose": _transpose,
    "linalg.fill": _fill,
    "tensor.splat": _fill,
    "arith.constant": _constant,
    "tensor.empty": _empty,
}
