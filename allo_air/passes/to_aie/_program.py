"""The locks and BD rings of a tile, from the order of its transfers."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Hashable, Mapping
from dataclasses import dataclass, replace
from itertools import cycle, islice
from math import lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.device import BDFormat, Tile
from allo_air.errors import counted
from allo_air.passes.to_aie._channels import NO_PREFERENCES, Preferences, Stream, number
from allo_air.passes.to_aie._design import BD, Hold, Lock, Place, Ring, TileProgram, Transfer, in_text_order
from allo_air.passes.to_aie._periods import LIMIT, TooLong, items, period_of, pick, shortest_period
from allo_air.passes.to_aie._sequences import LockScheme, Run, Sequence, Step, is_drained_only, sequence_of
from allo_air.passes.to_aie._sync import Gate
from allo_air.passes.to_aie._walks import UnwalkableError, fit

if TYPE_CHECKING:
    from allo_air.passes.to_aie._periods import Loop


@dataclass(frozen=True)
class CoreHold:
    """A lock that a core acquires before operation `op`, or releases after it; `after` overrides the position unless it is
    None."""

    op: Any
    lock: int
    amount: int
    release: bool
    after: bool | None = None
    buffer: int | None = None
    """The buffer of the lock, if there is one."""


@dataclass(frozen=True)
class Planned:
    """A tile's program, its DMA channel for each stream, and the acquires and releases of its core."""

    program: TileProgram
    channels: dict[Stream, int]
    core: tuple[CoreHold, ...]


def rings_of(tree: tuple[object, ...]) -> dict[Stream, tuple[Transfer, ...]]:
    """The sequence of transfers that each stream of a tile repeats; streams are in order of appearance."""
    transfers: dict[Stream, tuple[Transfer, ...]] = {}
    for transfer in items(tree):
        if transfer.stream in transfers:
            continue
        selected = pick(tree, lambda t, s=transfer.stream: t.stream == s)  # type: ignore[misc]
        transfers[transfer.stream] = word(selected, transfer)
    return {stream: ring for stream, ring in transfers.items() if ring}


def word(tree: tuple[Transfer | Loop, ...], transfer: Transfer) -> tuple[Any, ...]:
    """The `period_of` transfers; a tree without a short period is an error at `transfer`."""
    try:
        return period_of(tree, lambda t: t.bd_key)
    except TooLong as error:
        raise error_at(
            transfer.op,
            f"is one of the transfers of '@{transfer.key[0]}' that no ring of BDs repeats: {error}; at most {LIMIT}",
        ) from None


def sequences_of_buffers(tree: tuple[Transfer | Loop, ...]) -> dict[int, tuple[Transfer, ...]]:
    """The sequence of accesses that each buffer of `tree` repeats; buffers are in order of appearance."""
    transfers: dict[int, tuple[Transfer, ...]] = {}
    for transfer in items(tree):
        if transfer.buffer not in transfers:
            transfers[transfer.buffer] = word(pick(tree, lambda t, b=transfer.buffer: t.buffer == b), transfer)  # type: ignore[misc]
    return transfers


def plan(
    place: Place,
    tree: tuple[Transfer | Loop, ...],
    sequences: Mapping[int, tuple[Step, ...]],
    handshakes: frozenset[int],
    tile: Tile,
    preferences: Preferences = NO_PREFERENCES,
    schemes: Mapping[int, LockScheme] = MappingProxyType({}),
) -> Planned:
    """The program of the `tile` at `place`: its transfers are `tree`, and each buffer's accesses repeat its sequence. Buffers
    have locks by `schemes`; other buffers share locks. The core requests each transfer on the buffers in `handshakes` at its
    position.
    """
    rings = rings_of(tree)
    results = [
        sequence_of(buffer, steps, rings, locks=schemes.get(buffer, LockScheme.SHARED)) for buffer, steps in sequences.items()
    ]
    locks, holds, core = numbered(results, rings, filled_by_nothing=sequences if tile.kind == "mem" else ())
    for buffer in sorted(handshakes):
        for stream in rings:
            if any(t.buffer == buffer for t in rings[stream]):
                go, done = Lock(len(locks), 0), Lock(len(locks) + 1, 0)
                locks += [go, done]
                holds[buffer, stream] = [Hold((go.number, 1), (done.number, 1))]
                for transfer in items(tree):
                    if transfer.buffer == buffer and transfer.stream == stream:
                        core += [CoreHold(transfer, go.number, 1, True), CoreHold(transfer, done.number, 1, False)]
    return planned(place, locks, rings, holds, core, tile, preferences)


