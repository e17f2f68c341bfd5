"""Recognizes grouped matrix multiplications: a concatenation, along rows, of products of rows of one matrix.

For example, a mixture of two experts with 5 and 3 rows, and weights of 64 x 32:

    %w0 = tensor.extract_slice %w[0, 0, 0] [1, 64, 32]             expert 0
    %x0 = tensor.extract_slice %x[0, 0] [5, 64]                    rows 0 to 4
    %r0 = linalg.matmul ins(%x0, %w0) outs(%zero)                  5 x 32, and an elementwise epilogue
    %r1 = ... %x[5, 0] [3, 64], %w[1, 0, 0]                        3 x 32
    %r = tensor.concat dim(0) %r0, %r1                             8 x 32
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from allo_air.core.walking import defining_op
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._analysis.zeros import is_filled_with_zeros
from allo_air.passes.linalg._indexing import positions
from allo_air.passes.linalg._lift_concats import captured, is_elementwise
from allo_air.passes.linalg._match import NAMES

_RESHAPES = ("tensor.expand_shape", "tensor.collapse_shape")


@dataclass(frozen=True)
class Group:
    """A product of `rows` rows of the matrix `x` with a weight, and its epilogue. The rows begin at row `source_row` of `x`;
    those of the product are written from row `target_row` of the result on.
    """

    matmul: ir.Operation
    x: ir.Value
    source_row: int
    rows: int
    target_row: int
    weight: ir.Value
    """A matrix, or a tensor of several matrices."""
    expert: int | None
    """The number of the matrix in `weight`; None if that is a single matrix."""
    epilogue: tuple[ir.Operation, ...]
    """Elementwise operations with one operand, in order."""
    ops: tuple[ir.Operation, ...]
    """All operations of the group, also slices, constants and reshapes."""

    def blocks(self, size: int) -> Iterator[tuple[int, int]]:
        """The first row of each block of `size` rows: in `x`, and in the result."""
        return ((self.source_row + row, self.target_row + row) for row in range(0, self.rows, size))

    @property
    def signature(self) -> tuple[object, ...]:
        """Equal for groups that one kernel can compute: shape and type of the weight, source, layouts, epilogue."""
        maps = tuple(map(str, indexing_maps(self.matmul)))
        weight = self.weight.type
        matrix = (*list(weight.shape)[-2:], weight.element_type)
        return (matrix, self.x, self.matmul.results[0].type.element_type, maps, *map(body_key, self.epilogue))

    @property
    def is_template(self) -> bool:
        """Whether its epilogue is on matrices, so that blocks can copy it. That of a single row may be on vectors."""
        return all(len(op.results[0].type.shape) == 2 for op in self.epilogue)

    @property
    def k_dimension(self) -> int:
        """The dimension of the weight's matrix that is summed over: 0, or 1 if the weight is transposed."""
        return positions(indexing_maps(self.matmul)[1]).index(2)


def groups_of(concat: ir.Operation) -> list[Group] | None:
    """The groups whose results `concat` concatenates along rows; None if an operand is anything else."""
    if concat.attributes["dim"].value != 0 or len(concat.results[0].type.shape) != 2:
        return None
    target_row, groups = 0, []
    for value in concat.operands:
        group = _group(value, target_row)
        if group is None:
            return None
        groups.append(group)
        target_row += group.rows
    return groups


