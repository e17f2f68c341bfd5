"""The part of a tensor that one iteration of a loop uses, as a box that moves with the loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.walking import parents
from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, ir
from allo_air.scheduling.loops import Loop
from allo_air.scheduling.subscripts import Access, Subscript, Sum, bounds, is_inner

_CONDITIONS = ("scf.if", "affine.if", "scf.while")


@dataclass(frozen=True)
class Side:
    """One dimension of a box: `extent` elements from `base` on. The base is a sum of the loop's variable and those of outer
    loops.
    """

    base: Any
    """A Sum; or the Subscript itself if it is not a plain sum and varies only with outer loops."""
    extent: int
    has_whole_dimension: bool = False
    """Whether the box has the whole dimension, since the subscript is not a plain sum."""

    def stride(self, variable: ir.Value) -> int:
        """The distance by which the box moves when the variable increases by 1."""
        return self.base.terms.get(variable, 0) if isinstance(self.base, Sum) else 0

    def inside(self, subscript: Subscript) -> Any:
        """`subscript` relative to the box."""
        if self.has_whole_dimension:
            return subscript
        assert subscript.terms is not None, "only sums have a box of their own"
        negated = {v: -f for v, f in self.base.terms.items()}
        return Sum(dict(subscript.terms), subscript.constant).plus(negated, -self.base.constant)


def box(tensor: ir.Value, name: str, accesses: Sequence[Access], loop: Loop) -> list[Side]:
    """The box of the elements that `accesses`, in the body of `loop`, touch in one iteration."""
    shape = ir.MemRefType(tensor.type).shape
    sides = [_side([a.subscripts[d] for a in accesses], size, name, loop) for d, size in enumerate(shape)]
    if any(_conditional(a.op, loop) for a in accesses):
        for side, size in zip(sides, shape, strict=True):
            _stays_inside(side, size, name)
    return sides


def _side(subscripts: list[Subscript], size: int, name: str, loop: Loop) -> Side:
    if any(s.terms is None for s in subscripts):
        return _whole_side(subscripts, size, name, loop)
    outer, ranges = [], []
    for each in subscripts:
        assert each.terms is not None
        inner = {v: f for v, f in each.terms.items() if is_inner(v, loop.op)}
        outer.append({v: f for v, f in each.terms.items() if v not in inner})
        range_ = bounds(inner, each.constant)
        if range_ is None:
            raise AlloAirError(f"how far loop '{loop.name}' reaches into tensor '{name}' is not known: a loop's bounds vary")
        ranges.append(range_)
    if any(o != outer[0] for o in outer):
        raise AlloAirError(f"the body of loop '{loop.name}' uses several parts of tensor '{name}'")
    low, high = min(r[0] for r in ranges), max(r[1] for r in ranges)
    return Side(Sum(outer[0], low), high - low + 1)


def _whole_side(subscripts: list[Subscript], size: int, name: str, loop: Loop) -> Side:
    if not any(is_inner(v, loop.op) for s in subscripts for v in s.used()):
        if all(s == subscripts[0] for s in subscripts):
            return Side(subscripts[0], 1)
        raise AlloAirError(f"the body of loop '{loop.name}' uses several parts of tensor '{name}'")
    return Side(Sum({}), size, has_whole_dimension=True)


def _conditional(op: AnyOp, loop: Loop) -> bool:
    for parent in parents(op):
        if parent == loop.op:
            return False
        if parent.name in _CONDITIONS:
            return True
    return False


def _stays_inside(side: Side, size: int, name: str) -> None:
    range_ = bounds(side.base.terms, side.base.constant) if isinstance(side.base, Sum) else None
    if range_ is None or range_[0] < 0 or range_[1] + side.extent > size:
        raise AlloAirError(
            f"tensor '{name}' is used under a condition, and the part for a whole iteration may lie outside of it"
        )
