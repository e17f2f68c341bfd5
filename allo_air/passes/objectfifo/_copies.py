"""Unrolls a core's loops and folds the resulting constants. It works on a copy of the core in a separate function, so that
constants stay in the core, and a copy without gain can be dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone, clone_body, replace
from allo_air.core.constants import constant_of
from allo_air.core.functions import new_function
from allo_air.core.loops import Loop
from allo_air.core.upstream import run_upstream
from allo_air.core.walking import walk, walk_named, walk_post_order
from allo_air.dialects import aie
from allo_air.mlir import AnyOp, arith, func, ir, scf

_FOLD = "canonicalize{region-simplify=disabled},sccp,canonicalize{region-simplify=disabled}"


@dataclass(frozen=True)
class Unrolled:
    """The unrolling of a loop: `factor` iterations in one, with the first iteration before the loop if it is `peeled`."""

    factor: int = 1
    peeled: bool = False


class Copy:
    """A copy of a core in a function, whose arguments are the values of the device that the core uses."""

    def __init__(self, core: AnyOp):
        self.core = core
        self.module = ir.Module.create(core.location)
        within: set[Any] = {r for op in walk_post_order(core) for r in op.results}
        blocks = [b for op in walk_post_order(core) for region in op.regions for b in region.blocks]
        within.update(a for b in blocks for a in b.arguments)
        used = [v for op in walk_post_order(core) for v in op.operands if v not in within]
        self.outside = list(dict.fromkeys(used))
        types, ip = [v.type for v in self.outside], ir.InsertionPoint(self.module.body)
        self.function: Any
        with core.location:
            self.function, block = new_function("core", types, [], is_private=False, ip=ip)
        clone(core, dict(zip(self.outside, block.arguments, strict=True)), ir.InsertionPoint(block))
        func.ReturnOp([], loc=core.location, ip=ir.InsertionPoint(block))

    def unrolled(self, plan: list[Unrolled], loops: Any) -> AnyOp:
        """A folded copy of the function with its `loops` (inner ones first) unrolled by the entries of `plan`."""
        op = self.function.clone(ir.InsertionPoint(self.module.body)).operation
        for loop, unrolling in zip(loops(op), plan, strict=True):
            _unroll(loop, unrolling)
        run_upstream(op, _FOLD)
        return op

    def adopt(self, function: AnyOp) -> AnyOp:
        """Replaces the copied core by the core of `function`; returns the new core."""
        block = function.regions[0].blocks[0]
        [core] = walk_named(function, "aie.core")
        start = core.regions[0].blocks[0].operations[0]
        for op in [o.operation for o in block.operations]:
            if op.name not in ("aie.core", "func.return"):  # constants that folding moved to the start of the function
                op.move_before(start.operation)
        new = clone(core, dict(zip(block.arguments, self.outside, strict=True)), ir.InsertionPoint(self.core))
        replace(self.core, new.results)
        return new


def open_ends(op: AnyOp) -> tuple[int, int]:
    """The run-time decisions in `op`: the number of buffers that are selected, and the number of locks whose value or use
    is not constant."""
    switches = [o for o in walk_named(op, "scf.index_switch") if any(map(_chosen, o.results))]
    numbers = [lock.amount for lock in walk(op, aie.UseLockOp) if lock.amount is not None]
    conditionals = [o for o in walk_named(op, "scf.if") if any(inner.operation.name == "aie.use_lock" for inner in _first(o))]
    return len(switches), sum(constant_of(number) is None for number in numbers) + len(conditionals)


def _first(op: AnyOp) -> Any:
    return op.regions[0].blocks[0].operations


def _chosen(value: ir.Value) -> bool:
    """Whether `value` is a buffer, or a lock."""
    return isinstance(value.type, ir.MemRefType) or any(use.owner.operation.name == "aie.use_lock" for use in value.uses)


def fold_lock_values(core: AnyOp) -> None:
    """Turns constant lock values into attributes; erases acquires of 0 and unused constants."""
    for lock in walk(core, aie.UseLockOp):
        number = None if lock.amount is None else constant_of(lock.amount)
        if number is None:
            continue
        if number or lock.action != _AT_LEAST:
            ip = ir.InsertionPoint(lock)
            aie.UseLockOp(lock=lock.lock, action=lock.action, value=number, loc=lock.location, ip=ip)
        lock.operation.erase()
    for op in walk_named(core, "arith.constant"):
        if not any(True for _ in op.results[0].uses):
            op.erase()


_AT_LEAST = 2
"""`AcquireGreaterEqual`."""


def _unroll(op: AnyOp, unrolling: Unrolled) -> None:
    """Rewrites `op` as separate iterations and a loop of the others; only a loop with a known trip count has a separate first
    iteration."""
    if unrolling.factor == 1 and not unrolling.peeled:
        return
    loop, ip, trips = Loop(op), ir.InsertionPoint(op), Loop(op).trips()
    low, high, step = op.operands[0], op.operands[1], op.operands[2]
    kind, carried, trip = low.type, list(op.operands)[3:], 0
    if trips is None:
        main = _whole_turns(op, unrolling.factor, ip)
        carried = _unrolled_loop(op, low, main, carried, unrolling.factor, ip)
        rest = _loop(op, [main, high, step], carried, ip)
        _fill(op, rest, 1)
        replace(op, rest.results)
        return
    first, stride = constant_of(low), constant_of(step)
    assert first is not None and stride is not None

    def number(index: int) -> Any:
        return arith.constant(kind, first + index * stride, loc=op.location, ip=ip)

    def alone(count: int) -> None:
        nonlocal carried, trip
        for _ in range(count):
            mapping = dict(zip(loop.block.arguments, [number(trip), *carried], strict=True))
            carried = clone_body(loop.block, mapping, ip)[1]
            trip += 1

    alone(min(trips, int(unrolling.peeled)))
    trip_count = (trips - trip) // unrolling.factor
    if trip_count > 1:
        carried = _unrolled_loop(op, number(trip), number(trip + trip_count * unrolling.factor), carried, unrolling.factor, ip)
        trip += trip_count * unrolling.factor
    alone(trips - trip)
    replace(op, carried)


def _whole_turns(op: AnyOp, factor: int, ip: ir.InsertionPoint) -> Any:
    """The bound up to which `op` runs in whole groups of `factor` iterations."""
    low, high, step = list(op.operands)[:3]
    kwargs: dict[str, Any] = {"loc": op.location, "ip": ip}
    none, by = (arith.constant(low.type, n, **kwargs) for n in (0, factor))
    trips = arith.maxsi(arith.ceildivsi(arith.subi(high, low, **kwargs), step, **kwargs), none, **kwargs)
    whole = arith.subi(trips, arith.remsi(trips, by, **kwargs), **kwargs)
    return arith.addi(low, arith.muli(whole, step, **kwargs), **kwargs)


def _unrolled_loop(
    op: AnyOp, low: ir.Value, high: ir.Value, carried: list[ir.Value], factor: int, ip: ir.InsertionPoint
) -> list[Any]:
    """A loop from `low` to below `high` whose body is `factor` iterations of `op`; returns its results."""
    step = op.operands[2]
    by = arith.constant(step.type, factor, loc=op.location, ip=ip)
    new = _loop(op, [low, high, arith.muli(step, by, loc=op.location, ip=ip)], carried, ip)
    _fill(op, new, factor)
    return list(new.results)


def _loop(op: AnyOp, bounds: list[ir.Value], carried: list[ir.Value], ip: ir.InsertionPoint) -> Any:
    """A loop with the attributes of `op`; its body is empty."""
    with op.location:
        new = scf.ForOp(*bounds, carried, ip=ip).operation
    for name, attribute in op.attributes.items():
        new.attributes[name] = attribute
    return new


def _fill(op: AnyOp, new: Any, factor: int) -> None:
    """Fills the empty loop `new` with `factor` iterations of `op`."""
    old, body = Loop(op).block, Loop(new).block
    ip = ir.InsertionPoint(body)
    index, *carried = body.arguments
    for i in range(factor):
        here = index
        if i:
            count = arith.constant(index.type, i, loc=op.location, ip=ip)
            distance = arith.muli(count, op.operands[2], loc=op.location, ip=ip)
            here = arith.addi(index, distance, loc=op.location, ip=ip)
        carried = clone_body(old, dict(zip(old.arguments, [here, *carried], strict=True)), ip)[1]
    scf.YieldOp(carried, loc=op.location, ip=ip)