def planned(
    place: Place,
    locks: list[Lock],
    rings: dict[Stream, tuple[Transfer, ...]],
    holds: dict[tuple[int, Stream], list[Hold]],
    core: list[CoreHold],
    tile: Tile,
    preferences: Preferences = NO_PREFERENCES,
) -> Planned:
    """The program of a tile whose rings have `holds`. Locks are numbered as in mlir-air: ring by ring, those with initial
    value 0 first."""
    assert tile.bd is not None
    bds = {s: bds_of(s, rings[s], holds, tile.bd) for s in rings}
    channels = number({s: len(item) for s, item in bds.items()}, tile, preferences=preferences)
    results = tuple(Ring(s[1], channels[s], bds[s]) for s in rings)
    inits = {lock.number: lock.init for lock in locks}
    order: list[int] = []
    for ring in in_text_order(results):
        used = (hold[0] for bd in ring.bds for hold in (bd.hold.acquire, bd.hold.release) if hold)
        order += sorted(dict.fromkeys(n for n in used if n not in order), key=lambda n: inits[n])
    order += [n for n in inits if n not in order]
    new = {old: position for position, old in enumerate(order)}
    return Planned(
        TileProgram(
            place,
            tuple(Lock(position, inits[old]) for position, old in enumerate(order)),
            tuple(_with(r, new) for r in results),
        ),
        channels,
        tuple(replace(hold, lock=new[hold.lock]) for hold in core),
    )


def _with(ring: Ring, new: dict[int, int]) -> Ring:
    def renumbered(hold: tuple[int, int] | None) -> tuple[int, int] | None:
        return hold and (new[hold[0]], hold[1])

    bds = (replace(b, hold=Hold(renumbered(b.hold.acquire), renumbered(b.hold.release))) for b in ring.bds)
    return replace(ring, bds=tuple(bds))


def numbered(
    sequences: list[Sequence],
    rings: dict[Stream, tuple[Transfer, ...]],
    homes: Mapping[int, Place] = MappingProxyType({}),
    filled_by_nothing: Container[int] = (),
) -> tuple[list[Lock], dict[tuple[int, Stream], list[Hold]], list[CoreHold]]:
    """Locks for the gates, and their holders: for each access of a buffer and stream, in order, and for the core. Buffers of
    different tiles, by `homes`, do not share locks; those `filled_by_nothing` have separate locks.
    """
    locks: list[Lock] = []
    acquire: dict[tuple[int, int], list[tuple[int, int]]] = {}
    release: dict[tuple[int, int], list[tuple[int, int]]] = {}
    unfilled = [s for s in sequences if s.buffer in filled_by_nothing and is_drained_only(s)]
    for sequence in unfilled:  # each transfer acquires and releases the same lock
        own = Lock(len(locks), 1)
        locks.append(own)
        for slot in range(sequence.period):
            acquire[sequence.buffer, slot] = release[sequence.buffer, slot] = [(own.number, 1)]
    for group in _shared([s for s in sequences if s not in unfilled], rings, homes):
        lock = Lock(len(locks), sum(gate.init for _, gate in group))
        locks.append(lock)
        for sequence, gate in group:
            for ends, holds_of in ((gate.sources, release), (gate.dests, acquire)):
                for slot, amount in ends:
                    holds_of.setdefault((sequence.buffer, slot), []).append((lock.number, amount))
    results: dict[tuple[int, Stream], list[tuple[Hashable, Hold]]] = {}
    core: list[CoreHold] = []
    for sequence in sequences:
        for slot, (step, access) in enumerate(zip(sequence.steps, sequence.accesses, strict=True)):
            slot_of_buffer = sequence.buffer, slot % sequence.period
            acquires, value = acquire.get(slot_of_buffer, []), release.get(slot_of_buffer, [])
            if isinstance(step, Transfer):
                hold = Hold(*(ends[0] if ends else None for ends in (acquires, value)))
                results.setdefault((sequence.buffer, step.stream), []).extend([(step.bd_key, hold)] * access.count)
                continue
            for run in step.all:
                if slot or sequence.closing is None:
                    core += [CoreHold(run.first, *lock, False, buffer=sequence.buffer) for lock in acquires]
                core += [CoreHold(run.last, *lock, True, buffer=sequence.buffer) for lock in value]
        if sequence.closing is not None:
            core += [CoreHold(sequence.closing.first, *lock, False) for lock in acquire.get((sequence.buffer, 0), [])]
    holds = {
        (b, s): _in_ring_order(own_holds, [t.bd_key for t in rings[s] if t.buffer == b])
        for (b, s), own_holds in results.items()
    }
    return locks, holds, core


def _in_ring_order(holds: list[tuple[Hashable, Hold]], ring: list[Hashable]) -> list[Hold]:
    """The `holds` with their transfers, in the order of the `ring`."""
    queues: dict[Hashable, deque[Hold]] = {}
    for what, hold in holds:
        queues.setdefault(what, deque()).append(hold)
    return [queues[what].popleft() for what in islice(cycle(ring), len(holds))]


