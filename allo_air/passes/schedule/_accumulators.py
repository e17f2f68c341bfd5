"""Hoists accumulators: buffers that each iteration of a loop loads from, and stores to, the same place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_post_order
from allo_air.dialects.air import L1, DmaMemcpyNdOp
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._ir.leave_loop import can_leave, invariant_slice, is_outside, leave_loop

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_VIEWS = ("memref.subview", "memref.cast", "memref.expand_shape", "memref.collapse_shape", "memref.transpose")


@dataclass(frozen=True)
class Accumulator:
    """An accumulator in a loop. `front` are the operations that load it (and allocate it, if the loop does); `back` store it
    (and may free it).

    All are directly in the loop's body. In asynchronous IR, allocation and freeing are in `air.execute`. `invariant` are the
    operations that compute the buffer's source.
    """

    front: list[ir.Operation]
    back: list[ir.Operation]
    invariant: list[ir.Operation]


def hoist_accumulators(root: AnyOp) -> None:
    """Moves the loads and stores of accumulators out of all scf.for loops in `root`, inner loops first.

    Each iteration stores the data that the next one loads. So one load before the loop and one store after it are enough, if
    the rest of the loop does not access the source.
    """
    for loop in [o for o in walk_post_order(root) if o.name == "scf.for"]:
        while (result := _find(loop)) is not None:
            for op in result.invariant:
                op.move_before(loop)
            leave_loop(loop, result.front, result.back)


def _find(loop: ir.Operation) -> Accumulator | None:
    body = [o.operation for o in loop.regions[0].blocks[0].operations]
    dmas = [DmaMemcpyNdOp(o) for o in body if o.name == DmaMemcpyNdOp.OPERATION_NAME]
    loads = [d for d in dmas if is_in(d.dst.type, L1) and not is_in(d.src.type, L1)]
    pairs = [(load, store) for load in loads for store in dmas if _mirrored(load, store)]
    accumulators = (_accumulator(loop, body, load, store) for load, store in pairs)
    return next((a for a in accumulators if a is not None), None)


def _data_key(dma: DmaMemcpyNdOp) -> list[ir.Value]:
    """Everything that determines the data of `dma`, without tokens."""
    return list(dma.operands)[len(dma.deps) :]


def _mirrored(load: DmaMemcpyNdOp, store: DmaMemcpyNdOp) -> bool:
    """Whether `store` copies the elements of `load` back to their source, in the same order."""
    padded = any(name in op.attributes for op in (load, store) for name in ("pad_before", "pad_after"))
    walk, back = _walked(load, "dst") + _walked(load, "src"), _walked(store, "src") + _walked(store, "dst")
    return not padded and all(len(a) == len(b) and all(map(_equal, a, b)) for a, b in zip(walk, back, strict=True))


def _walked(dma: DmaMemcpyNdOp, side: str) -> list[Sequence[ir.Value]]:
    lists = [getattr(dma, f"{side}_{part}") for part in ("offsets", "sizes", "strides")]
    return [[getattr(dma, side)], *lists]


def _equal(a: ir.Value, b: ir.Value) -> bool:
    return bool(a == b or (constant_of(a) is not None and constant_of(a) == constant_of(b)))


def _accumulator(loop: ir.Operation, body: list[ir.Operation], load: DmaMemcpyNdOp, store: DmaMemcpyNdOp) -> Accumulator | None:
    """The accumulator with the transfers `load` and `store`; None if the loop needs these transfers in each iteration."""
    local, far = root_of(load.dst), root_of(load.src)
    first, last = body.index(load.operation), body.index(store.operation)
    places = [v for v in (*_data_key(load), *_data_key(store)) if v != load.dst]
    invariant = invariant_slice(places, loop)
    if invariant is None or touching(body, far) - {first, last}:
        return None
    deallocs = [
        n for n, op in enumerate(body) if wrapped(op).name == "memref.dealloc" and root_of(wrapped(op).operands[0]) == local
    ]
    if any(not first <= n <= last for n in touching(body, local) - set(deallocs)) or any(n < last for n in deallocs):
        return None
    allocs = [op for op in body if wrapped(op).name == "memref.alloc" and wrapped(op).results[0] == local]
    if not (allocs or (is_outside(load.dst, loop) and runs_at_least_once(loop))) or len(deallocs) > 1:
        return None
    accumulator = Accumulator([*allocs, load.operation], [store.operation, *(body[n] for n in deallocs)], invariant)
    return accumulator if can_leave(loop, accumulator.front, accumulator.back) else None


def touching(body: list[ir.Operation], memory: ir.Value) -> set[int]:
    """Positions of the operations in `body` that use buffer `memory`, directly or nested, other than by views."""
    return {
        n
        for n, top in enumerate(body)
        for op in walk_post_order(top)
        if op.name not in _VIEWS and not (op.name == "air.execute_terminator" and wrapped(top).name == "memref.alloc")
        if any(_is_memref(v) and root_of(v) == memory for v in op.operands)
    }


def _is_memref(value: ir.Value) -> bool:
    return isinstance(value.type, (ir.MemRefType, ir.UnrankedMemRefType))


def wrapped(op: ir.Operation) -> ir.Operation:
    """The only operation in an `air.execute`; otherwise `op` itself."""
    if op.name != "air.execute":
        return op
    inner_ops = [o.operation for o in op.regions[0].blocks[0].operations]
    return inner_ops[0] if len(inner_ops) == 2 else op


def runs_at_least_once(loop: ir.Operation) -> bool:
    """Whether the loop has at least one iteration. Otherwise the store after it would change the buffer."""
    lower, upper = (constant_of(v) for v in list(loop.operands)[:2])
    return lower is not None and upper is not None and lower < upper
