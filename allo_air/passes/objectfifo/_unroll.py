"""Copies a core's code, with buffers and locks instead of objectFifo operations.

Loops are unrolled until each copy of an access refers to one buffer; `trace` gives the factors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop
from allo_air.core.walking import walk
from allo_air.dialects import aie
from allo_air.mlir import AnyOp, arith, ir, scf
from allo_air.passes._analysis.objectfifos import PRODUCE, Design
from allo_air.passes.objectfifo._trace import ACCESS, ACQUIRE, RELEASE, State, Trace, entries, uses

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoAcquireOp, ObjectFifoReleaseOp

Env = dict[Any, Any]
"""Maps values of the old code to values of the new code."""


class Objects:
    """The buffers of a subview's objects."""

    is_static = True
    """Whether the copy chooses buffers statically, so that the core loses its `dynamic_objfifo_lowering`."""

    def __init__(self, trace: Trace):
        self.trace = trace

    def start(self, core: ir.Operation, ip: ir.InsertionPoint) -> None:
        """Emits the set-up code at the start of the core."""

    def acquired(self, op: ObjectFifoAcquireOp, state: State, ip: ir.InsertionPoint) -> Any:
        """The subview of an acquire, before the state changes."""
        end = self.trace.end(op)
        assert end.storage is not None
        position = self.trace.position(op, state)
        return [end.storage.buffers[(position + i) % end.objects] for i in range(op.size)]

    def access(self, op: aie.ObjectFifoSubviewAccessOp, subview: list[ir.Value], ip: ir.InsertionPoint) -> Any:
        """The buffer of an access."""
        return subview[op.index]

    def flag(self, op: AnyOp, offset: int, state: State, ip: ir.InsertionPoint) -> Any:
        """The lock of the object at `offset` from the oldest one."""
        end = self.trace.end(op)
        assert end.storage is not None
        return end.storage.flags[(self.trace.position(op, state) + offset) % end.objects]

    def wait(self, op: AnyOp, missing: list[int], ip: ir.InsertionPoint, lock: Callable[[int, Any], None]) -> None:
        """Waits for the needed number of `missing` objects; `lock` emits the wait for a number."""
        [amount] = missing
        if amount:
            lock(amount, ip)

    def wait_alone(
        self, op: AnyOp, missing: list[int], ip: ir.InsertionPoint, flag: Callable[[int, ir.InsertionPoint], None]
    ) -> None:
        """For binary locks: waits for the objects that are not held, which is only known at run time (`flag`)."""

    def released(self, op: ir.Operation, ip: ir.InsertionPoint) -> None:
        """Emits the update of the counters at a release."""

    def finish(self, core: ir.Operation) -> None:
        """Emits the final code of the core."""