def _shared(
    sequences: list[Sequence], rings: dict[Stream, tuple[Transfer, ...]], homes: Mapping[int, Place]
) -> list[list[tuple[Sequence, Gate]]]:
    """The gates in groups that can be one lock: of buffers that two agents pass from one to the other in the same order."""
    groups: dict[Hashable, list[tuple[Sequence, Gate]]] = {}
    for sequence in sequences:
        for index, gate in enumerate(sequence.gates):
            key = homes.get(sequence.buffer), _pair(sequence, gate) or (sequence.buffer, index)
            groups.setdefault(key, []).append((sequence, gate))
    results = []
    for group in groups.values():
        if len(group) == 1 or _same_order(group, rings):
            results.append(group)
        else:
            results += [[number] for number in group]
    return results


def _pair(sequence: Sequence, gate: Gate) -> Hashable:
    """The two agents of a gate with one source and one destination and one token; None for other gates."""
    if len(gate.sources) != 1 or len(gate.dests) != 1:
        return None
    [(source, value)], [(dest, acquired)] = gate.sources, gate.dests
    a, b = sequence.accesses[source], sequence.accesses[dest]
    return (a.agent, b.agent, gate.init) if value == acquired == a.count == b.count == 1 else None


def _same_order(group: list[tuple[Sequence, Gate]], rings: dict[Stream, tuple[Transfer, ...]]) -> bool:
    if len({s.buffer for s, _ in group}) < len(group) or any(s.period < len(s.steps) for s, _ in group):
        return False
    ends = [(s, s.steps[g.sources[0][0]], s.steps[g.dests[0][0]]) for s, g in group]
    if any(isinstance(step, Run) and step.repeats for end in ends for step in end[1:]):
        return False
    values = [_position(s, source, rings, last=True) for s, source, _ in ends]
    taking_positions = [_position(s, dest, rings, last=False) for s, _, dest in ends]
    if None in values or None in taking_positions:
        return False
    order = sorted(range(len(group)), key=lambda i: (values[i], taking_positions[i]))
    if len({p[0] for p in values if p}) > 1 or len({p[0] for p in taking_positions if p}) > 1:
        return False
    return [taking_positions[i] for i in order] == sorted(p for p in taking_positions if p)


def _position(
    sequence: Sequence, step: Step, rings: dict[Stream, tuple[Transfer, ...]], *, last: bool
) -> tuple[tuple[int, ...], int] | None:
    """The position of `step` in its agent's program: (path of the core's block, place); None if the step occurs more than
    once in an iteration."""
    if isinstance(step, Run):
        return step.home, step.end if last else step.begin
    places = [i for i, t in enumerate(rings[step.stream]) if t.buffer == sequence.buffer]
    return ((), places[0]) if len(places) == 1 else None


def bds_of(
    stream: Stream, ring: tuple[Transfer, ...], holds: dict[tuple[int, Stream], list[Hold]], limits: BDFormat
) -> tuple[BD, ...]:
    """The ring with its locks: the shortest repetition that the buffers' sequences allow."""
    counts = {b: sum(t.buffer == b for t in ring) for b in {t.buffer for t in ring}}
    factor = lcm(*(lcm(n, len(holds[b, stream])) // n for b, n in counts.items()))
    if factor * len(ring) > LIMIT:
        raise error_at(
            ring[0].op, f"is one of {counted(factor * len(ring), 'transfer')} of '@{stream[0][0]}' that differ in their locks"
        )
    used = dict.fromkeys(counts, 0)
    results: list[tuple[Transfer, Hold]] = []
    for transfer in ring * factor:
        own_holds = holds[transfer.buffer, stream]
        results.append((transfer, own_holds[used[transfer.buffer] % len(own_holds)]))
        used[transfer.buffer] += 1
    shortest = shortest_period(tuple(results), lambda pair: (pair[0].bd_key, pair[1]))
    return tuple(bd for transfer, hold in shortest for bd in descriptors(transfer, hold, limits))


def descriptors(transfer: Transfer, hold: Hold, limits: BDFormat) -> list[BD]:
    """The BDs of a transfer; the first acquires its lock, the last releases it."""
    try:
        parts = fit(transfer.walk, limits)
    except UnwalkableError as error:
        raise error_at(transfer.op, f"cannot be done by this tile's DMA: it {error}") from None
    bds = [BD(transfer.buffer, walk, dims, Hold(), transfer.op.location, key=transfer.key) for walk, dims in parts]
    bds[0] = replace(bds[0], hold=Hold(hold.acquire, bds[0].hold.release))
    bds[-1] = replace(bds[-1], hold=Hold(bds[-1].hold.acquire, hold.release))
    return bds
