"""Describes a linalg.generic on buffers as loops with addresses: each operand's index is a function of the loop variables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from allo_air.core.walking import is_result_of, walk_named
from allo_air.mlir import AnyOp, ir


class NotALoopNest(Exception):
    """An operation cannot be described as a LoopNest, for the reason in the message."""


Form = tuple[tuple[int, ...], int]
"""The index of an operand: its step for each loop, and its start."""


@dataclass(frozen=True)
class Operand:
    """The buffer or scalar `value`. `indices` has an index for each of its dimensions, or one index for the buffer as a row of
    elements.

    In the latter case, `plus` are values from outside, each with a factor, that are added to the index.
    """

    value: Any
    indices: tuple[Form, ...]
    is_output: bool
    plus: tuple[tuple[Any, int], ...] = ()

    @property
    def is_memory(self) -> bool:
        return isinstance(self.value.type, ir.ShapedType)

    @property
    def element(self) -> ir.Type:
        return self.value.type.element_type if self.is_memory else self.value.type

    def depends(self, dim: int) -> bool:
        """Whether the element changes with loop `dim`."""
        return any(factors[dim] for factors, _ in self.indices)

    @property
    def row(self) -> Form:
        """The index in a buffer that is a row of elements."""
        [form] = self.indices
        return form


@dataclass(frozen=True)
class LoopNest:
    """The loops' trip counts, which of them reduce, and the operands in the order of the body's arguments.

    `places[d]` is the loop of the operation's dimension d, None if it has no loop of its own. `ends[d]` is the number of
    iterations of a loop if it is less than its trip count, for which buffers are made.
    """

    op: Any
    sizes: tuple[int, ...]
    reduces: tuple[bool, ...]
    operands: tuple[Operand, ...]
    places: tuple[int | None, ...]
    ends: dict[int, int] = field(default_factory=dict)

    def runs(self, loop: int) -> int:
        """The number of iterations of a loop."""
        return next((end for d, end in self.ends.items() if self.places[d] == loop), self.sizes[loop])

    @property
    def outputs(self) -> tuple[Operand, ...]:
        return tuple(o for o in self.operands if o.is_output)

    @property
    def body(self) -> list[ir.Operation]:
        """The operations of the body without its terminator."""
        return [o.operation for o in self.op.regions[0].blocks[0].operations][:-1]

    @property
    def arguments(self) -> list[ir.Value]:
        return list(self.op.regions[0].blocks[0].arguments)

    @property
    def yielded(self) -> list[ir.Value]:
        return list(list(self.op.regions[0].blocks[0].operations)[-1].operands)


def loop_nest_of(generic: AnyOp) -> LoopNest:
    """The loops of `generic`; raises NotALoopNest if they are not known."""
    maps = [a.value for a in generic.attributes["indexing_maps"]]
    count = len(generic.opview.inputs)
    sizes = _sizes(generic, maps)
    operands = tuple(
        _operand(value, mapping, len(sizes), n >= count)
        for n, (value, mapping) in enumerate(zip(generic.operands, maps, strict=True))
    )
    reduces = tuple("reduction" in str(kind) for kind in generic.attributes["iterator_types"])
    if any(o.is_output and o.depends(d) for o in operands for d, r in enumerate(reduces) if r):
        raise NotALoopNest("it writes a buffer along a loop that reduces into another")
    return LoopNest(generic, sizes, reduces, operands, tuple(range(len(sizes))))


def as_rows(loop_nest: LoopNest) -> LoopNest:
    """Each buffer as one row of elements, in the fewest loops; raises NotALoopNest."""
    return _merged(replace(loop_nest, operands=tuple(_row(o, len(loop_nest.sizes)) for o in loop_nest.operands)))


def _sizes(generic: AnyOp, maps: list[ir.AffineMap]) -> tuple[int, ...]:
    results: dict[int, int] = {}
    for value, mapping in zip(generic.operands, maps, strict=True):
        if not isinstance(value.type, ir.ShapedType):
            continue
        if not isinstance(value.type, ir.MemRefType):
            raise NotALoopNest("it is not on buffers")
        if not value.type.has_static_shape:
            raise NotALoopNest("a buffer's size is not known")
        for expression, size in zip(mapping.results, value.type.shape, strict=True):
            if isinstance(expression, ir.AffineDimExpr):
                results.setdefault(expression.position, size)
    missing = [d for d in range(maps[0].n_dims) if d not in results]
    if missing:
        raise NotALoopNest(f"the trip count of dimension {missing[0]} is not known")
    return tuple(results[d] for d in range(maps[0].n_dims))


def _operand(value: ir.Value, mapping: ir.AffineMap, dims: int, is_output: bool) -> Operand:
    indices = tuple(_linear(e, dims) for e in mapping.results) if isinstance(value.type, ir.MemRefType) else ()
    return Operand(value, indices, is_output)


def _row(operand: Operand, dims: int) -> Operand:
    """The operand with one index into its whole buffer as a row of elements."""
    if not operand.is_memory:
        return replace(operand, indices=(((0,) * dims, 0),))
    is_view = operand.value.type.get_strides_and_offset()[1] == 0
    whole, plus, offset = (operand.value, (), 0) if is_view else _base_and_offset(operand.value)
    kind = whole.type
    shape = list(kind.shape)
    strides, first = kind.get_strides_and_offset()
    rows = [prod(shape[n + 1 :]) for n in range(len(shape))]
    own_strides, _ = operand.value.type.get_strides_and_offset()
    is_row = not first and not any(s != r for s, r, size in zip(strides, rows, shape, strict=True) if size > 1)
    if not is_row or ir.ShapedType.get_dynamic_stride_or_offset() in own_strides:
        raise NotALoopNest("a buffer is not contiguous")
    factors, constant = [0] * dims, offset
    for (own, more), stride in zip(operand.indices, own_strides, strict=True):
        factors = [f + stride * o for f, o in zip(factors, own, strict=True)]
        constant += stride * more
    return replace(operand, value=whole, indices=((tuple(factors), constant),), plus=plus)


def _base_and_offset(value: ir.Value) -> tuple[Any, tuple[tuple[Any, int], ...], int]:
    """The buffer that `value` is a slice of, and the slice's offset in elements: values times factors, plus a constant."""
    plus: list[tuple[Any, int]] = []
    offset = 0
    while is_result_of(value, "memref.subview"):
        owner = value.owner.opview
        source = owner.source
        dynamic = iter(owner.offsets)
        strides, _ = source.type.get_strides_and_offset()
        for offset_of_dim, stride in zip(owner.static_offsets, strides, strict=True):
            if offset_of_dim == ir.ShapedType.get_dynamic_size():
                plus.append((next(dynamic), stride))
            else:
                offset += offset_of_dim * stride
        value = source
    return value, tuple(plus), offset


