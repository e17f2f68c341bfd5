"""Bounds the number of objects of each FIFO that a core may hold if it depends on run-time values: collects those of all
paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.mlir import ir
from allo_air.passes.objectfifo._trace import ACQUIRE, Period, State, Trace, key_of

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoAcquireOp
    from allo_air.passes._analysis.objectfifos import Design

_NONE = frozenset({0})
_LOOPS = ("affine.for",)
_BRANCHES = ("affine.if",)


class Bounds(Trace):
    """States that hold, for each FIFO and port, the set of numbers of objects that the core may hold.

    `uncertain` are the FIFOs with an acquire that waits for a number known only at run time.
    """

    def __init__(self, design: Design, core: ir.Operation):
        super().__init__(design, core)
        self.uncertain: set[tuple[str, int]] = set()

    def missing(self, op: ObjectFifoAcquireOp, state: State) -> list[int]:
        return sorted({max(0, op.size - count) for count in state.get(key_of(op), _NONE)})

    def step(self, op: Any, state: State) -> State:
        end, key = self.end(op), key_of(op)
        counts = state.get(key, _NONE)
        if op.OPERATION_NAME == ACQUIRE:
            self.fits(op, end)
            if len(self.missing(op, state)) > 1:
                self.uncertain.add(key)
            return state | {key: frozenset(max(n, op.size) for n in counts)}
        remaining = frozenset(n - op.size for n in counts if n >= op.size)
        if not remaining:
            raise self.too_many(op, max(counts))
        return state | {key: remaining}

    def same(self, state: State) -> State:
        return {key: value for key, value in state.items() if value != _NONE}

    def meet(self, left: State, right: State) -> State:
        return self.same({key: left.get(key, _NONE) | right.get(key, _NONE) for key in left.keys() | right.keys()})

    def entry(self, op: ir.Operation, state: State) -> State:
        if op.name in ("scf.for", "scf.while", *_LOOPS):
            return self._round(op, state)
        return state

    def _round(self, op: ir.Operation, state: State) -> State:
        """The state at the beginning of every iteration."""
        result = self.same(state)
        while True:
            after = result
            for region in op.regions:
                after = self.block(region.blocks[0], after)
            if (wider := self.meet(result, after)) == result:
                return result
            result = wider

    def period(self, op: ir.Operation, state: State, trips: int | None) -> Period:
        if trips == 0:
            return Period(0, 1, state)
        after = self.block(op.regions[0].blocks[0], self._round(op, state))
        return Period(0, 1, after if trips else self.meet(state, after))

    def _while(self, op: ir.Operation, state: State) -> State:
        return self.block(op.regions[0].blocks[0], self._round(op, state))

    def other(self, op: ir.Operation, state: State) -> State:
        if op.name in _LOOPS:
            return self.period(op, state, None).final
        if op.name in _BRANCHES:
            return self._branches(op, state)
        raise error_at(
            op,
            "holds acquires or releases of objectFifos; only scf.for, scf.while, scf.if, scf.index_switch, "
            "scf.execute_region, affine.for and affine.if may be around them",
        )
