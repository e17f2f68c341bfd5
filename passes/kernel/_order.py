"""Which loop of an elementwise operation is the innermost one: that in which its iterations take the least time."""

from __future__ import annotations

from allo_air.approximations import CYCLES
from allo_air.passes._analysis.once import saved
from allo_air.passes.kernel._loop_nest import LoopNest

START = 5
"""Iterations that a pipelined loop takes longer than each of its own: an instruction's latency."""
LOAD, ELEMENT = 1, 3
"""Cycles to load a vector, and an element that is spread over the lanes."""


def innermost(loop_nest: LoopNest, dim: int, lanes: int) -> int:
    """The loop to go inside that of the vectors of `lanes`, along `dim`; this one where none is better, as with a reduction.

    What does not depend on it is computed once in front of it, such as the reciprocals by which rows are multiplied; and loops
    of few vectors take the time that each begins with.
    """
    pairs = zip(loop_nest.arguments, loop_nest.operands, strict=True)
    if any(loop_nest.reduces) or any(o.is_output and next(iter(a.uses), None) is not None for a, o in pairs):
        return dim
    trips = [size // lanes if d == dim else size for d, size in enumerate(loop_nest.sizes)]
    return min([dim, *range(len(trips))], key=lambda d: _each(loop_nest, d, dim) * (1 + START / max(trips[d], 1)))


def _each(loop_nest: LoopNest, loop: int, dim: int) -> float:
    """Cycles of an iteration of a loop."""
    pairs = [(a, o) for a, o in zip(loop_nest.arguments, loop_nest.operands, strict=True) if not o.is_output]
    same = {a for a, o in pairs if not o.depends(loop)}
    loads = sum(LOAD if o.depends(dim) else ELEMENT for a, o in pairs if a not in same)
    work = sum(_cycles(op.name) for op in loop_nest.body)
    return 1 + loads + work - saved(loop_nest.body, same, lambda d: loop_nest.places[d] == loop, lambda op: _cycles(op.name))


def _cycles(name: str) -> int:
    return 0 if name == "arith.constant" else CYCLES.get(name, (1, 1))[0]