class CoreRewriter:
    """Builds the new code of one core."""

    def __init__(self, design: Design, core: AnyOp, trace: Trace, objects: Objects):
        self.design, self.core, self.trace, self.objects = design, core, trace, objects
        self.subviews: dict[Any, Any] = {}

    def run(self) -> None:
        """Replaces the core by one without objectFifo operations."""
        old = self.core
        attributes = {a: old.attributes[a] for a in old.attributes}
        if self.objects.is_static:
            attributes.pop("dynamic_objfifo_lowering", None)
        new = ir.Operation.create(
            "aie.core", [r.type for r in old.results], list(old.operands), attributes, regions=1, loc=old.location,
            ip=ir.InsertionPoint(old),
        )  # fmt: skip
        reached = entries(self.trace, old)
        env: Env = {}
        results = []
        for block, _ in reached:
            copy = new.regions[0].blocks.append(
                *[a.type for a in block.arguments], arg_locs=[a.location for a in block.arguments]
            )
            results.append(copy)
            env.update(zip(block.arguments, copy.arguments, strict=True))
        self.objects.start(new, ir.InsertionPoint(results[0]))
        pairs = [(block, copy) for (block, _), copy in zip(reached, results, strict=True)]
        for (block, state), copy in zip(reached, results, strict=True):
            self._fill(block, copy, env, state, pairs)
        for old_result, new_result in zip(old.results, new.results, strict=True):
            old_result.replace_all_uses_with(new_result)
        old.erase()
        self.objects.finish(new)

    def _fill(self, block: ir.Block, copy: ir.Block, env: Env, state: State, blocks: list[tuple[ir.Block, ir.Block]]) -> None:
        ip = ir.InsertionPoint(copy)
        for view in block.operations:
            op = view.operation
            if len(op.successors):
                targets = [next(new for old, new in blocks if old == s) for s in op.successors]
                self._create(op, env, ip, successors=targets)
            else:
                state = self.emit(op, ip, env, state)

    def emit(self, op: ir.Operation, ip: ir.InsertionPoint, env: Env, state: State) -> State:
        """Emits `op`; returns the state after it."""
        if op.name == ACQUIRE:
            return self._acquire(op.opview, ip, env, state)
        if op.name == RELEASE:
            after = self.trace.step(op.opview, state)
            if self.design.counting:
                self._lock(op.opview, op.opview.size, ip)
            else:
                self._flags(op.opview, 0, state, ip)
            self.objects.released(op.opview, ip)
            return after
        if op.name == ACCESS:
            env[op.results[0]] = self.objects.access(op.opview, self.subviews[op.opview.subview], ip)
            return state
        if not uses(op):
            self._copy(op, ip, env)
            return state
        if op.name == "scf.for":
            return self._for(op, ip, env, state)
        return self._shell(op, ip, env, state)

    def _acquire(self, op: ObjectFifoAcquireOp, ip: ir.InsertionPoint, env: Env, state: State) -> State:
        after = self.trace.step(op, state)
        missing = self.trace.missing(op, state)
        if self.design.counting:
            self.objects.wait(op, missing, ip, lambda amount, ip: self._lock(op, amount, ip))
        else:
            self.objects.wait_alone(op, missing, ip, lambda k, ip: self._flags(op, k, state, ip, until=k + 1))
            self._flags(op, op.size - min(missing), state, ip)
        self.subviews[op.subview] = self.objects.acquired(op, state, ip)
        return after

    def _flags(
        self,
        op: ObjectFifoAcquireOp | ObjectFifoReleaseOp,
        first: int,
        state: State,
        ip: ir.InsertionPoint,
        until: int | None = None,
    ) -> None:
        """Acquires or releases the binary locks of the objects from `first` on; 1 means full."""
        end = self.trace.end(op)
        assert end.storage is not None
        takes = op.OPERATION_NAME == ACQUIRE
        last = op.size if until is None else until
        for offset in range(first, last if end.storage.flags else first):
            lock = self.objects.flag(op, offset, state, ip)
            action, full = ("Acquire" if takes else "Release"), takes != (op.port == PRODUCE)
            aie.UseLockOp(lock=lock, action=action, value=int(full), loc=op.location, ip=ip)

    def _lock(self, op: ObjectFifoAcquireOp | ObjectFifoReleaseOp, amount: int | ir.Value, ip: ir.InsertionPoint) -> None:
        """Acquires or releases `amount` objects, a number or an i32 value."""
        end = self.trace.end(op)
        assert end.storage is not None
        if not end.storage.locks:
            return
        takes = op.OPERATION_NAME == ACQUIRE
        produces = op.port == PRODUCE
        times = end.times if produces else 1
        for prod, cons in end.storage.locks:
            lock = prod if takes == produces else cons
            action = "AcquireGreaterEqual" if takes else "Release"
            if isinstance(amount, int):
                aie.UseLockOp(lock=lock, action=action, value=amount * times, loc=op.location, ip=ip)
                continue
            if times > 1:
                factor = arith.constant(amount.type, times, loc=op.location, ip=ip)
                amount = arith.muli(amount, factor, loc=op.location, ip=ip)
                times = 1
            aie.UseLockOp(lock=lock, action=action, amount=amount, loc=op.location, ip=ip)

    def _copy(self, op: AnyOp, ip: ir.InsertionPoint, env: Env) -> None:
        """Copies `op` and its regions; accesses become buffers."""
        new = op.clone(ip)
        env.update(zip(op.results, new.results, strict=True))
        accesses = walk(new, aie.ObjectFifoSubviewAccessOp)
        for inner in [o.operation for o in walk(new)]:
            for i, value in enumerate(inner.operands):
                if value in env:
                    inner.operands[i] = env[value]
        for access in accesses:
            result = self.objects.access(access, self.subviews[access.subview], ir.InsertionPoint(access))
            access.output.replace_all_uses_with(result)
            access.operation.erase()

    def _create(
        self,
        op: ir.Operation,
        env: Env,
        ip: ir.InsertionPoint,
        *,
        successors: Sequence[ir.Block] = (),
        regions: int = 0,
        operands: list[ir.Value] | None = None,
    ) -> Any:
        value = list(op.operands) if operands is None else operands
        new = ir.Operation.create(
            op.name,
            [r.type for r in op.results],
            [env.get(v, v) for v in value],
            {name: op.attributes[name] for name in op.attributes},
            successors=list(successors),
            regions=regions,
            loc=op.location,
            ip=ip,
        )
        env.update(zip(op.results, new.results, strict=True))
        return new

    def _shell(self, op: ir.Operation, ip: ir.InsertionPoint, env: Env, state: State) -> State:
        """Copies `op` with its regions rewritten one by one."""
        after, state = self.trace.after(op, state), self.trace.entry(op, state)
        new = self._create(op, env, ip, regions=len(op.regions))
        for old, region in zip(op.regions, new.regions, strict=True):
            if len(old.blocks) > 1:
                raise error_at(
                    op, "uses objectFifos in a region of several blocks; expected structured control flow, or the core's own"
                )
            for block in old.blocks:
                copy = region.blocks.append(*[a.type for a in block.arguments], arg_locs=[a.location for a in block.arguments])
                env.update(zip(block.arguments, copy.arguments, strict=True))
                inner = state
                for view in block.operations:
                    inner = self.emit(view.operation, ir.InsertionPoint(copy), env, inner)
            if op.name == "scf.while":
                state = inner
        return after

    def _for(self, op: ir.Operation, ip: ir.InsertionPoint, env: Env, state: State) -> State:
        trips = Loop(op).trips()
        period = self.trace.period(op, state, trips)
        if trips is None or (period.first == 0 and period.length == 1):
            return self._shell(op, ip, env, state)
        low, step = (constant_of(v) for v in (op.operands[0], op.operands[2]))
        assert low is not None and step is not None
        kind = op.operands[0].type
        carried = [env.get(v, v) for v in list(op.operands)[3:]]
        trip = 0
        counted = any(True for _ in op.regions[0].blocks[0].arguments[0].uses)

        def alone(how_many: int) -> None:
            nonlocal trip, carried, state
            for _ in range(how_many):
                index = arith.constant(kind, low + trip * step, loc=op.location, ip=ip) if counted else None
                carried, state = self._iteration(op, index, carried, ip, env, state)
                trip += 1

        trip_count = max(0, trips - period.first) // period.length
        if trip_count <= 1:
            alone(trips)
        else:
            alone(period.first)
            stop = trip + trip_count * period.length
            numbers = (low + trip * step, low + stop * step, period.length * step)
            bounds = [_bound(op.operands[i], n, env, ip) for i, n in enumerate(numbers)]
            carried, state = self._unrolled_loop(op, bounds, carried, ip, env, state, period.length)
            trip = stop
            alone(trips - trip)
        env.update(zip(op.results, carried, strict=True))
        return state

    def _unrolled_loop(
        self,
        op: ir.Operation,
        bounds: Sequence[ir.Value],
        carried: list[ir.Value],
        ip: ir.InsertionPoint,
        env: Env,
        state: State,
        factor: int,
    ) -> tuple[list[Any], State]:
        """A loop whose body is `factor` iterations of `op`."""
        loop = self._create(op, dict(env), ip, regions=1, operands=[*bounds, *carried])
        old = op.regions[0].blocks[0]
        body = loop.regions[0].blocks.append(*[a.type for a in old.arguments], arg_locs=[a.location for a in old.arguments])
        inside = ir.InsertionPoint(body)
        index, *inner = list(body.arguments)
        for i in range(factor):
            here = index
            if i and any(True for _ in old.arguments[0].uses):
                distance = arith.constant(index.type, i * (constant_of(op.operands[2]) or 1), loc=op.location, ip=inside)
                here = arith.AddIOp(index, distance, loc=op.location, ip=inside).result
            inner, state = self._iteration(op, here, inner, inside, env, state)
        scf.YieldOp(inner, loc=op.location, ip=inside)
        return list(loop.results), state

    def _iteration(
        self,
        op: ir.Operation,
        index: ir.Value | None,
        carried: Sequence[ir.Value],
        ip: ir.InsertionPoint,
        env: Env,
        state: State,
    ) -> tuple[list[Any], State]:
        """Emits one iteration of a loop; returns the yielded values and the state after it."""
        body = op.regions[0].blocks[0]
        env.update(zip(body.arguments, [index, *carried], strict=True))
        *operations, last = [o.operation for o in body.operations]
        for inner in operations:
            state = self.emit(inner, ip, env, state)
        return [env.get(v, v) for v in last.operands], state


def _bound(old: ir.Value, number: int, env: Env, ip: ir.InsertionPoint) -> Any:
    """`number` as a bound or step of a loop; reuses the copy of the loop's value `old` if it is equal."""
    if constant_of(old) == number:
        return env.get(old, old)
    return arith.constant(old.type, number, loc=old.location, ip=ip)
