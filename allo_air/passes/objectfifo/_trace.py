"""Tracks a core's position in each FIFO, and the number of objects that it holds, through any structure of loops. A state
maps each end to (position, held): the index of the oldest held object, modulo the objects of the end, and the number of held
objects. An acquire of n acquires the missing objects up to n; a release releases the oldest ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop
from allo_air.core.walking import walk_named
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.objectfifos import Design, End

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoAcquireOp, ObjectFifoReleaseOp

State = dict[tuple[str, int], Any]
"""The key: name of the FIFO, and port."""

START = 0, 0
"""Position and number held before the first acquire."""

ACQUIRE, RELEASE, ACCESS = "aie.objectfifo.acquire", "aie.objectfifo.release", "aie.objectfifo.subview.access"
_BRANCHES = ("scf.if", "scf.index_switch", "scf.execute_region")
MAX_COPIES = 512
"""Largest number of copies of a loop's body; with more, objects are selected at run time."""


class NotStatic(Exception):
    """Raised if the next object is only known at run time."""


@dataclass(frozen=True)
class Period:
    """A loop's iterations: `first` separate ones, then groups of `length` iterations that return to the same state."""

    first: int
    length: int
    final: State


class Trace:
    """Exact states in one core; raises NotStatic if two paths lead to different states at one point."""

    def __init__(self, design: Design, core: AnyOp):
        self.design, self.core = design, core
        self.tile = core.operands[0]

    def end(self, op: Any) -> End:
        """The end of an acquire or a release."""
        end = self.design.fifos[op.objFifo_name].end(op.port, self.tile)
        if end is None or end.storage is None:
            raise error_at(op, f"uses '@{op.objFifo_name}', which has no end at this core's tile")
        if not end.storage.buffers:
            raise error_at(op, f"uses '@{op.objFifo_name}', which has no objects at this core's tile")
        return end

    def missing(self, op: ObjectFifoAcquireOp, state: State) -> list[int]:
        """The numbers of objects that an acquire may have to wait for; a single number if it is constant."""
        return [max(0, int(op.size) - state.get(key_of(op), START)[1])]

    def position(self, op: AnyOp, state: State) -> int:
        """The first object of an acquire."""
        return state.get(key_of(op), START)[0]

    def step(self, op: Any, state: State) -> State:
        """The state after an acquire or a release."""
        end, key = self.end(op), key_of(op)
        position, held_count = state.get(key, START)
        if op.OPERATION_NAME == ACQUIRE:
            self.fits(op, end)
            return state | {key: (position, max(held_count, op.size))}
        if op.size > held_count:
            raise self.too_many(op, held_count)
        return state | {key: ((position + op.size) % end.objects, held_count - op.size)}

    @staticmethod
    def fits(op: ObjectFifoAcquireOp, end: End) -> None:
        """DiagnosticError for an acquire of more objects than the end has."""
        if op.size > end.objects:
            raise error_at(
                op, f"acquires {counted(op.size, 'object')} at once, but the FIFO has {end.objects} here; increase its depth"
            )

    @staticmethod
    def too_many(op: ObjectFifoReleaseOp, held_count: int) -> Exception:
        """The error of a release of more objects than can be held."""
        return error_at(op, f"cannot release more elements than are already acquired: releases {op.size}, holds {held_count}")

    def same(self, state: State) -> State:
        """`state` in canonical form: without entries that are equal to the initial state."""
        return {key: value for key, value in state.items() if value != START}

    def entry(self, op: ir.Operation, state: State) -> State:
        """The state in which the first region of `op` is entered, each time."""
        return state

    def meet(self, left: State, right: State) -> State:
        """The state at the join of two paths."""
        if self.same(left) != self.same(right):
            raise NotStatic
        return left

    def block(self, block: ir.Block, state: State) -> State:
        """The state after the operations of a block."""
        for view in block.operations:
            state = self.after(view.operation, state)
        return state

    def after(self, op: ir.Operation, state: State) -> State:
        """The state after `op`."""
        if op.name in (ACQUIRE, RELEASE):
            return self.step(op.opview, state)
        if not uses(op):
            return state
        if op.name == "scf.for":
            return self.period(op, state, Loop(op).trips()).final
        if op.name == "scf.while":
            return self._while(op, state)
        if op.name in _BRANCHES:
            return self._branches(op, state)
        return self.other(op, state)

    def other(self, op: ir.Operation, state: State) -> State:
        """The state after an operation whose regions are not tracked exactly."""
        raise NotStatic

    def period(self, op: ir.Operation, state: State, trips: int | None) -> Period:
        """The period of the state in a loop of `trips` iterations (None: unknown)."""
        body = op.regions[0].blocks[0]
        states = [self.same(state)]
        while trips is None or len(states) <= trips:
            following = self.same(self.block(body, states[-1]))
            if following in states:
                first = states.index(following)
                length = len(states) - first
                if trips is None:
                    self.meet(states[0], following)
                    return Period(0, 1, following)
                return Period(first, length, states[first + (trips - first) % length] if trips >= first else states[trips])
            states.append(following)
            if trips is None or len(states) > MAX_COPIES:
                raise NotStatic
        return Period(len(states) - 1, 1, states[-1])

    def _while(self, op: ir.Operation, state: State) -> State:
        inside = self.block(op.regions[0].blocks[0], state)
        self.meet(state, self.block(op.regions[1].blocks[0], inside))
        return inside

    def _branches(self, op: ir.Operation, state: State) -> State:
        first, *rest = [self.block(r.blocks[0], state) if len(r.blocks) else state for r in op.regions]
        for branch in rest:
            first = self.meet(first, branch)
        return first


def key_of(op: Any) -> tuple[str, int]:
    """The entry of a state that an acquire or a release changes."""
    return op.objFifo_name, op.port


def uses(op: ir.Operation) -> bool:
    """Whether `op`, or an operation in it, acquires or releases objects."""
    return bool(walk_named(op, ACQUIRE, RELEASE))


def entries(trace: Trace, core: AnyOp) -> list[tuple[ir.Block, State]]:
    """Each reachable block of a core with the state at its entry; the entry block first."""
    results: list[tuple[ir.Block, State]] = [(core.regions[0].blocks[0], {})]
    waiting = [0]
    while waiting:
        block, state = results[waiting.pop(0)]
        after = trace.block(block, state)
        for successor in block.operations[-1].operation.successors:
            index = next((i for i, (b, _) in enumerate(results) if b == successor), None)
            if index is None:
                waiting.append(len(results))
                results.append((successor, after))
                continue
            entry_state = results[index][1]
            met = trace.meet(entry_state, after)
            if trace.same(met) != trace.same(entry_state):
                results[index] = successor, met
                waiting.append(index)
    return results
