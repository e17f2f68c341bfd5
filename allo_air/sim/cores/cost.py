"""Puts the time model into a core's program: `allo_sim_work` calls that report the cycles of loop nests and straight code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.core_model.machine import Machine
from allo_air.core_model.nodes import SYNCHRONIZING
from allo_air.core_model.pipelining import body_of, is_innermost, pipelined
from allo_air.core_model.placement import Cost
from allo_air.core_model.schedule import nest_cycles, straight_line_cycles
from allo_air.mlir import AnyOp, arith, ir
from allo_air.sim.cores.build import Calls, bounds_of, cast, i32, index, trip_count
from allo_air.sim.cores.code_size import program_bytes
from allo_air.sim.cores.device_ops import port_cycles
from allo_air.sim.cores.regions import Region

_ENDLESS = 1 << 40
"""A loop of more cycles (a quarter of an hour) is taken as endless: the loop of a worker that waits for no lock."""


def _streams_only(ops: list[AnyOp]) -> bool:
    """Whether `ops` contain no calls (of locks or functions) and no regions. Accesses of ports are instructions and can be
    pipelined.
    """
    return bool(ops) and not any(list(op.regions) or op.name in ("aie.use_lock", "func.call") for op in ops)


@dataclass(frozen=True)
class Work:
    """Time to insert before `anchor`: region `region` takes `cycles` cycles. With `loop`, it takes them in each iteration of
    that loop, or with `once` only if the loop has iterations.
    """

    anchor: Any
    region: int
    cycles: int
    loop: Any = None
    once: bool = False


class Timer:
    """Plans the times of a program for `machine` and inserts them; `place(op)` is the position of an operation that
    represents a region.

    Regions also have the time for the other way of scheduling: by hand or by the compiler.
    """

    def __init__(self, machine: Machine, place: Callable[[AnyOp], int]):
        self._machine = machine
        self._other = replace(machine, compiled=not machine.compiled)
        self._place = place
        self._regions: list[tuple[int, Region]] = []
        self.bytes = 0
        """Bytes of the code of the functions that were planned."""

    @property
    def regions(self) -> tuple[tuple[int, Region], ...]:
        """All regions so far, each with the position of its first operation."""
        return tuple(self._regions)

    def plan(self, function: ir.Operation) -> list[Work]:
        """The times of `function`, computed before anything is inserted into it."""
        works: list[Work] = []
        nodes: dict[int, Any] = {}
        self._machine, self._other = (replace(m, loops={}, nodes=nodes) for m in (self._machine, self._other))
        for block in function.regions[0].blocks:
            self._block([o.operation for o in block.operations], works)
        self.bytes += program_bytes(function, self._machine)
        return works

    def _block(self, ops: list[ir.Operation], works: list[Work]) -> None:
        pending: list[Any] = []
        for op in ops:
            if op.name in SYNCHRONIZING:
                self._flush(pending, works)
                if op.name == "func.call":
                    works.append(self._work(op, self._both([op])))
            elif op.name == "scf.for":
                self._flush(pending, works)
                self._loop(op, works)
            elif op.regions and list(op.regions):
                self._flush(pending, works)
                works.append(self._work(op, self._jump()))
                for region in op.regions:
                    for block in region.blocks:
                        self._block([o.operation for o in block.operations], works)
            else:
                pending.append(op)
        self._flush(pending, works)

    def _flush(self, pending: list[ir.Operation], works: list[Work]) -> None:
        if pending and (result := self._both(pending))[0].cycles:
            first = next((o for o in pending if o.name != "arith.constant"), pending[0])
            works.append(self._work(first, result))
        pending.clear()

    def _both(self, ops: list[ir.Operation]) -> tuple[Cost, int]:
        """The cost of straight-line code, and its cycles for the other way of scheduling, which are equal."""
        cost = straight_line_cycles(ops, self._machine)
        return cost, cost.cycles

    def _jump(self) -> tuple[Cost, int]:
        return Cost(self._machine.jump), self._machine.jump

    def _loop(self, loop: ir.Operation, works: list[Work]) -> None:
        synchronizes = bool(walk_named(loop, *SYNCHRONIZING))
        if not synchronizes and (cost := nest_cycles(loop, self._machine)) is not None:
            if cost.cycles > _ENDLESS:
                raise error_at(
                    loop,
                    "never ends: its iterations wait for no lock or stream, and nothing receives their results; release "
                    "the loop's locks in the loop, or run it once (while_true=False)",
                )
            if cost.cycles:
                alternative = nest_cycles(loop, self._other)
                works.append(self._work(loop, (cost, alternative.cycles if alternative else cost.cycles)))
            return
        body = body_of(loop)
        if is_innermost(loop) or _streams_only(body):
            ways = [pipelined(loop, machine) for machine in (self._machine, self._other)]
            drain, drained = (max(way.depth - way.interval, 0) for way in ways)
            if is_innermost(loop):
                works.append(self._work(loop, (ways[0].body, ways[1].interval), loop))
            else:
                ports = sum(port_cycles(op) for op in body)
                rest, remaining = (max(way.interval - ports, 0) for way in ways)
                works.append(self._work(body[0], (replace(ways[0].body, cycles=rest), remaining)))
            if drain:
                works.append(self._work(loop, (Cost(drain), drained), loop, once=True))
            return
        if body:
            works.append(self._work(body[0], self._jump()))
        self._block([*body, list(loop.regions[0].blocks[0].operations)[-1].operation], works)

    def _work(self, op: AnyOp, price: tuple[Cost, int], loop: AnyOp | None = None, once: bool = False) -> Work:
        cost, alternative = price
        region = Region(op.name, cost.macs, cost.loads, cost.stores, cost.vector, cost.cycles, cost.bound, alternative)
        self._regions.append((self._place(op), region))
        return Work(op, len(self._regions) - 1, cost.cycles, loop, once)

    def insert(self, works: list[Work], calls: Calls, base: ir.Value) -> None:
        """Inserts the calls; `base` is the value of the core's first region."""
        i64 = ir.IntegerType.get_signless(64)
        for work in works:
            with ir.InsertionPoint(work.anchor), work.anchor.location:
                region = arith.addi(base, i32(work.region))
                times = arith.constant(i64, 1) if work.loop is None else self._times(work)
                calls("allo_sim_work", region, times, arith.constant(i64, work.cycles))

    @staticmethod
    def _times(work: Work) -> Any:
        trips = index(trip_count(*bounds_of(work.loop)))
        return cast(arith.minsi(trips, index(1)) if work.once else trips, ir.IntegerType.get_signless(64))
