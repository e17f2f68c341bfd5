"""The accesses to a buffer in the order of a tile's program, and the locks (gates) that keep them in order."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby, pairwise

from allo_air.mlir import ir
from allo_air.passes.to_aie._channels import Stream
from allo_air.passes.to_aie._design import Transfer
from allo_air.passes.to_aie._fewer_gates import fewer
from allo_air.passes.to_aie._periods import shortest_period
from allo_air.passes.to_aie._sync import CORE, Access, Gate, InexpressibleAccesses, gates


@dataclass(frozen=True, eq=False)
class Run:
    """A core's use of a buffer: operations `first` to `last` of one block, at positions `begin` and `end` there.

    `repeats` are its uses at the same place of later loops, which move the buffer alike.
    """

    first: ir.Operation
    last: ir.Operation
    home: tuple[int, ...]
    begin: int
    end: int
    repeats: tuple[Run, ...] = ()
    agent: Hashable = CORE
    """The core, if it is not the core next to the buffer."""

    @property
    def all(self) -> tuple[Run, ...]:
        """This use and its repetitions."""
        return (self, *self.repeats)


Step = Transfer | Run


class LockScheme(Enum):
    """The scheme by which agents share locks. The value says which agents share one."""

    SHARED = "the channels that fill a buffer, or those that read it, as in mlir-air"
    CHAINED = "as ONE_TAKER if several channels fill a buffer and one reads it, or the reverse; otherwise as SHARED"
    ONE_TAKER = "none that acquire it: one agent acquires each lock"
    FEWEST = "as SHARED, and all accesses by which one agent passes a buffer on to another"


@dataclass(frozen=True)
class Sequence:
    """The repeated accesses to a buffer; the gates are those of the shortest period, of `period` accesses. A `closing` step
    is the core's last use, which continues with the first one of the next round: it acquires the lock for both.
    """

    buffer: int
    steps: tuple[Step, ...]
    accesses: tuple[Access, ...]
    period: int
    gates: tuple[Gate, ...]
    closing: Run | None = None


def is_chain(sequence: Sequence) -> bool:
    """Whether several transfers fill a buffer and one drains it, or one fills it and several drain it, each once per round."""
    steps = sequence.steps[: sequence.period]
    puts = [step.put for step in steps if isinstance(step, Transfer)]
    if len(puts) < max(3, len(steps)) or any(a.count > 1 for a in sequence.accesses[: sequence.period]):
        return False
    return puts == sorted(puts) and 1 in (puts.count(False), puts.count(True))


def is_drained_only(sequence: Sequence) -> bool:
    """Whether transfers drain a buffer that no transfer fills."""
    return all(isinstance(step, Transfer) and step.put for step in sequence.steps)


def sequence_of(
    buffer: int,
    steps: tuple[Step, ...],
    rings: dict[Stream, tuple[Transfer, ...]],
    *,
    in_step: bool = False,
    locks: LockScheme = LockScheme.SHARED,
) -> Sequence:
    """The accesses to `buffer`, with locks by the scheme `locks`. With `in_step`, its readers, or the channels that fill
    parts of it, wait for each other even if they also move other buffers."""

    def aligned(a: Hashable, b: Hashable) -> bool:
        if a not in rings or b not in rings:
            return False
        orders = [tuple(t.buffer for t in rings[s]) for s in (a, b)]
        if in_step:  # and may access other buffers in between
            both = set(orders[0]) & set(orders[1])
            orders = [tuple(n for n in order if n in both) for order in orders]
        return orders[0] == orders[1] and (in_step or is_in_turn(_visits(orders[0], buffer, _reads(steps, a)), buffer))

    def gated(one_taker: bool) -> Sequence:
        def gates_of(word: list[Access], in_step: bool) -> list[Gate]:
            return gates(word, aligned, in_step=in_step, one_taker=one_taker)

        try:
            return _gated(buffer, _runs(steps, pairs=one_taker), gates_of, in_step)
        except InexpressibleAccesses:
            return _gated(buffer, [(step, 1) for step in steps], gates_of, in_step)

    if locks is LockScheme.CHAINED:
        return gated(True) if is_chain(shared := gated(False)) else shared
    result = gated(locks is LockScheme.ONE_TAKER)
    if locks is LockScheme.FEWEST and result.closing is None:
        return replace(result, gates=tuple(fewer(result.gates, result.accesses[: result.period])))
    return result


def is_in_turn(order: tuple[int, ...], buffer: int) -> bool:
    """Whether no channel, in this order of buffers, accesses `buffer` again before all other channels have accessed it. Each
    access starts after all others have finished the previous round of the buffer. A channel that returns to `buffer` by way
    of other buffers therefore has a lower bound on the progress of the other channels, which must be at least on the way to
    `buffer`.
    """
    count = len(order)

    def since(visit: int) -> int:
        return next(n for n in range(visit - 1, visit - 1 - count, -1) if order[n % count] == order[visit % count])

    visits = [visit for visit in range(2 * count) if order[visit % count] == buffer]
    return all(any(since(n) >= visit - 1 for n in range(visit, again)) for visit, again in pairwise(visits))


def _reads(steps: tuple[Step, ...], stream: Hashable) -> int:
    """The number of times that `stream` reads a buffer between two fills; 1 if that varies."""
    counts = [0]
    for step in steps:
        if isinstance(step, Transfer) and not step.put:
            counts.append(0)
        elif isinstance(step, Transfer) and step.stream == stream:
            counts[-1] += 1
    first, *rest = counts
    if rest:
        rest[-1] += first
    results = {count for count in rest if count}
    return results.pop() if len(results) == 1 else 1


def _visits(order: tuple[int, ...], buffer: int, reads: int) -> tuple[int, ...]:
    """The accesses of a channel in this order of buffers, if it acquires the lock of `buffer` once for a number of reads."""
    visits: list[int] = []
    for number, group in groupby(order):
        length = len(list(group))
        each = reads if number == buffer and length % reads == 0 else length if number != buffer else 1
        visits += [number] * (length // each)
    return tuple(visits)


_GatesOf = Callable[[list[Access], bool], list[Gate]]
"""The gates of a sequence of accesses, and whether its channels advance in step."""


def _gated(buffer: int, runs: list[tuple[Step, int]], gates_of: _GatesOf, in_step: bool) -> Sequence:
    accesses = tuple(_access(step, count) for step, count in runs)
    short = shortest_period(accesses, lambda access: access)
    steps = tuple(s for s, _ in runs)
    if len(accesses) > 3 and accesses[0].agent == accesses[-1].agent == CORE:
        joined = shortest_period(accesses[:-1], lambda access: access)
        result = None if len(joined) == len(accesses) - 1 else _closed(list(joined), gates_of)
        if result is not None:
            assert isinstance(steps[-1], Run)
            return Sequence(buffer, steps[:-1], accesses[:-1], len(joined), tuple(result), steps[-1])
    return Sequence(buffer, steps, accesses, len(short), tuple(gates_of(list(short), in_step)))


def _closed(word: list[Access], gates_of: _GatesOf) -> list[Gate] | None:
    """The gates of a sequence for whose first access the previous round acquired the lock; None if no lock can express that."""
    results = []
    for gate in gates_of(word, False):
        acquired = dict(gate.dests).get(0, 0)
        if gate.init < acquired:
            return None
        results.append(replace(gate, init=gate.init - acquired))
    return results


def _runs(steps: tuple[Step, ...], *, pairs: bool) -> list[tuple[Step, int]]:
    """The steps, with consecutive repetitions, which one BD does, as one step and its count; with `pairs` also alternating
    pairs of puts of a channel."""
    runs: list[tuple[Step, int]] = []
    first = 0
    while first < len(steps):
        length, count = max(((n, _repeats(steps[first:], n)) for n in ((1, 2) if pairs else (1,))), key=lambda run: run[1])
        runs += [(step, count) for step in steps[first : first + length]]
        first += length * count
    return runs


def _repeats(steps: tuple[Step, ...], length: int) -> int:
    """The number of consecutive occurrences of the first `length` steps, which are puts of one channel; 1 for other steps."""
    keys = [step.bd_key if isinstance(step, Transfer) and step.put else None for step in steps]
    first = keys[:length]
    if None in first or len({what and what[:2] for what in first}) > 1 or len(first) < length:
        return 1
    count = 1
    while keys[count * length : (count + 1) * length] == first:
        count += 1
    return count


def _access(step: Step, count: int) -> Access:
    if isinstance(step, Transfer):
        return Access(step.stream, not step.put, step.walk, count)
    return Access(step.agent, True, None, count, core=True)
