"""Matrices in L1 that are laid out in blocks, and the operations that look at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from allo_air.core.constants import constant_of, index_constant
from allo_air.dialects.air_values import handed_on, stands_for
from allo_air.dialects.memrefs import memory_space
from allo_air.dialects.operands import MEMREFS, lists_of, memref_of, with_lists
from allo_air.mlir import AnyOp, ir, memref
from allo_air.passes._analysis.structured import indexing_maps, loop_of, reductions
from allo_air.passes._ir.generic import iterators_attr, maps_attr
from allo_air.passes._ir.named import ELEMENTWISE
from allo_air.passes._ir.operands import with_operands

_L1 = 2
_ANY_RANK = frozenset(("linalg.fill", "linalg.copy", "memref.copy", "memref.dealloc"))
_BY_MAPS = frozenset(("linalg.elementwise", "linalg.map"))
_TRANSFERS = ("air.channel.put", "air.channel.get")
_YIELD = "air.execute_terminator"
_PADDING = ("pad_before", "pad_after")


class Blocks(NamedTuple):
    """Blocks of a matrix: of `rows` rows of `columns`, one below the other, a column of blocks behind the other."""

    rows: int
    columns: int


@dataclass(frozen=True)
class Matrix:
    """A buffer of L1 with two dimensions, by its allocation."""

    alloc: Any

    @classmethod
    def of(cls, value: Any) -> Matrix | None:
        """The matrix that `value` is all of."""
        while not isinstance(value.owner, ir.Block) and (inner := stands_for(value)) is not None:
            value = inner
        kind = value.type
        if isinstance(value.owner, ir.Block) or value.owner.name != "memref.alloc" or not _is_plain(kind):
            return None
        return cls(value) if kind.rank == 2 and memory_space(kind) == _L1 else None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.alloc.type.shape
        return rows, columns

    def values(self) -> Iterator[Any]:
        """What stands for the buffer: the allocation, and what `air.execute` yields of it."""
        todo = [self.alloc]
        while todo:
            yield (value := todo.pop())
            todo += [handed_on(use) for use in value.uses if use.owner.name == _YIELD]

    def users(self) -> list[Any]:
        """The operations that look at the buffer, each once: a herd, too, which is passed it."""
        uses = [use for value in self.values() for use in value.uses if use.owner.name != _YIELD]
        return list(dict.fromkeys(use.owner.operation for use in uses))


class _Part(NamedTuple):
    """What a transfer moves of a matrix: `rows` from `first`, and columns of blocks from `left`; None and 0 for all of it."""

    first: Any = None
    rows: Any = None
    left: int = 0
    beside: int = 0


def laid_alike(op: Any, blocks: Blocks) -> list[Matrix] | None:
    """The matrices that are laid out in `blocks` if one that `op` uses is; None where `op` needs it row by row."""
    if op.name in _TRANSFERS:
        return [] if _part(op, blocks) is not None else None
    found = [Matrix.of(value) for value, indices in _elementwise(op) if len(indices) == 2]
    return [m for m in found if m is not None] if found and None not in found else None


def lay_out(matrices: Mapping[Matrix, Blocks]) -> None:
    """Lays out all `matrices`, and lets transfers and elementwise operations walk them as before."""
    users = {op: blocks for matrix, blocks in matrices.items() for op in matrix.users()}
    transfers = [(op, _part(op, blocks) or _Part(), blocks) for op, blocks in users.items() if op.name in _TRANSFERS]
    generics = [(op, _elementwise(op), blocks) for op, blocks in users.items() if op.name == "linalg.generic"]
    for matrix, blocks in matrices.items():
        (height, width), kind = matrix.shape, matrix.alloc.type
        shape = [width // blocks.columns, height // blocks.rows, *blocks]
        for value in list(matrix.values()):
            value.set_type(ir.MemRefType.get(shape, kind.element_type, memory_space=kind.memory_space))
    for transfer, part, blocks in transfers:
        _walk(transfer, part, blocks)
    for generic, operands, blocks in generics:
        if operands:
            _generalize(generic, operands, blocks)


def _is_plain(kind: Any) -> bool:
    """Whether a memref's elements are all there is in its memory, row by row."""
    if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape:
        return False
    return bool(kind.affine_map == ir.AffineMap.get_identity(kind.rank))