def _group(value: ir.Value, target_row: int) -> Group | None:
    """The group whose result is `value`; None if a product of rows does not compute it, or an operation has other users."""
    epilogue: list[ir.Operation] = []
    reshapes: list[ir.Operation] = []
    op = _sole_producer(value)
    while op is not None and (
        (is_elementwise(op) and len(op.operands) == 2) or (op.name in _RESHAPES and value.type.shape[0] == 1)
    ):
        (epilogue if op.name == "linalg.generic" else reshapes).insert(0, op)
        op = _sole_producer(op.operands[0])
    if op is None or op.name != NAMES[0] or not _is_plain(op):
        return None
    fill, rows = defining_op(op.operands[2]), _rows_of(op.operands[0])
    if rows is None or not is_filled_with_zeros(op.operands[2]):
        return None
    x, source_row, row_slices = rows
    weight, expert, weight_slices = _weight_of(op.operands[1])
    producers = [defining_op(v) for user in (fill, *epilogue) for v in (*user.operands, *captured(user))]
    constants = [p for p in producers if p is not None and p.name in ("arith.constant", "tensor.empty")]
    ops = (*row_slices, *weight_slices, *constants, fill, op, *reshapes, *epilogue)
    return Group(op, x, source_row, value.type.shape[0], target_row, weight, expert, tuple(epilogue), ops)


def _sole_producer(value: ir.Value) -> ir.Operation | None:
    """The operation that computes a value with a single use."""
    return defining_op(value) if len(list(value.uses)) == 1 else None


def body_key(generic: ir.Operation) -> tuple[object, ...]:
    """A description of an elementwise operation's body that is equal for equal bodies."""
    [block] = generic.regions[0].blocks
    numbering: dict[ir.Value, object] = {a: n for n, a in enumerate(block.arguments)}
    lines: list[object] = [str(generic.results[0].type.element_type)]
    for view in block.operations:
        op = view.operation
        values = [numbering.get(v) if v in numbering else str(v.owner.operation.attributes["value"]) for v in op.operands]
        attributes = [(name.name, str(name.attr)) for name in map(op.attributes.__getitem__, range(len(op.attributes)))]
        numbering |= {r: (len(numbering), n) for n, r in enumerate(op.results)}
        lines.append((op.name, *values, *attributes, *(str(r.type) for r in op.results)))
    return tuple(map(str, lines))


def is_product(op: ir.Operation) -> bool:
    """Whether an operation multiplies rows by a weight."""
    return op.name == NAMES[0] and len(op.results) == 1 and _is_plain(op)


def _is_plain(matmul: ir.Operation) -> bool:
    """Whether A is stored by rows, and B by rows or by columns, without a cast of unsigned operands."""
    a, b, c = (positions(m) if m.is_projected_permutation else [] for m in indexing_maps(matmul))
    return a == [0, 2] and b in ([2, 1], [1, 2]) and c == [0, 1] and "cast" not in matmul.attributes


def _rows_of(value: ir.Value) -> tuple[ir.Value, int, list[ir.Operation]] | None:
    """If `value` is a slice of whole rows of a matrix: the matrix, the first row, and the operations that make the slice."""
    op, reshapes = defining_op(value), []
    if op is not None and op.name == "tensor.expand_shape" and value.type.shape[0] == 1:  # a single row as a vector
        reshapes, op = [op], defining_op(op.operands[0])
    if op is None or op.name != "tensor.extract_slice" or len(op.operands) != 1:
        return None
    source = op.operands[0]
    offsets, sizes = list(op.attributes["static_offsets"]), list(op.attributes["static_sizes"])
    has_whole_rows = len(sizes) == 2 and sizes == [value.type.shape[0], source.type.shape[1]]
    if not has_whole_rows or offsets[1] or offsets[0] < 0 or set(op.attributes["static_strides"]) != {1}:
        return None
    return source, offsets[0], [op, *reshapes]


def _weight_of(value: ir.Value) -> tuple[ir.Value, int | None, list[ir.Operation]]:
    """The tensor that holds a weight, the weight's number if there are several, and the operations that slice it."""
    op = defining_op(value, "tensor.extract_slice")
    if op is None or len(op.operands) != 1:
        return value, None, []
    offsets, sizes = list(op.attributes["static_offsets"]), list(op.attributes["static_sizes"])
    source = op.operands[0]
    if sizes != [1, *list(source.type.shape)[1:]] or len(sizes) != 3 or any(offsets[1:]) or offsets[0] < 0:
        return value, None, []
    return source, offsets[0], [op]
