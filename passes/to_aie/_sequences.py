"""The accesses to a buffer in the order of a tile's program, and the gates that keep them in order."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from allo_air.mlir import ir
from allo_air.passes.to_aie._channels import Stream
from allo_air.passes.to_aie._design import Transfer
from allo_air.passes.to_aie._sync import CORE, Access, Gate, Tangled, gates
from allo_air.passes.to_aie._words import primitive


@dataclass(frozen=True, eq=False)
class Run:
    """A core's use of a buffer: operations `first` to `last` of one block, at positions `begin` and `end` there.

    `others` are its uses at the same place of later loops, which move the buffer alike.
    """

    first: ir.Operation
    last: ir.Operation
    home: tuple[int, ...]
    begin: int
    end: int
    others: tuple[Run, ...] = ()
    agent: Hashable = CORE
    """The core, where it is not the one that the buffer is beside."""

    @property
    def all(self) -> tuple[Run, ...]:
        """This use and the others."""
        return (self, *self.others)


Step = Transfer | Run


@dataclass(frozen=True)
class Sequence:
    """The repeated accesses to a buffer; the gates are those of the shortest word that repeats, of `period` accesses.

    A `closing` step is the core's last, which goes on with the first of the next round: it takes the lock for both.
    """

    buffer: int
    steps: tuple[Step, ...]
    accesses: tuple[Access, ...]
    period: int
    gates: tuple[Gate, ...]
    closing: Run | None = None


def is_chain(sequence: Sequence) -> bool:
    """Whether several transfers fill a buffer and one drains it, or one fills it and several drain it, each once a round."""
    steps = sequence.steps[: sequence.period]
    puts = [step.put for step in steps if isinstance(step, Transfer)]
    if len(puts) < max(3, len(steps)) or any(a.count > 1 for a in sequence.accesses[: sequence.period]):
        return False
    return puts == sorted(puts) and 1 in (puts.count(False), puts.count(True))


def is_drained_only(sequence: Sequence) -> bool:
    """Whether nothing fills a buffer that transfers drain."""
    return all(isinstance(step, Transfer) and step.put for step in sequence.steps)


def sequence_of(
    buffer: int, steps: tuple[Step, ...], rings: dict[Stream, tuple[Transfer, ...]], *, in_step: bool = False
) -> Sequence:
    """The accesses to `buffer`; `in_step` where its readers, or those that fill parts of it, wait for each other, whatever they
    move besides."""

    def aligned(a: Hashable, b: Hashable) -> bool:
        if a not in rings or b not in rings:
            return False
        orders = [tuple(t.buffer for t in rings[s]) for s in (a, b)]
        if in_step:  # and may go over buffers of their own between
            both = set(orders[0]) & set(orders[1])
            orders = [tuple(n for n in order if n in both) for order in orders]
        return orders[0] == orders[1] and (in_step or keeps_turns(_visits(orders[0], buffer, _reads(steps, a)), buffer))

    runs = [(step, len(list(group))) for step, group in ((g[0], g) for g in _runs(steps))]
    try:
        return _gated(buffer, runs, aligned, in_step)
    except Tangled:
        return _gated(buffer, [(step, 1) for step in steps], aligned, in_step)


def keeps_turns(order: tuple[int, ...], buffer: int) -> bool:
    """Whether no channel that goes over buffers in this order comes to `buffer` again before all others have been there.

    A visit is after all others have left the buffer from its visit before. So a channel that has come from `buffer` back to it,
    over some on the way, knows where the others are at least: that has to be on their way to `buffer`, or behind.
    """
    count = len(order)

    def since(at: int) -> int:
        return next(n for n in range(at - 1, at - 1 - count, -1) if order[n % count] == order[at % count])

    visits = [at for at in range(2 * count) if order[at % count] == buffer]
    return all(any(since(n) >= at - 1 for n in range(at, again)) for at, again in pairwise(visits))


def _reads(steps: tuple[Step, ...], stream: Hashable) -> int:
    """How often `stream` reads a buffer between two fills; 1 where that differs."""
    counts = [0]
    for step in steps:
        if isinstance(step, Transfer) and not step.put:
            counts.append(0)
        elif isinstance(step, Transfer) and step.stream == stream:
            counts[-1] += 1
    first, *others = counts
    if others:
        others[-1] += first
    found = {count for count in others if count}
    return found.pop() if len(found) == 1 else 1


def _visits(order: tuple[int, ...], buffer: int, reads: int) -> tuple[int, ...]:
    """The visits of a channel that goes over buffers in this order, and takes the lock of `buffer` once for so many reads."""
    found: list[int] = []
    for number, group in groupby(order):
        length = len(list(group))
        each = reads if number == buffer and length % reads == 0 else length if number != buffer else 1
        found += [number] * (length // each)
    return tuple(found)


def _gated(buffer: int, runs: list[tuple[Step, int]], aligned: Callable[[Hashable, Hashable], bool], in_step: bool) -> Sequence:
    accesses = tuple(_access(step, count) for step, count in runs)
    short = primitive(accesses, lambda access: access)
    steps = tuple(s for s, _ in runs)
    if len(accesses) > 3 and accesses[0].agent == accesses[-1].agent == CORE:
        joined = primitive(accesses[:-1], lambda access: access)
        found = None if len(joined) == len(accesses) - 1 else _closed(list(joined), aligned)
        if found is not None:
            assert isinstance(steps[-1], Run)
            return Sequence(buffer, steps[:-1], accesses[:-1], len(joined), tuple(found), steps[-1])
    return Sequence(buffer, steps, accesses, len(short), tuple(gates(list(short), aligned, in_step=in_step)))


def _closed(word: list[Access], aligned: Callable[[Hashable, Hashable], bool]) -> list[Gate] | None:
    """The gates of a word whose first access the round before has taken the lock for; None where no lock can say so."""
    found = []
    for gate in gates(word, aligned):
        taken = dict(gate.dests).get(0, 0)
        if gate.init < taken:
            return None
        found.append(replace(gate, init=gate.init - taken))
    return found


def _runs(steps: tuple[Step, ...]) -> list[list[Step]]:
    """Neighbouring puts that one BD can do, together."""

    def key(numbered: tuple[int, Step]) -> Hashable:
        at, step = numbered
        return step.what if isinstance(step, Transfer) and step.put else at

    return [[step for _, step in group] for _, group in groupby(enumerate(steps), key)]


def _access(step: Step, count: int) -> Access:
    if isinstance(step, Transfer):
        return Access(step.stream, not step.put, step.walk, count)
    return Access(step.agent, True, None, count)