def _elementwise(op: Any) -> list[tuple[Any, tuple[int, ...]]]:
    """The operands of an operation that works element by element on matrices, and the dimensions that index each.

    Empty for other operations.
    """
    buffers: list[tuple[Any, tuple[int, ...]]] = [(v, (0, 1)) for v in op.operands if isinstance(v.type, ir.MemRefType)]
    if op.name in _ANY_RANK or op.name in ELEMENTWISE - _BY_MAPS:
        return buffers
    if op.name != "linalg.generic" or len(op.results) or reductions(op) != [False, False]:
        return []
    if any(o.operation.name == "linalg.index" for o in op.regions[0].blocks[0].operations):
        return []
    places = [tuple(loop_of(e) for e in m.results) for m in indexing_maps(op)]
    plain = all(_is_plain(v.type) for v, _ in buffers)
    return list(zip(op.operands, places, strict=True)) if plain and {(0, 1), (0,), (1,), ()}.issuperset(places) else []


def _part(transfer: Any, blocks: Blocks) -> _Part | None:
    """What `transfer` moves of a matrix; None where that is no part of rows in whole blocks."""
    offsets, sizes, strides = lists_of(transfer)
    if any(name in transfer.attributes for name in _PADDING):
        return None
    if not sizes and not offsets:
        return _Part()
    if len(offsets) != 2 or len(sizes) != 2:
        return None
    matrix = Matrix.of(memref_of(transfer))
    left, columns = constant_of(offsets[1]), constant_of(sizes[1])
    if matrix is None or [constant_of(v) for v in strides] != [matrix.shape[1], 1] or left is None or columns is None:
        return None
    if left % blocks.columns or columns % blocks.columns or left + columns > matrix.shape[1]:
        return None
    return _Part(offsets[0], sizes[0], left // blocks.columns, columns // blocks.columns)


def _walk(transfer: Any, part: _Part, blocks: Blocks) -> None:
    """Lets `transfer` walk, row by row, a part of a matrix that is laid out in `blocks`."""
    beside, below, *_ = memref_of(transfer).type.shape
    if beside == 1 and part.rows is None:
        return

    def index(value: int) -> Any:
        return index_constant(value, transfer.location, ir.InsertionPoint(transfer))

    rows, zero = below * blocks.rows, index(0)
    offsets = [zero if part.first is None else part.first, index(part.left), zero]
    sizes = [index(rows) if part.rows is None else part.rows, index(part.beside or beside), index(blocks.columns)]
    strides = [index(blocks.columns), index(rows * blocks.columns), index(1)]
    with_operands(transfer, with_lists(MEMREFS[transfer.name][0], (offsets, sizes, strides)))


def _generalize(op: AnyOp, operands: list[tuple[Any, tuple[int, ...]]], blocks: Blocks) -> None:
    """Lets an elementwise linalg.generic walk matrices that are laid out in `blocks`, and what goes along a side of them."""
    loops = {0: (1, 2), 1: (0, 3)}  # of the rows: which block, which row of it; of the columns likewise
    maps = []
    for place, (value, indices) in enumerate(operands):
        if len(indices) == 1 and isinstance(value.type, ir.MemRefType):
            [size], part = value.type.shape, blocks[indices[0]]
            kind = ir.MemRefType.get([size // part, part], value.type.element_type, memory_space=value.type.memory_space)
            with ir.InsertionPoint(op), op.location:
                op.operands[place] = memref.expand_shape(kind, value, [[0, 1]], [], [size // part, part])
        results = (0, 1, 2, 3) if len(indices) == 2 else [d for i in indices for d in loops[i]]
        maps.append(ir.AffineMap.get(4, 0, [ir.AffineDimExpr.get(d) for d in results]))
    op.attributes["indexing_maps"] = maps_attr(maps)
    op.attributes["iterator_types"] = iterators_attr(["parallel"] * 4)
