"""The cycles of straight code and loops as a sum of terms, each a number of cycles per iteration of some loops.

Trip counts of the loops around code change how often it runs, but not how long an iteration takes. So the sum for one size of
the loops also gives the time for other sizes, if each trip count is replaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from allo_air.core.loops import Loop
from allo_air.core_model.machine import Machine
from allo_air.core_model.pipelining import body_of, is_innermost, pipelined
from allo_air.core_model.schedule import body_cycles, nest_cycles, straight_line_cycles
from allo_air.mlir import ir


@dataclass(frozen=True)
class Term:
    """`cycles` in each iteration of nested loops with these trip counts, the outermost first; `is_innermost`: the last one has
    no loop inside.
    """

    cycles: int
    trips: tuple[int, ...] = ()
    is_innermost: bool = False


def terms_of(ops: list[ir.Operation], machine: Machine, trips: tuple[int, ...] = ()) -> Iterator[Term]:
    """The terms of `ops`, which run in each iteration of loops with trip counts `trips`.

    Branches count as if all of them ran, loops with unknown bounds as if they ran once.
    """
    loops = [op for op in ops if op.name == "scf.for"]
    inner = [nest_cycles(loop, machine) for loop in loops]
    whole = body_cycles(ops, machine)
    if whole is None:
        straight = [op for op in ops if not list(op.regions)]
        own = straight_line_cycles(straight, machine).cycles + machine.jump * (len(ops) - len(straight) - len(loops))
    else:
        own = whole.cycles - sum(cost.cycles for cost in inner if cost is not None)
    yield Term(own, trips)
    for op in ops:
        if op.name == "scf.for":
            yield from _loop(op, machine, trips)
        else:
            for region in op.regions:
                for block in region.blocks:
                    yield from terms_of([o.operation for o in block.operations], machine, trips)


def _loop(loop: ir.Operation, machine: Machine, trips: tuple[int, ...]) -> Iterator[Term]:
    count = Loop(loop).trips()
    here = (*trips, 1 if count is None else count)
    if not is_innermost(loop):
        yield Term(machine.jump, here)
        yield from terms_of(body_of(loop), machine, here)
        return
    form = pipelined(loop, machine)
    if form.unrolled_cycles is not None:
        yield Term(form.unrolled_cycles, trips)
    else:
        yield Term(form.interval, here, is_innermost=True)
        yield Term(max(form.depth - form.interval, 0), trips)
