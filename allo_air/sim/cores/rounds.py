"""Walks over a core's program and writes items; equal iterations of a loop become one item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from allo_air.core.control_flow import Walker
from allo_air.core.loops import Dim, Loop
from allo_air.mlir import AnyOp
from allo_air.sim.cores.blocks import CountedLoop, counted, edges

if TYPE_CHECKING:
    from allo_air.mlir import ir

Item = tuple[Any, ...]


class Undecided(Exception):
    """The effect of `op`, or of the operation at this location, depends on data or is not analysed."""

    def __init__(self, op: AnyOp | ir.Location, why: str) -> None:
        self.op, self.why = op, why
        super().__init__(why)


class Rounds(Walker):
    """Follows control flow and writes `items`. Iterations of a loop are compared by `plain` and written by `repeat`."""

    MOST = 20_000
    """Most blocks that a function may execute, and most iterations that are walked one by one."""
    LONGEST = 64
    """Iterations after which a loop without a period is taken to have none."""

    def __init__(self, values: dict[ir.Value, Any]) -> None:
        super().__init__(values)
        self.items: list[Item] = []
        self.blocks = 0

    def undecided(self, op: AnyOp, why: str) -> None:
        raise Undecided(op, why)

    def body(self, function: AnyOp) -> None:
        """Runs blocks that branch to each other."""
        blocks = list(function.regions[0].blocks)
        _Blocks(self, function, blocks).run(blocks[0])

    def endless(self, start: int) -> None:
        """Writes the items from number `start` on as those of a loop without an end."""
        raise NotImplementedError

    def too_many(self, function: AnyOp) -> None:
        """Raises an error: `function` executes more than `MOST` blocks."""
        raise Undecided(function, f"executes more than {self.MOST} blocks")

    def successor(self, end: AnyOp) -> tuple[ir.Block, list[Any]] | None:
        """The block that follows `end`, with the values of its arguments; None at a return."""
        ways = list(edges(end))
        if not ways:
            if end.name.endswith(("return", "aie.end")):
                return None
            raise Undecided(end, "branches")
        way = 0
        if end.name != "cf.br":
            number = self.number(end.operands[0])
            if number is None:
                raise Undecided(end, "branches on data")
            cases = list(end.attributes["case_values"]) if "case_values" in end.attributes else []
            way = cases.index(number) + 1 if number in cases else int(end.name == "cf.cond_br" and not number)
        block, values = ways[way]
        return block, [self.get(value) for value in values]

    def plain(self, items: Sequence[Item]) -> Sequence[Item]:
        """The part of `items` that must be equal for iterations to be equal."""
        return items

    def repeat(self, items: list[Item], times: int) -> None:
        """Writes `items` `times` times."""
        raise NotImplementedError

    def captured(self, run: Callable[[], object]) -> tuple[Any, list[Item]]:
        """The result of `run`, and the items that it writes."""
        outer, self.items = self.items, []
        try:
            return run(), self.items
        finally:
            self.items = outer

    def around(self, once: Callable[[list[object]], list[object]], inits: list[object], trips: int) -> list[object] | None:
        """Writes `trips` iterations and returns the values carried after them; None if each must be run by itself.

        `once` runs an iteration with an unknown counter, from the values carried into it to those carried out of it. Either
        iterations are alike whatever they carry, or they repeat with a period, as the buffers of an objectFifo do.
        """
        before, number = dict(self.known), self.blocks
        for run in (self._repeat_unknown, self._periodic):
            try:
                if (carried := run(once, inits, trips)) is not None:
                    return carried
            except Undecided:
                if run == self._periodic and trips > self.MOST:
                    raise
            self.known, self.blocks = dict(before), number
        return None

    def _repeat_unknown(self, once: Callable[[list[object]], list[object]], inits: list[object], trips: int) -> list[object]:
        unknown: list[Any] = [None] * len(inits)
        self.repeat(self.captured(lambda: once(unknown))[1], trips)
        return unknown

    def _periodic(self, once: Callable[[list[object]], list[object]], inits: list[object], trips: int) -> list[object] | None:
        states, parts = [inits], list[list[Item]]()
        while len(parts) < min(trips, self.LONGEST):
            carried, items = self.captured(lambda: once(states[-1]))
            parts.append(items)
            if carried in states:
                start = states.index(carried)
                times, more = divmod(trips - start, len(states) - start)
                self.items += [item for part in parts[:start] for item in part]
                self.repeat([item for part in parts[start:] for item in part], times)
                self.items += [item for part in parts[start : start + more] for item in part]
                return states[start + more]
            states.append(carried)
        return None

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

    def rounds_of(self, loop: Loop, dims: Sequence[Dim], trips: int) -> None:
        """The iterations of a loop with more than one."""

        def once(carried: list[object]) -> list[object]:
            self.assign([*loop.ivs, *loop.iter_args], [*[None] * len(loop.ivs), *carried])
            return self.run(loop.block)

        carried = self.around(once, [self.get(v) for v in loop.inits], trips)
        if carried is None:
            self.each(loop, dims)
        else:
            self.assign(loop.op.results, carried)


class _Blocks:
    """The blocks of a function that branch to each other, and the counted loops among them."""

    def __init__(self, rounds: Rounds, function: AnyOp, blocks: list[ir.Block]) -> None:
        self.rounds, self.function, self.blocks = rounds, function, blocks
        self.loops = counted(blocks) if len(blocks) > 1 else {}
        self.names = [argument for block in blocks[1:] for argument in block.arguments]

    def run(self, block: ir.Block, back: AnyOp | None = None) -> list[object] | None:
        """Runs from `block` to a return, or to the branch `back`, with the values that this passes.

        A block that comes again with all arguments as before begins an endless loop.
        """
        rounds = self.rounds
        seen: dict[Any, int] = {}
        while True:
            rounds.blocks += 1
            number = self.blocks.index(block)
            key = (number, tuple(rounds.get(name) for name in self.names))
            if key in seen:
                rounds.endless(seen[key])
                return None
            if rounds.blocks > rounds.MOST:
                rounds.too_many(self.function)
            seen[key] = len(rounds.items)
            *operations, end = (o.operation for o in block.operations)
            for op in operations:
                rounds.step(op)
            following = rounds.successor(end)
            if following is None or (back is not None and end == back):
                return following and following[1]
            block, values = following
            if back is not None and block == back.successors[0]:
                raise Undecided(end, "begins the next iteration of a loop before its end")
            loop = self.loops.get(self.blocks.index(block))
            rounds.assign(block.arguments, self._after(loop, values) if loop else values)

    def _after(self, loop: CountedLoop, values: list[object]) -> list[object]:
        """The arguments of a loop's header after all iterations if these repeat; else those that it has."""
        place, first = loop.place, values[loop.place]
        if not isinstance(first, int):
            return values
        trips = loop.trips(first, self.rounds.number)
        if trips is None or trips < 2:
            return values
        carried = self.rounds.around(partial(self._once, loop), [*values[:place], *values[place + 1 :]], trips)
        if carried is None:
            return values
        step = self.rounds.number(loop.step) or 0
        return [*carried[:place], first + trips * step, *carried[place:]]

    def _once(self, loop: CountedLoop, carried: list[object]) -> list[object]:
        """One iteration with an unknown counter; returns the values for the next one."""
        rounds, place = self.rounds, loop.place
        rounds.assign(loop.header.arguments, [*carried[:place], None, *carried[place:]])
        *operations, end = (o.operation for o in loop.header.operations)
        for op in operations:
            rounds.step(op)
        body, values = next(edges(end))
        rounds.assign(body.arguments, [rounds.get(value) for value in values])
        following = self.run(body, loop.back)
        if following is None:
            raise Undecided(loop.back, "is a branch that is not reached")
        return [*following[:place], *following[place + 1 :]]
