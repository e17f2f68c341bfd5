"""Evaluates index values for all iterations of the surrounding loops at once, with numpy, and the elements that views
select.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from allo_air.core.affine import IntegerSet, compiled
from allo_air.mlir import ir

DYNAMIC = -(2**63)
Numbers = Any
"""An array with a number for each point (iteration), or one number for all points."""


class Unknown(Exception):
    """Raised if a value is only known at run time."""


@dataclass(frozen=True)
class Points:
    """The iterations of the loops around an operation: for each, the values of the loop variables, the start time, and the
    slot.

    A slot is one execution of an operation whose regions may be skipped.
    """

    values: Mapping[Any, Numbers]
    time: Any
    slot: Any

    @property
    def count(self) -> int:
        return len(self.time)

    def take(self, selection: np.ndarray) -> Points:
        """A selection of the points, by a mask or by numbers, in that order."""
        return Points({v: n[selection] for v, n in self.values.items()}, self.time[selection], self.slot[selection])

    def at(self, delay: int) -> Points:
        """The same points with start times later by `delay`."""
        return replace(self, time=self.time + delay)

    def number(self, value: ir.Value) -> Numbers:
        """The value of an index or integer at each point. Raises Unknown if it depends on run-time data."""
        if value in self.values:
            return self.values[value]
        if isinstance(value, ir.BlockArgument):
            raise Unknown
        op = value.owner.operation if hasattr(value.owner, "operation") else value.owner
        if op.name == "arith.constant":
            attribute = op.attributes["value"]
            if not isinstance(attribute, (ir.IntegerAttr, ir.BoolAttr)):
                raise Unknown
            return np.int64(attribute.value)
        operands = [self.number(o) for o in op.operands] if op.name in (*_COMPUTED, *_AFFINE, "arith.cmpi") else []
        if op.name in _COMPUTED:
            return _COMPUTED[op.name](*operands)
        if op.name in _AFFINE:
            return _AFFINE[op.name](mapped(op.attributes["map"].value, operands))
        if op.name == "arith.cmpi":
            return _compared(int(op.attributes["predicate"]), *operands)
        raise Unknown


def mapped(map_: ir.AffineMap, operands: list[Numbers]) -> list[Numbers]:
    """The results of an affine map."""
    return [np.asarray(n) for n in compiled(map_)(operands)]


def _divided(a: Numbers, b: Numbers) -> Numbers:
    """The quotient, rounded toward zero."""
    if not np.all(b):
        raise Unknown
    return np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))


def _floored(a: Numbers, b: Numbers) -> Numbers:
    if not np.all(b):
        raise Unknown
    return a // b


def bounds(op: ir.Operation, points: Points) -> tuple[Numbers, Numbers, int]:
    """The lower and upper bound of a loop, and its step."""
    operands = list(op.operands)
    if op.name == "affine.for":
        low, high = (op.attributes[f"{end}BoundMap"].value for end in ("lower", "upper"))
        numbers = [points.number(o) for o in operands[: low.n_inputs + high.n_inputs]]
        lows, highs = mapped(low, numbers[: low.n_inputs]), mapped(high, numbers[low.n_inputs :])
        step = int(op.attributes["step"].value)
        return np.maximum.reduce(np.broadcast_arrays(*lows)), np.minimum.reduce(np.broadcast_arrays(*highs)), step
    low, high, step = (points.number(o) for o in operands[:3])
    if np.ndim(step) or step < 1:
        raise Unknown
    return low, high, int(step)


def condition(op: ir.Operation, points: Points) -> Numbers:
    """Whether the condition of an `if` is true at each point."""
    if op.name == "scf.if":
        return np.asarray(points.number(op.operands[0])).astype(bool)
    result = IntegerSet.of(op.attributes["condition"])
    numbers = [points.number(o) for o in op.operands]
    map_ = ir.AffineMap.get(result.dims, result.symbols, [c.expression for c in result.constraints])
    sides = mapped(map_, numbers)
    satisfied = [n == 0 if c.is_equality else n >= 0 for n, c in zip(sides, result.constraints, strict=True)]
    return np.logical_and.reduce(np.broadcast_arrays(*satisfied))


def _compared(predicate: int, a: Numbers, b: Numbers) -> Numbers:
    """A predicate of arith.cmpi; unsigned predicates equal the signed ones if no number is negative."""
    unsigned = predicate >= len(_PREDICATES)
    if unsigned and (np.any(a < 0) or np.any(b < 0)):
        raise Unknown
    return _PREDICATES[predicate - 4 if unsigned else predicate](a, b)


_COMPUTED: dict[str, Callable[..., Numbers]] = {
    "arith.index_cast": lambda a: a,
    "arith.extsi": lambda a: a,
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.divsi": _divided,
    "arith.remsi": lambda a, b: a - b * _divided(a, b),
    "arith.floordivsi": _floored,
    "arith.ceildivsi": lambda a, b: -_floored(-a, b),
    "arith.select": lambda c, a, b: np.where(np.asarray(c).astype(bool), a, b),
}
_AFFINE: dict[str, Callable[[list[Numbers]], Numbers]] = {
    "affine.apply": lambda item: item[0],
    "affine.max": lambda item: np.maximum.reduce(np.broadcast_arrays(*item)),
    "affine.min": lambda item: np.minimum.reduce(np.broadcast_arrays(*item)),
}
_PREDICATES: tuple[Callable[..., Numbers], ...] = (
    np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal,
)  # fmt: skip
"""The predicates of arith.cmpi by number: signed ones, followed by the four unsigned ones."""


@dataclass(frozen=True)
class View:
    """The elements of a buffer that a value views: at each point from `offset` on, with a stride per dimension."""

    offset: Numbers
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @classmethod
    def whole(cls, kind: ir.Type) -> View:
        """The view of a whole contiguous buffer."""
        shape = tuple(ir.MemRefType(kind).shape)
        return cls(np.int64(0), shape, _row_major(shape))

    @property
    def size(self) -> int:
        return prod(self.shape)

    def elements(self, count: int) -> Any:
        """The numbers of the view's elements, in a row for each of `count` points."""
        inside = np.zeros(1, np.int64)
        for size, stride in zip(self.shape, self.strides, strict=True):
            inside = (inside[:, None] + np.arange(size, dtype=np.int64) * stride).ravel()
        return np.broadcast_to(np.asarray(self.offset).reshape(-1, 1), (count, 1)) + inside

    def element(self, indices: list[Numbers], count: int) -> Any:
        """The number of the element with these subscripts at each of `count` points, which is one row each."""
        for index, size in zip(indices, self.shape, strict=True):
            if np.any(index < 0) or np.any(index >= size):
                raise Unknown
        result = self.offset + sum(i * s for i, s in zip(indices, self.strides, strict=True))
        return np.broadcast_to(np.asarray(result).reshape(-1, 1), (count, 1))

    def through(self, op: ir.Operation, points: Points) -> View:
        """The result of a view operation on this view."""
        shape = tuple(ir.MemRefType(op.results[0].type).shape)
        if op.name == "memref.subview":
            return self._sub(op, points, shape)
        if op.name == "memref.reinterpret_cast" or self.strides != _row_major(self.shape) or any(s < 0 for s in shape):
            raise Unknown
        return View(self.offset, shape, _row_major(shape))

    def _sub(self, op: ir.Operation, points: Points, shape: tuple[int, ...]) -> View:
        dynamic = iter(list(op.operands)[1:])
        offsets, sizes, steps = (
            [points.number(next(dynamic)) if n == DYNAMIC else np.int64(n) for n in op.attributes[f"static_{name}"]]
            for name in ("offsets", "sizes", "strides")
        )
        if any(np.ndim(n) for n in (*sizes, *steps)):
            raise Unknown
        for offset, size, step, whole in zip(offsets, sizes, steps, self.shape, strict=True):
            if np.any(offset < 0) or np.any(offset + (size - 1) * step >= whole):
                raise Unknown
        origin = self.offset + sum(o * s for o, s in zip(offsets, self.strides, strict=True))
        remaining, strides = list(shape), []
        for size, step, stride in zip(sizes, steps, self.strides, strict=True):
            if remaining and remaining[0] == size:
                remaining.pop(0)
                strides.append(int(step * stride))
        return View(origin, shape, tuple(strides))


def _row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(prod(shape[i + 1 :]) for i in range(len(shape)))
