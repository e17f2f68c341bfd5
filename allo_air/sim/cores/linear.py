"""Index values as linear forms of loop variables, and as intervals of constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.walking import defining_op
from allo_air.mlir import ir

Interval = tuple[int, int]
"""The smallest and the largest value, both included."""


@dataclass(frozen=True)
class Linear:
    """`constant` + sum of coefficient * value over `terms` (loop variables) and `invariants` (values from outside the nest)."""

    constant: int = 0
    terms: tuple[tuple[Any, int], ...] = ()
    invariants: tuple[tuple[Any, int], ...] = ()

    def plus(self, other: Linear) -> Linear:
        """The sum of both."""
        return Linear(self.constant + other.constant, _sum(self.terms, other.terms), _sum(self.invariants, other.invariants))

    def times(self, factor: int) -> Linear:
        """This form multiplied by a constant."""
        scaled = [tuple((v, c * factor) for v, c in part if c * factor) for part in (self.terms, self.invariants)]
        return Linear(self.constant * factor, scaled[0], scaled[1])


def _sum(a: tuple[tuple[ir.Value, int], ...], b: tuple[tuple[ir.Value, int], ...]) -> tuple[tuple[Any, int], ...]:
    total = dict(a)
    for value, coefficient in b:
        total[value] = total.get(value, 0) + coefficient
    return tuple((v, c) for v, c in total.items() if c)


def loop_of(value: Any) -> Any:
    """The `scf.for` with the induction variable `value`; None for another value."""
    owner = value.owner
    if not isinstance(owner, ir.Block):
        return None
    loop = owner.owner.operation
    return loop if loop.name == "scf.for" and value.arg_number == 0 else None


def linear(value: ir.Value, inside: set[ir.Value]) -> Linear | None:
    """`value` as a linear form; None if it is not linear. `inside` has the values that the nest defines."""
    number = constant_of(value)
    if number is not None:
        return Linear(number)
    if value not in inside:
        return Linear(invariants=((value, 1),))
    if loop_of(value) is not None:
        return Linear(terms=((value, 1),))
    op = defining_op(value)
    if op is None:
        return None
    match op.name:
        case "arith.index_cast":
            return linear(op.operands[0], inside)
        case "arith.addi" | "arith.subi" | "arith.muli":
            a, b = (linear(v, inside) for v in op.operands)
            if a is None or b is None:
                return None
            if op.name == "arith.muli":
                if b.terms or b.invariants:
                    a, b = b, a
                return None if b.terms or b.invariants else a.times(b.constant)
            return a.plus(b.times(-1 if op.name == "arith.subi" else 1))
    return None


def interval(value: ir.Value, depth: int = 12) -> Interval | None:
    """Bounds of `value` that hold wherever it is defined; None if none are known."""
    number = constant_of(value)
    if number is not None:
        return number, number
    if depth == 0:
        return None
    if (loop := loop_of(value)) is not None:
        return _of_loop(loop, depth - 1)
    op = defining_op(value)
    if op is None:
        return None
    rule = _INTERVALS.get(op.name)
    parts = [interval(v, depth - 1) for v in op.operands] if rule or op.name in _OF_ONE else []
    if rule and all(parts):
        return rule(*parts)
    return _OF_ONE[op.name](op, parts) if op.name in _OF_ONE else None


def _of_loop(loop: ir.Operation, depth: int) -> Interval | None:
    lower, upper, step = (interval(v, depth) for v in list(loop.operands)[:3])
    if lower is None or upper is None:
        return None
    last = upper[1] - 1
    if step is not None and step[0] == step[1] > 0 and lower[0] == lower[1]:
        last = lower[0] + (max(last - lower[0], 0) // step[0]) * step[0]
    return lower[0], max(last, lower[0])


def _product(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _width(value: ir.Value) -> int:
    return 64 if isinstance(value.type, ir.IndexType) else int(value.type.width)


def _remainder(op: ir.Operation, parts: list[Interval | None]) -> Interval | None:
    a, b = parts
    if b is None or b[0] <= 0:
        return None
    if op.name == "arith.remsi" and (a is None or a[0] < 0):
        return -(b[1] - 1), b[1] - 1
    return 0, b[1] - 1


def _mask(op: ir.Operation, parts: list[Interval | None]) -> Interval | None:
    multiples = [p[1] for p in parts if p is not None and p[0] >= 0]
    return (0, min(multiples)) if multiples else None


def _widened(op: ir.Operation, parts: list[Interval | None]) -> Interval | None:
    if parts[0] is not None and parts[0][0] >= 0:
        return parts[0]
    return 0, (1 << _width(op.operands[0])) - 1


def _select(op: ir.Operation, parts: list[Interval | None]) -> Interval | None:
    a, b = parts[1], parts[2]
    return None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1]))


def _cast(op: ir.Operation, parts: list[Interval | None]) -> Interval | None:
    if parts[0] is not None:
        half = 1 << (min(_width(op.operands[0]), _width(op.results[0])) - 1)
        return parts[0] if -half <= parts[0][0] and parts[0][1] < half else None
    width = _width(op.operands[0])
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if width < 32 else None


def _divide(op: ir.Operation, parts: list[Interval | None]) -> Interval | None:
    a, b = parts
    if a is None or b is None or b[0] <= 0 or a[0] < 0:
        return None
    return a[0] // b[1], a[1] // b[0]


_INTERVALS: dict[str, Any] = {
    "arith.addi": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "arith.subi": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "arith.muli": _product,
    "arith.minsi": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "arith.maxsi": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
}
_OF_ONE: dict[str, Any] = {
    "arith.remsi": _remainder,
    "arith.remui": _remainder,
    "arith.andi": _mask,
    "arith.extui": _widened,
    "arith.index_castui": _widened,
    "arith.index_cast": _cast,
    "arith.extsi": _cast,
    "arith.select": _select,
    "arith.divui": _divide,
    "arith.divsi": _divide,
}
