"""Changes matrices in L1 from row-major order to a blocked layout, together with all operations that access them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from allo_air.core.constants import constant_of, index_constant
from allo_air.core.walking import is_result_of
from allo_air.dialects.air_values import forwarded_value, outer_operand
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
    """A blocked layout: blocks of `rows` x `columns`, in column-major order of blocks."""

    rows: int
    columns: int


@dataclass(frozen=True)
class Matrix:
    """A two-dimensional buffer of L1, by its allocation."""

    alloc: Any

    @classmethod
    def of(cls, value: ir.Value) -> Matrix | None:
        """The matrix that `value` is as a whole; None for parts."""
        while not isinstance(value, ir.BlockArgument) and (inner := outer_operand(value)) is not None:
            value = inner
        kind = value.type
        if not is_result_of(value, "memref.alloc") or not _is_plain(kind):
            return None
        return cls(value) if kind.rank == 2 and memory_space(kind) == _L1 else None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.alloc.type.shape
        return rows, columns

    def values(self) -> Iterator[Any]:
        """The SSA values of the buffer: the allocation, and the result of an `air.execute` around it."""
        todo = [self.alloc]
        while todo:
            yield (value := todo.pop())
            todo += [forwarded_value(use) for use in value.uses if use.owner.name == _YIELD]

    def users(self) -> list[Any]:
        """The operations that access the buffer, each once. A herd with the buffer as an operand counts."""
        uses = [use for value in self.values() for use in value.uses if use.owner.name != _YIELD]
        return list(dict.fromkeys(use.owner.operation for use in uses))


class _Part(NamedTuple):
    """The part of a matrix that a transfer moves: `rows` rows from row `first` on (None: all rows), from `first_column` on."""

    first: Any = None
    rows: Any = None
    first_column: int = 0
    columns: int = 0


def with_same_layout(op: AnyOp, blocks: Blocks) -> list[Matrix] | None:
    """The matrices that must have layout `blocks` if one of the operands of `op` has it; None if `op` needs row-major order."""
    if op.name in _TRANSFERS:
        return [] if _block_rows(op, blocks) is not None else None
    results = [Matrix.of(value) for value, indices in _elementwise(op) if len(indices) == 2]
    return [m for m in results if m is not None] if results and None not in results else None


def apply_layout(matrices: Mapping[Matrix, Blocks]) -> None:
    """Gives all `matrices` the blocked layout, and makes transfers and elementwise operations access the same elements as
    before.
    """
    users = {op: blocks for matrix, blocks in matrices.items() for op in matrix.users()}
    transfers = [(op, _block_rows(op, blocks) or _Part(), blocks) for op, blocks in users.items() if op.name in _TRANSFERS]
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


def _is_plain(kind: ir.Type) -> bool:
    """Whether a memref is contiguous and row-major."""
    if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape:
        return False
    return bool(kind.affine_map == ir.AffineMap.get_identity(kind.rank))


def _elementwise(op: AnyOp) -> list[tuple[Any, tuple[int, ...]]]:
    """The operands of an elementwise operation on matrices, and the dimensions that index each; empty for other operations."""
    buffers: list[tuple[Any, tuple[int, ...]]] = [(v, (0, 1)) for v in op.operands if isinstance(v.type, ir.MemRefType)]
    if op.name in _ANY_RANK or op.name in ELEMENTWISE - _BY_MAPS:
        return buffers
    if op.name != "linalg.generic" or len(op.results) or reductions(op) != [False, False]:
        return []
    if any(o.operation.name == "linalg.index" for o in op.regions[0].blocks[0].operations):
        return []
    places = [tuple(loop_of(e) for e in m.results) for m in indexing_maps(op)]
    are_plain = all(_is_plain(v.type) for v, _ in buffers)
    return list(zip(op.operands, places, strict=True)) if are_plain and {(0, 1), (0,), (1,), ()}.issuperset(places) else []


def _block_rows(transfer: AnyOp, blocks: Blocks) -> _Part | None:
    """The part of a matrix that `transfer` moves; None if it is not a part of rows in whole blocks."""
    offsets, sizes, strides = lists_of(transfer)
    if any(name in transfer.attributes for name in _PADDING):
        return None
    if not sizes and not offsets:
        return _Part()
    if len(offsets) != 2 or len(sizes) != 2:
        return None
    matrix = Matrix.of(memref_of(transfer))
    first_column, columns = constant_of(offsets[1]), constant_of(sizes[1])
    if matrix is None or [constant_of(v) for v in strides] != [matrix.shape[1], 1] or first_column is None or columns is None:
        return None
    if first_column % blocks.columns or columns % blocks.columns or first_column + columns > matrix.shape[1]:
        return None
    return _Part(offsets[0], sizes[0], first_column // blocks.columns, columns // blocks.columns)


def _walk(transfer: AnyOp, part: _Part, blocks: Blocks) -> None:
    """Makes `transfer` access, in row-major order, a part of a matrix with layout `blocks`."""
    columns, below, *_ = memref_of(transfer).type.shape
    if columns == 1 and part.rows is None:
        return

    def index(value: int) -> Any:
        return index_constant(value, transfer.location, ir.InsertionPoint(transfer))

    rows, zero = below * blocks.rows, index(0)
    offsets = [zero if part.first is None else part.first, index(part.first_column), zero]
    sizes = [index(rows) if part.rows is None else part.rows, index(part.columns or columns), index(blocks.columns)]
    strides = [index(blocks.columns), index(rows * blocks.columns), index(1)]
    with_operands(transfer, with_lists(MEMREFS[transfer.name][0], (offsets, sizes, strides)))


def _generalize(op: AnyOp, operands: list[tuple[ir.Value, tuple[int, ...]]], blocks: Blocks) -> None:
    """Makes an elementwise linalg.generic access matrices with layout `blocks`, and operands along one side of them."""
    loops = {0: (1, 2), 1: (0, 3)}  # for rows (0) and columns (1): the loop over blocks, and the loop within a block
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
