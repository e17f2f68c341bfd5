"""The `scf.for` loops around an operation, with constant bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.access.linear import Linear
from allo_air.core.constants import constant_of


@dataclass(frozen=True)
class Loop:
    """An `scf.for` whose `iv` takes `lower`, `lower + step`, ... below `upper`, `trips` times."""

    op: Any
    iv: Any
    lower: int
    upper: int
    step: int

    @property
    def trips(self) -> int:
        return max(0, -(-(self.upper - self.lower) // self.step))

    @property
    def last(self) -> int:
        """The value of `iv` in the last iteration, of which there must be one."""
        return self.lower + (self.trips - 1) * self.step

    @property
    def block(self) -> Any:
        return self.op.regions[0].blocks[0]

    @property
    def inits(self) -> list[Any]:
        return list(self.op.operands)[3:]


def loop_of(op: Any) -> Loop | None:
    """The loop that the `scf.for` `op` is; None where a bound or the step is not a positive constant."""
    lower, upper, step = (constant_of(v) for v in list(op.operands)[:3])
    if lower is None or upper is None or step is None or step <= 0:
        return None
    return Loop(op, op.regions[0].blocks[0].arguments[0], lower, upper, step)


def loops_between(op: Any, block: Any) -> list[Loop] | None:
    """The loops around `op` inside `block`, outermost first; None where anything else, or an unknown bound, lies between."""
    found: list[Loop] = []
    inner = op.operation
    while inner.block != block:
        outer = inner.parent
        if outer is None or outer.operation.name != "scf.for":
            return None
        inner = outer.operation
        loop = loop_of(inner)
        if loop is None:
            return None
        found.append(loop)
    return found[::-1]


def interval(part: Linear, loops: list[Loop]) -> tuple[Linear, int]:
    """The least value of `part` while `loops` run, free of their ivs, and how much the greatest exceeds it.

    Every loop must have an iteration.
    """
    least, reach = Linear(part.constant), 0
    ranges = {loop.iv: (loop.lower, loop.last) for loop in loops}
    for value, factor in part.terms:
        if value not in ranges:
            least = least + Linear(0, ((value, factor),))
            continue
        ends = [factor * end for end in ranges[value]]
        least = least + Linear(min(ends))
        reach += max(ends) - min(ends)
    return least, reach
