"""`sequential`: a Python loop whose body is traced once, as the body of one scf.for."""

from __future__ import annotations

from collections.abc import Iterator

from allo_air.air.api.errors import RuntimeError, TypeError, ValueError, user_place
from allo_air.air.api.index import Index, Leaf
from allo_air.air.api.lifetime import end_lifetimes
from allo_air.air.api.naming import loop_name
from allo_air.air.api.symbol import plain
from allo_air.air.api.trace import Trace, tracing
from allo_air.air.api.values import constant
from allo_air.mlir import ir, scf

__all__ = ["sequential"]


def sequential(start: object, stop: object = None, step: object = None, name: str | None = None) -> Iterator[Index]:
    """`for k in air.sequential(0, K, tk)`: one `scf.for`; k is an index expression."""
    trace = tracing("sequential", "the body of a herd or segment")
    if trace.frame.kind not in ("herd", "segment"):
        raise RuntimeError("sequential is outside of the body of a herd or segment; a launch's grid is its loop")
    low, high = (0, start) if stop is None else (start, stop)
    first, last, by = (_integer(v, w) for v, w in ((low, "start"), (high, "stop"), (1 if step is None else step, "step")))
    if by <= 0:
        raise ValueError(f"sequential: the step is {by}, expected a positive one")
    if last <= first:
        raise ValueError(f"sequential: {first} to {last} is empty")
    if (last - first) % by:
        raise ValueError(f"sequential: the step {by} does not divide the extent {last - first}; there are no partial steps")
    return _loop(trace, first, last, by, name or loop_name() or "k")


def _loop(trace: Trace, first: int, last: int, step: int, name: str) -> Iterator[Index]:
    frame, leaf = trace.frame, Leaf(name, (last - first) // step, first, step)
    file, line = user_place()
    with trace.emit():
        loop = scf.ForOp(constant(first), constant(last), constant(step))
        with ir.InsertionPoint(loop.body):
            scf.YieldOp([])
    frame.values[leaf] = loop.induction_variable
    block = loop.body
    frame.blocks.append(block)
    frame.open_loops.append(f" ({name}, line {line})" if file else f" ({name})")
    yield Index({leaf: 1})
    end_lifetimes([b for b, owner in frame.buffers if owner is block], block)
    for ended in (b for b, owner in frame.buffers if owner is block):
        del frame.values[ended]
    frame.buffers = [(b, owner) for b, owner in frame.buffers if owner is not block]
    frame.open_loops.pop()
    frame.blocks.pop()
    del frame.values[leaf]


def _integer(value: object, which: str) -> int:
    number = plain(value)
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"sequential: {which} is {value!r}, expected an integer or a symbol")
    return number