def _linear(expression: ir.AffineExpr, dims: int) -> Form:
    none = (0,) * dims
    if isinstance(expression, ir.AffineConstantExpr):
        return none, expression.value
    if isinstance(expression, ir.AffineDimExpr):
        return tuple(int(d == expression.position) for d in range(dims)), 0
    if isinstance(expression, ir.AffineAddExpr):
        (a, m), (b, n) = (_linear(e, dims) for e in (expression.lhs, expression.rhs))
        return tuple(x + y for x, y in zip(a, b, strict=True)), m + n
    if isinstance(expression, ir.AffineMulExpr):
        (a, m), (b, n) = (_linear(e, dims) for e in (expression.lhs, expression.rhs))
        if not any(b):
            return tuple(x * n for x in a), m * n
        if not any(a):
            return tuple(x * m for x in b), m * n
    raise NotALoopNest(f"it is indexed by {expression}")


def _merged(loop_nest: LoopNest) -> LoopNest:
    """The loops without those of one iteration, and with adjacent loops merged if every operand walks them as one."""
    indexed_dims = {o.attributes["dim"].value for o in walk_named(loop_nest.op, "linalg.index")} | set(loop_nest.ends)
    for d in reversed(range(len(loop_nest.sizes))):
        if loop_nest.sizes[d] == 1 and d not in indexed_dims:
            loop_nest = _without(loop_nest, d)
    d = 0
    while d + 1 < len(loop_nest.sizes):
        fixed = {loop_nest.places[a] for a in indexed_dims} & {d, d + 1}
        is_merged = all(o.row[0][d] == loop_nest.sizes[d + 1] * o.row[0][d + 1] for o in loop_nest.operands)
        if is_merged and not fixed and loop_nest.reduces[d] == loop_nest.reduces[d + 1]:
            sizes = list(loop_nest.sizes)
            sizes[d + 1] *= sizes[d]
            loop_nest = _without(replace(loop_nest, sizes=tuple(sizes)), d)
        else:
            d += 1
    return loop_nest


def _without(loop_nest: LoopNest, dim: int) -> LoopNest:
    def rest(values: tuple[int, ...]) -> tuple[Any, ...]:
        return (*values[:dim], *values[dim + 1 :])

    places = tuple(None if p is None or p == dim else p - (p > dim) for p in loop_nest.places)
    operands = tuple(replace(o, indices=((rest(o.row[0]), o.row[1]),)) for o in loop_nest.operands)
    return LoopNest(loop_nest.op, rest(loop_nest.sizes), rest(loop_nest.reduces), operands, places, loop_nest.ends)
