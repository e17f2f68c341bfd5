"""Emits the operations of a linalg body on scalars or vectors, with loads and stores of the operands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import clone
from allo_air.core.constants import index_constant
from allo_air.core.walking import is_result_of
from allo_air.mlir import affine, arith, ir, memref, vector
from allo_air.passes._analysis.element_types import element_of
from allo_air.passes._analysis.loop_nest import LoopNest, Operand
from allo_air.passes.kernel._lane_values import splat

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class Mode:
    """How a body is emitted: on vectors of `lanes` lanes along loop `dim`, or on scalars (no lanes). With an `end`, only lanes
    before it are valid.

    With `filled`, so many lanes are loaded and stored element by element, and the other lanes repeat the last of them.
    """

    lanes: int
    dim: int
    end: int = 0
    filled: int = 0

    def spread(self, operand: Operand) -> bool:
        """Whether the operand's elements vary by lane."""
        return bool(self.lanes and operand.is_memory and operand.depends(self.dim))

    def shaped(self, kind: ir.Type) -> ir.Type:
        """The type of a value that has type `kind` for one element."""
        if not self.lanes:
            return kind
        return ir.VectorType.get([self.lanes], ir.IntegerType.get_signless(32) if isinstance(kind, ir.IndexType) else kind)


def view(operand: Operand) -> Any:
    """The buffer, with one dimension for each of its indices."""
    value, rank = operand.value, operand.value.type.rank
    if rank == len(operand.indices):
        return value
    size = 1
    for n in value.type.shape:
        size *= n
    layout = value.type.layout
    if isinstance(layout, ir.StridedLayoutAttr):
        layout = ir.StridedLayoutAttr.get(value.type.get_strides_and_offset()[1], [1])
    else:
        layout = None
    kind = ir.MemRefType.get([size], value.type.element_type, layout, value.type.memory_space)
    if rank == 0:
        return memref.expand_shape(kind, value, [], [], [1])
    return memref.collapse_shape(kind, value, [list(range(rank))])


def address(operand: Operand, ivs: Mapping[int, ir.Value]) -> list[Any]:
    """The index of the operand in the current iteration."""
    return [_index(factors, offset, ivs, operand.plus) for factors, offset in operand.indices]


def _index(factors: tuple[int, ...], offset: int, ivs: Mapping[int, ir.Value], plus: tuple[tuple[ir.Value, int], ...]) -> Any:
    terms = [*((ivs[d], f) for d, f in enumerate(factors) if f), *plus]
    if not terms:
        return index_constant(offset)
    if len(terms) == 1 and terms[0][1] == 1 and not offset:
        return terms[0][0]
    expression: Any = ir.AffineExpr.get_constant(offset)
    for n, (_, factor) in enumerate(terms):
        expression = expression + ir.AffineExpr.get_dim(n) * factor
    return affine.AffineApplyOp(ir.AffineMap.get(len(terms), 0, [expression]), [v for v, _ in terms]).result


def load(operand: Operand, buffer: Any, ivs: Mapping[int, ir.Value], mode: Mode) -> Any:
    """The value of an operand for the body: a vector if lanes differ, else the element."""
    if not operand.is_memory:
        return operand.value
    if mode.spread(operand):
        kind, nothing = mode.shaped(operand.element), splat(operand.element, 0)
        if mode.filled:
            elements = [memref.load(buffer, address(operand, _lane(ivs, mode, n))) for n in range(mode.filled)]
            return vector.from_elements(kind, elements + elements[-1:] * (mode.lanes - mode.filled))
        return vector.transfer_read(kind, buffer, address(operand, ivs), ir.AffineMap.get_identity(1), nothing, [True])
    return memref.load(buffer, address(operand, ivs))


def _lane(ivs: Mapping[int, ir.Value], mode: Mode, lane: int) -> dict[int, ir.Value]:
    """The variables of the loops in a lane."""
    return {**ivs, mode.dim: counter_plus(ivs[mode.dim], lane)}


def counter_plus(counter: ir.Value, by: int) -> Any:
    """The sum of a loop's counter and a number."""
    if not by:
        return counter
    return affine.AffineApplyOp(ir.AffineMap.get(1, 0, [ir.AffineExpr.get_dim(0) + by]), [counter]).result


