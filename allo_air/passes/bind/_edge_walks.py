"""Describes a transfer by the dimensions of its array, and finds its valid part if a block extends over the array's end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

from allo_air.access.dims import row_major
from allo_air.access.linear import ZERO, Linear
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.dialects.operands import lists_of, with_lists
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.operands import with_operands


@dataclass(frozen=True)
class Step:
    """A dimension of an access list, which moves within dimension `dim` of the array."""

    dim: int
    size: int
    stride: int
    offset: Linear
    """The offset in strides, computed from operands."""
    value: ir.Value | None = None
    """The operand with the offset, if it is not a constant."""


@dataclass(frozen=True)
class Walk:
    """The access lists of `field` of `op`."""

    op: ir.Operation
    field: str
    strides: tuple[int, ...]
    """The strides of the array, which is dense."""
    steps: tuple[Step, ...]

    def places(self, dim: int) -> list[int]:
        """The numbers of the steps that move within dimension `dim`."""
        return [n for n, s in enumerate(self.steps) if s.dim == dim]

    def offset_in(self, dim: int) -> Linear:
        """The start of the walk in dimension `dim`, in units of its stride."""
        offset = Linear(0)
        for n in self.places(dim):
            offset += self.steps[n].offset.scaled(self.steps[n].stride // self.strides[dim])
        return offset

    def rebuilt(self, steps: list[Step], pads: list[int] | None = None) -> ir.Operation:
        """Replaces the transfer by the same along `steps`, padded with zeros as `pads` says."""
        indices = Indices()
        offsets = [s.value if s.value is not None else indices.value(s.offset, self.op) for s in steps]
        sizes = [indices.constant(s.size, self.op) for s in steps]
        strides = [indices.constant(s.stride, self.op) for s in steps]
        op = with_operands(self.op, with_lists(self.field, (offsets, sizes, strides)))
        if pads is not None and any(pads):
            op.attributes["pad_before"] = ir.DenseI32ArrayAttr.get([0] * len(pads), op.context)
            op.attributes["pad_after"] = ir.DenseI32ArrayAttr.get(pads, op.context)
        return op


def walk_of(op: ir.Operation, field: str, values: IndexValues) -> Walk:
    """The walk of `op` over its memref in `field`. Each dimension of the walk stays within one dimension of the array."""
    memref = getattr(op.opview, field)
    kind = memref.type
    if isinstance(kind, ir.UnrankedMemRefType):
        return _flat_walk(op, field, values)
    if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape or str(kind.layout).count("strided"):
        raise _unsupported(op, f"{kind} is not a dense array of constant shape")
    shape, strides = tuple(kind.shape), row_major(tuple(kind.shape))
    offsets, sizes, steps_given = lists_of(op, field)
    if not sizes:
        whole = [Step(d, n, s, ZERO) for d, (n, s) in enumerate(zip(shape, strides, strict=True))]
        return Walk(op, field, strides, tuple(whole))
    steps: list[Step] = []
    rest = 0
    for value, size, stride in zip([None] * (len(sizes) - len(offsets)) + list(offsets), sizes, steps_given, strict=True):
        count, step = constant_of(size), constant_of(stride)
        if count is None or step is None:
            raise _unsupported(op, "it has a size or a stride that is not constant")
        offset = ZERO if value is None else values.value(value)
        if offset.is_constant:
            rest += offset.constant * step
            steps += _cut(op, count, step, shape, strides)
        else:
            dim = _dim_of(op, step, strides)
            steps.append(Step(dim, count, step, offset, value))
    return Walk(op, field, strides, tuple(_with_start(op, steps, rest, strides)))


def _flat_walk(op: ir.Operation, field: str, values: IndexValues) -> Walk:
    """The walk over an unranked array: the strides of its access list define the dimensions, and the offset is split among
    them.
    """
    offsets, sizes, value = lists_of(op, field)
    strides = [constant_of(s) for s in value]
    counts = [constant_of(s) for s in sizes]
    if None in counts or not all(strides):
        raise _unsupported(op, "it has a size or a stride that is not constant, or 0")
    start = Linear(0)
    for offset, stride in zip(offsets, strides[len(strides) - len(offsets) :], strict=True):
        start += values.value(offset).scaled(stride or 0)
    dims = tuple(sorted({s for s in strides if s}, reverse=True))
    if dims[-1] != 1:
        dims = (*dims, 1)
    parts = [Linear(0)] * len(dims)
    for linear in (Linear(start.constant), *(Linear(0, (term,)) for term in start.terms)):
        factor = linear.terms[0][1] if linear.terms else linear.constant
        dim = next(d for d, s in enumerate(dims) if factor % s == 0)
        parts[dim] += Linear(linear.constant // dims[dim], tuple((v, f // dims[dim]) for v, f in linear.terms))
    steps: list[Step] = []
    for count, stride in zip(counts, strides, strict=True):
        dim = dims.index(stride or 1)
        steps.append(Step(dim, count or 1, stride or 1, parts[dim]))
        parts[dim] = ZERO
    if not parts[-1].is_(0):
        raise _unsupported(op, "it starts within the innermost of its strides")
    return Walk(op, field, dims, tuple(steps))


def _cut(op: ir.Operation, count: int, step: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> list[Step]:
    """Splits a dimension of an access list where it crosses from one dimension of the array into the next outer one."""
    if not step or count == 1:
        return [Step(_dim_of(op, step, strides) if step else len(strides) - 1, count, step, ZERO)]
    dim = _dim_of(op, step, strides)
    inside = strides[dim] * shape[dim] // step
    if not dim or count <= inside:
        return [Step(dim, count, step, ZERO)]
    if strides[dim] * shape[dim] % step or count % inside:
        raise _unsupported(
            op, f"its dimension of {counted(count, 'step')} of {step} does not end at the end of a row of the array"
        )
    return [*_cut(op, count // inside, step * inside, shape, strides), Step(dim, inside, step, ZERO)]


def _dim_of(op: ir.Operation, step: int, strides: tuple[int, ...]) -> int:
    dim = next((d for d, s in enumerate(strides) if s <= step), None)
    if dim is None or step % strides[dim]:
        raise _unsupported(op, f"its stride {step} is not along a dimension of the array")
    return dim


def _with_start(op: ir.Operation, steps: list[Step], start: int, strides: tuple[int, ...]) -> list[Step]:
    """`steps` with start element `start`, split among the dimensions of the array."""
    for dim, stride in enumerate(strides):
        part, start = start // stride * stride, start % stride
        if not part:
            continue
        index = next(
            (n for n, s in enumerate(steps) if s.dim == dim and s.stride and part % s.stride == 0 and s.value is None), None
        )
        if index is None:
            inner = next((n for n, s in enumerate(steps) if s.dim > dim), len(steps))
            steps.insert(inner, Step(dim, 1, stride, Linear(part // stride)))
        else:
            steps[index] = replace(steps[index], offset=Linear(part // steps[index].stride))
    return steps


def shortened(walk: Walk, dim: int, real: int) -> tuple[list[Step], list[int]]:
    """The steps of `walk` with only `real` elements in dimension `dim` (at least one), and the number of elements that each
    step omits.
    """
    steps, remainders = list(walk.steps), [0] * len(walk.steps)
    places = [n for n in walk.places(dim) if steps[n].size > 1]
    total = prod(steps[n].size for n in places)
    if real >= total:
        return steps, remainders
    if real <= 0:
        for n in walk.places(dim):
            steps[n] = replace(steps[n], offset=ZERO, value=None)
    real = max(real, 1)
    for n in places:
        inner = prod(steps[m].size for m in places if m > n)
        size = steps[n].size
        if real % inner and real > inner:
            raise _unsupported(
                walk.op, f"{real} of {total} elements are inside, which is not a multiple of its rows of {inner}"
            )
        count = max(real // inner, 1)
        real = min(real, inner)
        steps[n], remainders[n] = replace(steps[n], size=count), size - count
    return steps, remainders


def _unsupported(op: ir.Operation, why: str) -> Any:
    return error_at(
        op,
        f"moves a block that overhangs its array, and cannot be cut to the part that is inside: {why};"
        " pad the array to whole blocks on the host (pad-overhanging-blocks) and drop air.actual_sizes",
    )
