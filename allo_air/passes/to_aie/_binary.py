"""The locks of AIE1, which hold one of two states: one for each stream and buffer, passed between a DMA channel and the core.

A BD acquires and releases the same lock. A stream that fills a buffer acquires it at 0 (empty) and releases it at 1 (full);
the core acquires it at 1 and releases it at 0. For a stream that drains the buffer, it is the reverse. A buffer that is both
filled and drained is not refilled before it is drained: the core releases the first lock only when the second is 0 again.
"""

from __future__ import annotations

from allo_air.device import Tile
from allo_air.passes.to_aie._channels import NO_PREFERENCES, Preferences, Stream
from allo_air.passes.to_aie._design import Hold, Lock, Place, Transfer
from allo_air.passes.to_aie._periods import items
from allo_air.passes.to_aie._program import CoreHold, Planned, planned, rings_of
from allo_air.passes.to_aie._sequences import Run, Step

EMPTY, FULL = 0, 1


def plan_binary(
    place: Place,
    tree: tuple[object, ...],
    sequences: dict[int, tuple[Step, ...]],
    handshakes: frozenset[int],
    tile: Tile,
    preferences: Preferences = NO_PREFERENCES,
) -> Planned:
    """Like `program.plan`, with binary locks. If a buffer's accesses are not a simple sequence of fills, one use by the core,
    and drains, the core synchronizes at each of its transfers.
    """
    rings = rings_of(tree)
    locks: list[Lock] = []
    holds: dict[tuple[int, Stream], list[Hold]] = {}
    core: list[CoreHold] = []
    for buffer in dict.fromkeys([*sequences, *sorted(handshakes)]):
        own: dict[Stream, int] = {}
        for stream in rings:
            if any(t.buffer == buffer for t in rings[stream]):
                own[stream] = len(locks)
                locks.append(Lock(len(locks), EMPTY))
        steps = sequences.get(buffer, ())
        run = _only_run(steps) if buffer not in handshakes else None
        for stream, lock in own.items():
            waits = EMPTY if run is not None and not stream[1] else FULL
            holds[buffer, stream] = [Hold((lock, waits), (lock, 1 - waits))]
        if run is not None:
            core += _round(run, [n for s, n in own.items() if not s[1]], [n for s, n in own.items() if s[1]])
            continue
        for transfer in items(tree):
            if transfer.buffer == buffer:
                core += _ask(transfer, own[transfer.stream])
    return planned(place, locks, rings, holds, core, tile, preferences)


def _only_run(steps: tuple[Step, ...]) -> Run | None:
    """The core's use of a buffer in a sequence of fills, this use, and drains, with each stream once; None for any other
    order."""
    runs = [n for n, step in enumerate(steps) if isinstance(step, Run)]
    if len(runs) != 1:
        return None
    before, after = steps[: runs[0]], steps[runs[0] + 1 :]
    streams = [t.stream for t in (*before, *after) if isinstance(t, Transfer)]
    is_plain = not any(t.put for t in before if isinstance(t, Transfer)) and all(
        t.put for t in after if isinstance(t, Transfer)
    )
    run = steps[runs[0]]
    return run if is_plain and len(set(streams)) == len(streams) and isinstance(run, Run) and not run.repeats else None


def _round(run: Run, fills: list[int], drains: list[int]) -> list[CoreHold]:
    """The acquires and releases of the core around its use of a buffer."""
    core_holds = [CoreHold(run.first, lock, FULL, release=False) for lock in fills]
    core_holds += [CoreHold(run.first, lock, EMPTY, release=False) for lock in drains]
    end = [CoreHold(run.last, lock, FULL, release=True, after=True) for lock in drains]
    if fills:
        for lock in drains:
            end += [CoreHold(run.last, lock, EMPTY, release=False, after=True)]
            end += [CoreHold(run.last, lock, EMPTY, release=True, after=True)]
    end += [CoreHold(run.last, lock, EMPTY, release=True, after=True) for lock in fills]
    return core_holds + end[::-1]  # releases after an operation are built in reverse order


def _ask(transfer: Transfer, lock: int) -> list[CoreHold]:
    """Makes the DMA perform `transfer`, and waits until it has ended."""
    states = [(EMPTY, False), (FULL, True), (EMPTY, False), (EMPTY, True)]
    return [CoreHold(transfer, lock, state, release) for state, release in states]
