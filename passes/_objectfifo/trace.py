"""Follows how many objects a core holds of each FIFO, and at which object it is, through any structure of loops.

A state maps each end to (position, held): the index of the oldest object held, modulo the objects of the end, and how many are
held. An acquire of n takes what is missing to n; a release gives the oldest back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.rewrite import walk_named
from allo_air.mlir import ir
from allo_air.passes._objectfifo.design import Design, End

State = dict[tuple[str, int], tuple[int, int]]
"""By name of the FIFO and port."""

ACQUIRE, RELEASE, ACCESS = "aie.objectfifo.acquire", "aie.objectfifo.release", "aie.objectfifo.subview.access"
_BRANCHES = ("scf.if", "scf.index_switch", "scf.execute_region")
MAX_COPIES = 512
"""Copies of a loop's body, at most; beyond, objects are chosen at run time."""


class NotStatic(Exception):
    """Which object comes next is not known before the core runs."""


@dataclass(frozen=True)
class Orbit:
    """A loop's iterations: `first` of them alone, then `turn` that come back to the same state, over and over."""

    first: int
    turn: int
    final: State


class Trace:
    """States in one core; where `positions` is false only the numbers held are followed."""

    def __init__(self, design: Design, core: Any, *, positions: bool):
        self.design, self.core, self.positions = design, core, positions
        self.tile = core.operands[0]

    def end(self, op: Any) -> End:
        """The end that an acquire or a release works on."""
        found = self.design.fifos[op.objFifo_name].end(op.port, self.tile)
        if found is None or found.storage is None:
            raise error_at(op, f"uses '@{op.objFifo_name}', which has no end at this core's tile")
        if not found.storage.buffers:
            raise error_at(op, f"uses '@{op.objFifo_name}', which has no objects at this core's tile")
        return found

    def missing(self, op: Any, state: State) -> int:
        """How many objects an acquire must wait for."""
        return max(0, int(op.size) - self.held(op, state))

    def held(self, op: Any, state: State) -> int:
        return state.get((op.objFifo_name, op.port), (0, 0))[1]

    def position(self, op: Any, state: State) -> int:
        return state.get((op.objFifo_name, op.port), (0, 0))[0]

    def step(self, op: Any, state: State) -> State:
        """The state after an acquire or a release."""
        end, key = self.end(op), (op.objFifo_name, op.port)
        position, held = state.get(key, (0, 0))
        if op.OPERATION_NAME == ACQUIRE:
            if op.size > end.objects:
                raise error_at(op, f"takes {op.size} objects at once, and the FIFO holds {end.objects} here; give it more")
            return state | {key: (position, max(held, op.size))}
        if op.size > held:
            raise error_at(op, f"cannot release more elements than are already acquired: releases {op.size}, holds {held}")
        return state | {key: ((position + op.size) % end.objects if self.positions else 0, held - op.size)}

    def block(self, block: Any, state: State) -> State:
        """The state after the operations of a block."""
        for view in block.operations:
            state = self.after(view.operation, state)
        return state

    def after(self, op: Any, state: State) -> State:
        """The state after `op`."""
        if op.name in (ACQUIRE, RELEASE):
            return self.step(op.opview, state)
        if not uses(op):
            return state
        if op.name == "scf.for":
            return self.orbit(op, state, trip_count(op)).final
        if op.name == "scf.while":
            return self._while(op, state)
        if op.name in _BRANCHES:
            return self._branches(op, state)
        raise error_at(
            op,
            "holds acquires or releases of objectFifos; around these wanted are scf.for, scf.while, scf.if, scf.index_switch "
            "and scf.execute_region (lower-affine turns affine loops into these)",
        )

    def orbit(self, op: Any, state: State, trips: int | None) -> Orbit:
        """How the state goes round in a loop of `trips` iterations; None: a number that is not known."""
        body = op.regions[0].blocks[0]
        states = [clean(state)]
        while trips is None or len(states) <= trips:
            following = clean(self.block(body, states[-1]))
            if following in states:
                first = states.index(following)
                turn = len(states) - first
                if trips is None:
                    self._must_stay(op, first == 0 and turn == 1, states[0], following)
                    return Orbit(0, 1, following)
                return Orbit(first, turn, states[first + (trips - first) % turn] if trips >= first else states[trips])
            states.append(following)
            if trips is None:
                self._must_stay(op, False, states[0], following)
            if len(states) > MAX_COPIES:
                self._must_stay(op, False, states[0], following)
        return Orbit(len(states) - 1, 1, states[-1])

    def _must_stay(self, op: Any, stays: bool, before: State, after: State) -> None:
        """Where the state must not change and does: positions can be followed at run time, the numbers held cannot."""
        if stays:
            return
        if self.positions:
            raise NotStatic
        names = sorted({f"'@{key[0]}'" for key in before.keys() | after.keys() if before.get(key) != after.get(key)})
        raise error_at(
            op,
            f"changes how many objects of {', '.join(names)} the core holds, and how often it runs is not known; acquire and "
            "release equally many inside",
        )

    def must_meet(self, op: Any, one: State, other: State) -> None:
        """Two ways to one place in the code must come with one state."""
        self._must_stay(op, clean(one) == clean(other), clean(one), clean(other))

    def _while(self, op: Any, state: State) -> State:
        inside = self.block(op.regions[0].blocks[0], state)
        again = self.block(op.regions[1].blocks[0], inside)
        self._must_stay(op, clean(again) == clean(state), clean(state), clean(again))
        return inside

    def _branches(self, op: Any, state: State) -> State:
        ends = [clean(self.block(r.blocks[0], state) if len(r.blocks) else state) for r in op.regions]
        for other in ends[1:]:
            self._must_stay(op, other == ends[0], ends[0], other)
        return ends[0]


def clean(state: State) -> State:
    """The state without entries that are as at the start."""
    return {key: value for key, value in state.items() if value != (0, 0)}


def uses(op: Any) -> bool:
    """Whether `op` acquires or releases objects, or something in it does."""
    return bool(walk_named(op, ACQUIRE, RELEASE))


def constant_of(value: Any) -> int | None:
    """The number that an `arith.constant` holds."""
    if isinstance(value, ir.BlockArgument) or value.owner.name != "arith.constant":
        return None
    attribute = value.owner.attributes["value"]
    return attribute.value if isinstance(attribute, ir.IntegerAttr) else None


def trip_count(op: Any) -> int | None:
    """Iterations of an `scf.for` whose bounds are constants."""
    low, high, step = (constant_of(v) for v in list(op.operands)[:3])
    if low is None or high is None or not step or step < 0:
        return None
    return max(0, -(-(high - low) // step))
