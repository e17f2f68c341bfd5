"""Walks over a core's program and writes items; equal iterations of a loop become one item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.control_flow import Walker
from allo_air.core.loops import Dim, Loop
from allo_air.mlir import AnyOp

if TYPE_CHECKING:
    from allo_air.mlir import ir

Item = tuple[Any, ...]


class Undecided(Exception):
    """The effect of `op` depends on data, or is not analysed."""

    def __init__(self, op: AnyOp, why: str) -> None:
        self.op, self.why = op, why
        super().__init__(why)


class Rounds(Walker):
    """Follows control flow and writes `items`. Iterations of a loop are compared by `plain` and written by `repeat`."""

    def __init__(self, values: dict[ir.Value, Any]) -> None:
        super().__init__(values)
        self.items: list[Item] = []

    def undecided(self, op: AnyOp, why: str) -> None:
        raise Undecided(op, why)

    def successor(self, end: AnyOp, condition: int | None) -> tuple[Any, list[Any]] | None:
        """The block that follows `end`, with the values of its arguments; None at a return. `condition` is that of a branch."""
        if end.name == "cf.br":
            return end.successors[0], [self.get(v) for v in end.operands]
        if end.name == "cf.cond_br":
            first = 1 + end.attributes["operandSegmentSizes"][1]
            operands = list(end.operands)
            values = operands[1:first] if condition else operands[first:]
            return end.successors[0 if condition else 1], [self.get(v) for v in values]
        if end.name.endswith(("return", "aie.end")):
            return None
        raise Undecided(end, "branches")

    def plain(self, items: Sequence[Item]) -> Sequence[Item]:
        """The part of `items` that must be equal for iterations to be equal."""
        return items

    def repeat(self, items: list[Item], times: int) -> None:
        """Writes `items` so often."""
        raise NotImplementedError

    def captured(self, run: Callable[[], object]) -> tuple[Any, list[Item]]:
        """The result of `run`, and the items that it writes."""
        outer, self.items = self.items, []
        try:
            return run(), self.items
        finally:
            self.items = outer

    def each(self, loop: Loop, dims: Sequence[Dim]) -> None:
        """Walks over all iterations; consecutive equal iterations become one item."""
        carried = [self.get(v) for v in loop.inits]
        last: list[Item] = []
        times = 0
        for point in dims[0].values:
            self.assign(loop.ivs, [point])
            self.assign(loop.iter_args, carried)
            carried, items = self.captured(lambda: self.run(loop.block))
            if times and self.plain(items) != self.plain(last):
                self.repeat(last, times)
                times = 0
            last, times = items, times + 1
        self.repeat(last, times)
        self.assign(loop.op.results, carried)
