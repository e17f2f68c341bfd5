"""Movements of elements between kernels as a sequence of steps: reshapes, crops, padding and packed layouts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from allo_air.access.layout import Layout
from allo_air.core.walking import is_result_of
from allo_air.mlir import ir
from allo_air.passes._analysis.zeros import is_zero
from allo_air.passes._ir.packing import layout_of

_RESHAPES = ("tensor.expand_shape", "tensor.collapse_shape", "tensor.cast")
_NONE = Layout(())


@dataclass(frozen=True)
class Step:
    """One step of a movement.

    `reshape` to `shape`; `cut` to the leading corner of `shape`; `grow` to `shape`, with zeros if `zeros`, else with undefined
    elements; or `pack` by `layout`.
    """

    kind: Literal["reshape", "cut", "grow", "pack"]
    shape: tuple[int, ...]
    zeros: bool = False
    layout: Layout = _NONE

    def copies(self, before: Sequence[int]) -> bool:
        """Whether the step packs a tensor of shape `before` without adding elements."""
        return self.kind == "pack" and self.layout.stays_inside(before, self.shape)

    def as_packing(self) -> Step:
        """The step as a packing: growing adds zeros; a cut can be expressed as a packing, too."""
        return self if self.kind in ("pack", "reshape") else Step("pack", self.shape, layout=Layout.identity(len(self.shape)))


@dataclass(frozen=True)
class Movement:
    """The `steps` that make a value from `source`; `ops` are the operations that perform them, in order, unless steps cancel
    others.
    """

    source: Any
    steps: tuple[Step, ...]
    ops: tuple[Any, ...]

    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes before the first step and after each step."""
        return [tuple(self.source.type.shape), *(s.shape for s in self.steps)]

    def without_view(self) -> tuple[Movement, tuple[int, ...]]:
        """The movement without its final reshapes, and the shape before them."""
        count = len(self.steps)
        while count and self.steps[count - 1].kind == "reshape":
            count -= 1
        return (Movement(self.source, self.steps[:count], ()), self.shapes()[count])

    @property
    def is_free(self) -> bool:
        """Whether it only reshapes the source."""
        return all(s.kind == "reshape" for s in self.steps)

    @property
    def is_prefix(self) -> bool:
        """Whether all steps keep the order of elements and only shorten or extend the end of a row-major buffer.

        Not if zeros follow a cut: there, the producer of the source would write other elements.
        """
        return (not self.zeros or self.prefix() == math.prod(self.source.type.shape)) and all(
            s.kind == "reshape"
            or (s.kind != "pack" and is_prefix(*((s.shape, before) if s.kind == "cut" else (before, s.shape))))
            for before, s in zip(self.shapes(), self.steps, strict=False)
        )

    @property
    def zeros(self) -> bool:
        """Whether the elements that it adds must be zero."""
        return any(s.zeros for s in self.steps)

    def within(self, columns: int) -> Movement:
        """The movement without cuts and padding in the last dimension, for a source that is zero from column `columns` on.

        The result has no `ops`. A movement that keeps fewer columns, or whose result has another number of them, is returned
        unchanged.
        """
        shapes = self.shapes()
        last = shapes[0][-1:]
        fewest = min((s[-1] for s in shapes if s), default=0)
        if any(s.kind == "reshape" for s in self.steps) or shapes[-1][-1:] != last or fewest < columns:
            return self
        wide = [(before, replace(s, shape=(*s.shape[:-1], *last))) for before, s in zip(shapes, self.steps, strict=False)]
        return Movement(self.source, tuple(s for before, s in wide if s.shape[:-1] != before[:-1]), ())

    def without(self, dim: int) -> Movement:
        """The movement without its steps in dimension `dim`. It must have no reshapes and packings."""
        extent = self.source.type.shape[dim]
        wide = [replace(s, shape=(*s.shape[:dim], extent, *s.shape[dim + 1 :])) for s in self.steps]
        before = [tuple(self.source.type.shape), *(s.shape for s in wide)]
        return Movement(self.source, tuple(s for b, s in zip(before, wide, strict=False) if b != s.shape), ())

    def zero_dims(self) -> list[int]:
        """The dimensions that grow by zeros, for a movement without reshapes."""
        grown = [(b, s.shape) for b, s in zip(self.shapes(), self.steps, strict=False) if s.zeros]
        return sorted({d for before, after in grown for d in range(len(before)) if before[d] != after[d]})

    def prefix(self) -> int:
        """For a movement that `is_prefix`: the number of leading elements of the source in the result."""
        return min(math.prod(s) for s in self.shapes())

    def packed(self) -> tuple[tuple[int, ...], Layout] | None:
        """The shape in which the source is packed, and the layout, if there are only reshapes and packings; otherwise None."""
        shapes, first = self.shapes(), 0
        while first < len(self.steps) and self.steps[first].kind == "reshape":
            first += 1
        steps = [s.as_packing() for s in self.steps[first:]]
        if all(s.kind != "pack" for s in self.steps) or any(s.kind != "pack" for s in steps):
            return None
        anything = [s.kind == "grow" and not s.zeros for s in self.steps[first:]]
        if not all(anything[n - first] or s.copies(shapes[n]) for n, s in enumerate(steps[1:], first + 1)):
            return None
        return shapes[first], layout_through(steps, len(shapes[first]))

    def packed_rows(self) -> tuple[tuple[int, ...], Layout, tuple[int, ...], Movement] | None:
        """For a source that is packed, reshaped and extended by undefined elements at its end: the packing; None for other
        movements.

        Returns the shape that is packed, the layout, the shape with as many whole rows of that length, and the remaining cut.
        """
        first = next((n for n, s in enumerate(self.steps) if s.kind != "reshape"), len(self.steps))
        kinds = [s.kind for s in self.steps[first:]]
        if kinds[:3] != ["pack", "reshape", "grow"] or set(kinds[3:]) - {"reshape"}:
            return None
        pack, short, longer = self.steps[first : first + 3]
        if longer.zeros or not is_prefix(short.shape, longer.shape):
            return None
        ones = next((n for n, size in enumerate(pack.shape) if size > 1), 0)
        count, row = math.prod(longer.shape), math.prod(pack.shape[ones + 1 :])
        rows = (*pack.shape[:ones], -(-count // row), *pack.shape[ones + 1 :])
        flat = (Step("reshape", (math.prod(rows),)), Step("cut", (count,)), Step("reshape", longer.shape))
        rest = (*flat[: 2 if longer.shape == (count,) else 3], *self.steps[first + 3 :])
        return self.shapes()[first], pack.layout, rows, Movement(self.source, rest, ())

    def unpacked(self) -> Layout | None:
        """The layout of the source from which the value is unpacked: dimensions permuted and merged, corners cut; otherwise
        None.
        """
        sizes = list(self.source.type.shape)
        rows = [list(row) for row in Layout.identity(len(sizes)).rows]
        for before, step in zip(self.shapes(), self.steps, strict=False):
            order = step.layout.permutation if step.kind == "pack" else None
            if order is not None:
                rows = [rows[order.index(d)] for d in range(len(order))]
            elif step.kind == "reshape":
                groups = _merged(before, step.shape)
                if groups is None:
                    return None
                none = [0] * len(rows[0])  # for a dimension of extent 1 without dimensions of its own
                rows = [_from_digits([(rows[d], before[d]) for d in group]) if group else none for group in groups]
            elif step.kind != "cut":
                return None
        return Layout.of(rows)

    def padded_view(self) -> tuple[int, ...] | None:
        """The shape of the source as the leading corner of `grown()`; None for other movements."""
        return self._corner([*self.steps], ("reshape", "grow"))

    def cut_view(self) -> tuple[int, ...] | None:
        """The leading corner of the reshaped source that the result has; None for other movements."""
        return self._corner([*reversed(self.steps)], ("reshape", "cut"))

    def _corner(self, steps: list[Step], allowed: tuple[str, str]) -> tuple[int, ...] | None:
        while steps and steps[-1].kind == "reshape" and any(s.kind != "reshape" for s in steps):
            steps = steps[:-1]
        kinds = [s.kind for s in steps]
        first = next((n for n, kind in enumerate(kinds) if kind != "reshape"), len(kinds))
        if any(kind not in allowed for kind in kinds) or "reshape" in kinds[first:]:
            return None
        shapes = self.shapes()
        return shapes[first] if allowed[1] == "grow" else shapes[len(self.steps) - first]

    def shape_before_reshapes(self) -> tuple[int, ...]:
        """The shape before the final reshapes."""
        last = max((n for n, s in enumerate(self.steps) if s.kind != "reshape"), default=len(self.steps) - 1)
        return self.shapes()[last + 1]


def movement(value: ir.Value) -> Movement:
    """The movement that makes `value`, through all operations that only move elements."""
    steps, ops = list[Step](), list[Any]()
    while not isinstance(value, ir.BlockArgument):
        op = value.owner.operation
        result = _steps(op)
        if not result:
            break
        ops.insert(0, op)
        value = op.operands[0]
        shapes = [tuple(value.type.shape), *(s.shape for s in result)]
        steps = [s for s, before in zip(result, shapes, strict=False) if s.shape != before or s.kind == "pack"] + steps
    short_steps = _without_returns(tuple(value.type.shape), steps)
    return Movement(value, tuple(short_steps), tuple(ops) if short_steps == steps else ())


def _without_returns(shape: tuple[int, ...], steps: list[Step]) -> list[Step]:
    """`steps` without cuts after which the shape grows back by undefined elements."""
    kept_steps: list[Step] = []
    for step in steps:
        before = [shape, *(s.shape for s in kept_steps)]
        if kept_steps and kept_steps[-1].kind == "cut" and step.kind == "grow" and not step.zeros and step.shape == before[-2]:
            kept_steps.pop()
        else:
            kept_steps.append(step)
    return kept_steps


def only_moves(op: ir.Operation) -> bool:
    """Whether `op` can be part of a movement."""
    return bool(_steps(op))


def _steps(op: ir.Operation) -> list[Step]:
    """The steps of `op` on its first operand; empty if `op` is not a movement."""
    shape = tuple(op.results[0].type.shape) if op.results else ()
    if op.name in _RESHAPES:
        return [Step("reshape", shape)]
    if op.name == "tensor.extract_slice" and _at_corner(op):
        return [Step("cut", tuple(op.attributes["static_sizes"])), Step("reshape", shape)]
    if op.name == "tensor.insert_slice" and _at_corner(op) and (_is_empty(op.operands[1]) or is_zero(op.operands[1])):
        zeros = not _is_empty(op.operands[1])
        return [Step("reshape", tuple(op.attributes["static_sizes"])), Step("grow", shape, zeros)]
    if op.name == "tensor.pad" and set(op.attributes["static_low"]) <= {0} and len(op.operands) == 1 and _pads_zeros(op):
        return [Step("grow", shape, zeros=True)]
    layout = layout_of(op)
    return [] if layout is None else [Step("pack", shape, layout=layout)]


def layout_through(steps: Sequence[Step], rank: int) -> Layout:
    """The layout of several packings in sequence. Only the first one may add elements."""
    layout = Layout.identity(rank)
    for number, step in enumerate(steps):
        layout = layout.then(step.layout) if number else step.layout
    return layout


def _merged(long: Sequence[int], short: Sequence[int]) -> list[list[int]] | None:
    """The adjacent dimensions of shape `long` that form each dimension of `short`; None if there is no such grouping."""
    groups, dim = [], 0
    for size in short:
        group: list[int] = []
        while dim < len(long) and (not group or math.prod(long[d] for d in group) < size or long[dim] == 1):
            group.append(dim)
            dim += 1
        if math.prod(long[d] for d in group) != size:
            return None
        groups.append(group)
    return groups if dim == len(long) else None


def _from_digits(digits: list[tuple[list[int], int]]) -> list[int]:
    """The number with these mixed-radix digits, the last one the least significant."""
    results = [0] * len(digits[0][0])
    for row, base in digits:
        results = [f * base + r for f, r in zip(results, row, strict=True)]
    return results


def _is_empty(value: ir.Value) -> bool:
    return is_result_of(value, "tensor.empty", "bufferization.alloc_tensor")


def _at_corner(op: ir.Operation) -> bool:
    """Whether a slice starts at the first element, is contiguous, and has static sizes."""
    sources = 1 if op.name == "tensor.extract_slice" else 2
    return (
        len(op.operands) == sources
        and set(op.attributes["static_offsets"]) <= {0}
        and set(op.attributes["static_strides"]) <= {1}
    )


def _pads_zeros(op: ir.Operation) -> bool:
    [block] = op.regions[0].blocks
    return is_zero(block.operations[-1].operands[0])


def is_prefix(inner: Sequence[int], outer: Sequence[int]) -> bool:
    """Whether the corner of shape `inner` is the front of a row-major buffer of shape `outer`."""
    last = max((n for n, (i, o) in enumerate(zip(inner, outer, strict=True)) if i != o), default=0)
    return all(size == 1 for size in inner[:last])
