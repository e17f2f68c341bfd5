"""Assigns a core's locks like mlir-air: one pair for each channel. The core acquires received data at the `air.channel.get`,
and space for sent data at the start of the put's block. It releases both where the buffer is deallocated, or, if that is in
another block or missing, after the last use in this block. A channel may therefore overwrite data that another channel still
sends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from allo_air.core.diagnostics import warn_at
from allo_air.device import Tile
from allo_air.mlir import ir
from allo_air.passes.to_aie._binary import EMPTY, FULL
from allo_air.passes.to_aie._channels import NO_PREFERENCES, Preferences, Stream
from allo_air.passes.to_aie._cores import FREE
from allo_air.passes.to_aie._design import Hold, Lock, Place, Transfer
from allo_air.passes.to_aie._phases import Item, tree
from allo_air.passes.to_aie._program import CoreHold, Planned, planned, rings_of

Frees = Mapping[int, Sequence[ir.Operation]]
"""The deallocations of each buffer, by its number."""

_Section = tuple[Transfer, ir.Operation, ir.Operation, bool]
"""A transfer, the operation before which the core acquires its lock, and the operation before or after (`after`) which it
releases it."""


def frees_of(waits: Sequence[ir.Operation]) -> dict[int, list[ir.Operation]]:
    """For each buffer, the operations among `waits` that mark its deallocation."""
    ops: dict[int, list[ir.Operation]] = {}
    for mark in waits:
        if FREE in mark.attributes:
            ops.setdefault(mark.attributes[FREE].value, []).append(mark)
    return ops


def plan_by_channel(
    place: Place,
    items: list[Item],
    frees: Frees,
    head: ir.Operation | None,
    tile: Tile,
    preferences: Preferences = NO_PREFERENCES,
    *,
    binary: bool = False,
) -> Planned | None:
    """The program of the core at `place`; None if such locks do not order the accesses to a buffer. `head` is the branch from
    the start of a core's iteration to the herd's body.
    """
    rings = rings_of(tree(items))
    sections = _sections(items, frees, head)
    if sections is None:
        return None
    locks: list[Lock] = []
    holds: dict[tuple[int, Stream], list[Hold]] = {}
    of_core: dict[tuple[Any, ...], tuple[tuple[int, int], tuple[int, int]]] = {}
    for stream, ring in rings.items():
        for transfer in ring:
            pair = transfer.key, transfer.put, transfer.buffer if binary else None
            if pair not in of_core:
                count = len({t.buffer for t in ring if t.key == transfer.key})
                of_core[pair] = _pair(locks, transfer.put, count, binary=binary)
            take, give = of_core[pair]
            states = (1, 1) if not binary else (FULL, EMPTY) if transfer.put else (EMPTY, FULL)
            holds.setdefault((transfer.buffer, stream), []).append(Hold((give[0], states[0]), (take[0], states[1])))
    core: list[CoreHold] = []
    for transfer, start, end, after in sections:
        take, give = of_core[transfer.key, transfer.put, transfer.buffer if binary else None]
        acquire = CoreHold(start, *take, False, buffer=transfer.buffer)
        core = [acquire, *core] if transfer.put else [*core, acquire]  # mlir-air prepends
        core.append(CoreHold(end, *give, True, after=after, buffer=transfer.buffer))
    _warn(rings)
    return planned(place, locks, rings, holds, core, tile, preferences)


def _warn(rings: Mapping[Stream, Sequence[Transfer]]) -> None:
    """Warns if a channel may overwrite data that another channel still sends, or that the core still reads."""
    transfers = dict.fromkeys(t for ring in rings.values() for t in ring)
    for transfer in transfers:
        fills = [t for t in transfers if not t.put and t.buffer == transfer.buffer and t.walk.overlaps(transfer.walk)]
        if not fills:
            continue
        key = fills[-1].key
        if transfer.put:
            what = f"sends a buffer that '@{key[0]}' may fill again before all is sent"
        elif transfer.key != key:
            what = f"fills a buffer that '@{key[0]}' may fill, too, before the core has read it"
        else:
            continue
        warn_at(transfer.op, f"{what}; use-lock-race-condition-fix=true gives it locks that keep the order")


def _pair(locks: list[Lock], is_put: bool, count: int, *, binary: bool) -> tuple[tuple[int, int], tuple[int, int]]:
    """New locks for a channel over `count` buffers: those that the core acquires and releases, each with an amount."""
    first = len(locks)
    if binary:
        locks.append(Lock(first, EMPTY))
        return ((first, EMPTY), (first, FULL)) if is_put else ((first, FULL), (first, EMPTY))
    locks += [Lock(first, count), Lock(first + 1, 0)]  # free space, data
    return ((first, 1), (first + 1, 1)) if is_put else ((first + 1, 1), (first, 1))


def _sections(items: list[Item], frees: Frees, head: ir.Operation | None) -> list[_Section] | None:
    """Each transfer with the positions of its acquire and release; None if a buffer is used outside of them."""
    moves = list(_transfers(items))
    if len({id(transfer) for transfer in moves}) < len(moves):
        return None  # a transfer is repeated
    by_transfer: dict[Transfer, _Section] = {}
    for buffer in {transfer.buffer for transfer in moves}:
        sections = _of(items, buffer, frees.get(buffer, ()), head)
        if sections is None:
            return None
        by_transfer |= {section[0]: section for section in sections}
    return [by_transfer[transfer] for transfer in moves]


def _transfers(items: list[Item]) -> Iterator[Transfer]:
    for item in items:
        if item.transfer:
            yield item.transfer
        yield from _transfers(item.body)


def _of(items: list[Item], buffer: int, frees: Sequence[ir.Operation], head: ir.Operation | None) -> list[_Section] | None:
    """The sections of `buffer`; None if the core uses it outside of them, or would acquire a lock twice."""
    own_items = [item for item in items if buffer in item.uses or buffer in item.moves]
    here = [(item.transfer, item.op) for item in own_items if item.transfer]
    if not here:
        parts = [_of(i.body, buffer, frees, head) if buffer in i.moves else None for i in own_items]
        return None if None in parts else [section for part in parts for section in part or ()]
    streams = {transfer.stream for transfer, _ in here}
    if len(streams) < len(here) or any(item.body and buffer in item.moves for item in own_items):
        return None
    ops = [view.operation for view in here[0][1].block.operations]
    places = {op: position for position, op in enumerate(ops)}
    free = [places[op] for op in frees if op in places]
    used = [places[item.op] for item in own_items]
    first = 0 if any(transfer.put for transfer, _ in here) else min(places[op] for _, op in here)
    end = free[0] if free else max(used) + 1
    if len(free) > 1 or min(used) < first or max(used) >= end:
        return None
    start = head if head is not None and ops[-1].name in ("cf.br", "aie.end") else ops[0]
    last = (ops[end], False) if free else (ops[end - 1], True)
    return [(transfer, start if transfer.put else op, *last) for transfer, op in here]