def store(value: ir.Value, operand: Operand, buffer: ir.Value, ivs: dict[int, ir.Value], mode: Mode) -> None:
    """Stores a result, rounded to the buffer's type. Lanes of the same element are equal, and the first one is stored."""
    if isinstance(value.type, ir.VectorType) and not mode.spread(operand):
        value = vector.extract(value, [], [0])
    if element_of(value.type) != str(operand.element):
        value = arith.truncf(mode.shaped(operand.element) if isinstance(value.type, ir.VectorType) else operand.element, value)
    if mode.spread(operand) and mode.filled:
        for n in range(mode.filled):
            memref.store(vector.extract(value, [], [n]), buffer, address(operand, _lane(ivs, mode, n)))
    elif mode.spread(operand):
        vector.transfer_write(None, value, buffer, address(operand, ivs), ir.AffineMap.get_identity(1), [True])
    else:
        memref.store(value, buffer, address(operand, ivs))


def extended(value: ir.Value, element: ir.Type) -> Any:
    """`value` with elements of the float type `element`, which is at least as wide."""
    if element_of(value.type) == str(element):
        return value
    kind = ir.VectorType.get(value.type.shape, element) if isinstance(value.type, ir.VectorType) else element
    return arith.extf(kind, value)


def body(
    loop_nest: LoopNest,
    mapping: dict[ir.Value, ir.Value],
    ivs: dict[int, ir.Value],
    mode: Mode,
    skip: frozenset[AnyOp] = frozenset(),
) -> dict[Any, Any]:
    """Copies the operations of the body, except those in `skip`, and returns the values of their results. Loop counters in
    lanes are i32.
    """
    mapping = dict(mapping)
    for op in loop_nest.body:
        if op in skip:
            continue
        if op.name == "linalg.index":
            place = loop_nest.places[op.attributes["dim"].value]
            counter = index_constant(0) if place is None else ivs[place]
            mapping[op.results[0]] = counted(counter, mode) if mode.lanes and place == mode.dim else counter
        elif any(isinstance(mapping.get(v, v).type, ir.VectorType) for v in op.operands) or (
            mode.lanes and _compares_counts(op)
        ):
            mapping[op.results[0]] = _vector(op, mapping, mode)
        else:
            clone(op, mapping)
    return mapping


def _compares_counts(op: ir.Operation) -> bool:
    """Whether `op` compares indices. This is done in lanes, since a single bit cannot be broadcast to lanes."""
    return op.name == "arith.cmpi" and isinstance(op.operands[0].type, ir.IndexType)


def counted(first: ir.Value, mode: Mode) -> Any:
    """The numbers `first`, `first` + 1, ... in the lanes."""
    kind = ir.IntegerType.get_signless(32)
    start = broadcast_to_lanes(first, mode)
    lanes = [ir.IntegerAttr.get(kind, n) for n in range(mode.lanes)]
    return arith.addi(start, arith.constant(start.type, ir.DenseElementsAttr.get(lanes, type=start.type)))


def _vector(op: ir.Operation, mapping: dict[ir.Value, ir.Value], mode: Mode) -> Any:
    """`op` on vectors; scalar operands are broadcast."""
    operands = [broadcast_to_lanes(mapping.get(v, v), mode) for v in op.operands]
    if op.name == "arith.index_cast":
        return operands[0]
    attributes = dict(op.attributes.items())
    if op.name == "arith.cmpi" and isinstance(op.operands[0].type, ir.IndexType):
        number = attributes["predicate"].value
        attributes["predicate"] = ir.IntegerAttr.get(attributes["predicate"].type, _SIGNED.get(number, number))
    return ir.Operation.create(op.name, [mode.shaped(op.results[0].type)], operands, attributes).results[0]


_SIGNED = {6: 2, 7: 3, 8: 4, 9: 5}
"""arith.cmpi's unsigned predicates, each with the signed one that is equal for non-negative numbers."""


def broadcast_to_lanes(value: ir.Value, mode: Mode) -> Any:
    """`value` in every lane."""
    if isinstance(value.type, ir.VectorType):
        return value
    if isinstance(value.type, ir.IndexType):
        value = arith.index_cast(ir.IntegerType.get_signless(32), value)
    if is_result_of(value, "arith.constant"):
        kind = mode.shaped(value.type)
        return arith.constant(kind, ir.DenseElementsAttr.get_splat(kind, value.owner.attributes["value"]))
    return vector.broadcast(mode.shaped(value.type), value)
