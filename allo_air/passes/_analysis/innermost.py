"""Chooses the innermost loop of an elementwise operation, so that its iterations take the least time."""

from __future__ import annotations

from allo_air.approximations import CYCLES
from allo_air.passes._analysis.loop_nest import LoopNest
from allo_air.passes._analysis.once import saved

START = 5
"""Additional time of a pipelined loop, in iterations: the latency of an instruction."""
LOAD, ELEMENT = 1, 3
"""Cycles to load a vector, and to load an element and broadcast it to the lanes."""


def innermost(loop_nest: LoopNest, dim: int, lanes: int) -> int:
    """The loop to place inside the vectors' loop along `dim`, of `lanes` lanes; that loop itself if none is better, as for a
    reduction.

    Loop-invariant work is hoisted out of it, such as the reciprocals that rows are multiplied by; loops of few vectors are
    dominated by their start.
    """
    pairs = zip(loop_nest.arguments, loop_nest.operands, strict=True)
    if any(loop_nest.reduces) or any(o.is_output and next(iter(a.uses), None) is not None for a, o in pairs):
        return dim
    trips = [size // lanes if d == dim else size for d, size in enumerate(loop_nest.sizes)]
    return min(
        [dim, *range(len(trips))], key=lambda d: _cycles_of_iteration(loop_nest, d, dim) * (1 + START / max(trips[d], 1))
    )


def _cycles_of_iteration(loop_nest: LoopNest, loop: int, dim: int) -> float:
    """Cycles of an iteration of a loop."""
    pairs = [(a, o) for a, o in zip(loop_nest.arguments, loop_nest.operands, strict=True) if not o.is_output]
    same = {a for a, o in pairs if not o.depends(loop)}
    loads = sum(LOAD if o.depends(dim) else ELEMENT for a, o in pairs if a not in same)
    work = sum(_cycles(op.name) for op in loop_nest.body)
    return 1 + loads + work - saved(loop_nest.body, same, lambda d: loop_nest.places[d] == loop, lambda op: _cycles(op.name))


def _cycles(name: str) -> int:
    return 0 if name == "arith.constant" else CYCLES.get(name, (1, 1))[0]
