"""Unrolls the loops of a control program that a runtime sequence cannot have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from allo_air.arch.limits import QUEUE_DEPTH
from allo_air.core.cloning import clone, unroll
from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import FOR, Dim, Loop
from allo_air.core.upstream import run_upstream
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes.runtime._host_ops import EVENT
from allo_air.passes.runtime._trace import LAUNCH_END

_SEQUENCE_OPS = ("airrt.dma_memcpy_nd", "airrt.wait_all", "airrt.herd_load", "aiex.npu.load_pdi")


def unroll_loops(function: AnyOp, outputs: frozenset[str], *, unrolls: bool) -> None:
    """Unrolls, in place, the loops that a sequence cannot have, and folds constants."""
    run_upstream(function, "scf-forall-to-for")
    while loops := [o for o in walk_named(function, "affine.for", "affine.parallel", "scf.parallel") if has_sequence_ops(o)]:
        _unroll(loops[-1])
    run_upstream(function, "canonicalize,cse")
    _unroll_each(function, lambda loop: unrolls or _is_awaited_later(loop, outputs))
    while _unroll_each(function, _overfills):
        pass
    run_upstream(function, "canonicalize,cse")


def _unroll_each(function: AnyOp, selected: Callable[[AnyOp], bool]) -> bool:
    """Unrolls the loops with constant bounds that are `selected`, inner ones first; returns whether there were any."""
    result = False
    for loop in reversed(walk_named(function, "scf.for")):
        if has_sequence_ops(loop) and Loop(loop).dims() is not None and selected(loop):
            _unroll(loop)
            result = True
    return result


def has_sequence_ops(op: AnyOp) -> bool:
    """Whether `op` contains an operation that the runtime sequence performs."""
    return bool(walk_named(op, *_SEQUENCE_OPS))


def _unroll(op: AnyOp) -> None:
    """Unrolls a loop with constant bounds; in a parallel loop, which only joins events, the last index varies fastest."""
    loop = Loop(op)
    dims = loop.dims()
    if dims is None:
        raise error_at(op, "has bounds that are not constant; expected constants, or an scf.for")
    if op.name == "affine.for" and dims[0].trips > 1 and _is_launch(op):
        ir.Operation.create(
            "airrt.wait_all", [], [], {LAUNCH_END: ir.UnitAttr.get()}, ip=ir.InsertionPoint(loop.terminator), loc=op.location
        )
    with ir.InsertionPoint(op), op.location:
        if op.name in FOR:
            unroll(dims[0], index_constant)
        else:
            _unroll_parallel(loop, dims)


def _is_launch(loop: AnyOp) -> bool:
    """Whether each iteration loads a segment without waiting for all of it: the next one may only begin after that."""
    waits = walk_named(loop, "airrt.wait_all")
    return bool(walk_named(loop, "airrt.segment_load")) and not any(LAUNCH_END in w.attributes for w in waits)


def _unroll_parallel(loop: Loop, dims: Sequence[Dim]) -> None:
    events: list[Any] = []
    body = loop.body

    def nest(axis: int, mapping: dict[ir.Value, ir.Value]) -> None:
        if axis < len(dims):
            for value in dims[axis].values:
                nest(axis + 1, {**mapping, dims[axis].iv: index_constant(value)})
            return
        for op in body:
            clone(op, mapping)
        events.extend(mapping.get(v, v) for v in loop.yielded)

    nest(0, {})
    for result in loop.op.results:
        if str(result.type) != EVENT:
            raise error_at(loop.op, f"yields a {result.type}, which no control program needs; expected events")
        joined = ir.Operation.create("airrt.wait_all", [result.type], [*loop.inits, *events]).results[0]
        result.replace_all_uses_with(joined)
    loop.op.erase()


def _is_awaited_later(loop: AnyOp, outputs: frozenset[str]) -> bool:
    """Whether `loop` has an output without a wait inside the loop."""
    return any(
        "metadata" in op.attributes and op.attributes["metadata"].value in outputs and not _waited_for(op, loop.operation)
        for op in walk_named(loop, "airrt.dma_memcpy_nd")
    )


def _overfills(loop: AnyOp) -> bool:
    """Whether a loop without waits, with the transfers next to it up to the next wait, starts more tasks of an allocation
    than a queue holds."""
    if _waits(loop) or (Loop(loop).trips() or 0) < 2:
        return False
    adjacent: list[Any] = []
    for view in loop.block.operations:
        op = view.operation
        if _waits(op):
            if loop in adjacent:
                break
            adjacent.clear()
        adjacent.append(op)
    counts: Counter[str] = Counter()
    for op in adjacent:
        counts.update(_started(op))
    return any(counts[name] > QUEUE_DEPTH for name in _started(loop.operation))


def _waits(op: AnyOp) -> bool:
    """Whether `op` contains a wait, or waits for its operands."""
    return any(not len(o.results) for o in walk_named(op, "airrt.wait_all"))


def _started(op: ir.Operation) -> Counter[str]:
    """The number of tasks of each allocation that `op` starts, over all iterations."""
    counters: Counter[str] = Counter()
    for move in walk_named(op, "airrt.dma_memcpy_nd"):
        if "metadata" in move.attributes:
            loops = [p for p in parents(move) if p.name in FOR and (p == op or op in parents(p))]
            counters[move.attributes["metadata"].value] += prod(Loop(p).trips() or 1 for p in loops)
    return counters


def _waited_for(op: AnyOp, loop: ir.Operation) -> bool:
    """Whether a wait in the block of `op`, or at the end of a launch there, waits for it."""
    todo, seen = list(op.results), set[Any]()
    while todo:
        for use in todo.pop().uses:
            user = use.owner.operation
            if user.name != "airrt.wait_all" or user in seen or loop not in parents(user):
                continue
            seen.add(user)
            if not len(user.results):
                return True
            todo += list(user.results)
    later = list(op.block.operations)
    return any(o.operation.name == "airrt.wait_all" and LAUNCH_END in o.operation.attributes for o in later)
