"""Finds DMA channels of a memtile that share buffers and could alternate between two copies of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from allo_air.dialects._enums import LOCK_ACTION
from allo_air.mlir import AnyOp, ir
from allo_air.passes.resources._chains import Chain

_S2MM = 0
"""The direction of a channel that fills a buffer."""


@dataclass(frozen=True)
class Step:
    """A block of a DMA program: it acquires one lock, executes `bd`, and releases another lock."""

    block: ir.Block
    bd: Any
    acquire: tuple[ir.Value, int]
    release: tuple[ir.Value, int]

    @property
    def buffer(self) -> ir.Value:
        """The buffer of its BD."""
        return self.bd.buffer


@dataclass(frozen=True)
class Ring:
    """Channels that repeat their steps endlessly, on buffers and locks without other users."""

    chains: tuple[tuple[Chain, tuple[Step, ...]], ...]

    @property
    def steps(self) -> list[Step]:
        """The steps of all channels."""
        return [step for _, steps in self.chains for step in steps]

    @property
    def buffers(self) -> list[ir.Value]:
        """The buffers of all steps, each once."""
        return list(dict.fromkeys(step.buffer for step in self.steps))

    @property
    def locks(self) -> list[ir.Value]:
        """The locks of all steps, each once."""
        return list(dict.fromkeys(lock for s in self.steps for lock, _ in (s.acquire, s.release)))


def rings(chains: Iterable[Chain]) -> Iterator[Ring]:
    """The rings of a program in which each step runs once before any step runs again. Channels that already alternate, that
    end, or that read data twice are left out."""
    closed_chains: list[tuple[Chain, tuple[Step, ...]]] = []
    rest: set[Any] = set()
    for chain in chains:
        steps = [_step(bd) for bd in chain.bds]
        closed = bool(steps) and chain.following == [*range(1, len(steps)), 0]
        if closed and None not in steps:
            closed_chains.append((chain, tuple(s for s in steps if s is not None)))
        else:
            rest.update(bd.buffer for bd in chain.bds)
    for group in _connected(closed_chains):
        ring = Ring(tuple(group))
        if rest.isdisjoint(ring.buffers) and _is_closed(ring) and _is_balanced(ring) and not _alternates(ring):
            yield ring


def _step(bd: AnyOp) -> Step | None:
    """The step of a BD; None if its block has another form."""
    block = bd.operation.block
    ops = [o.operation for o in block.operations]
    if [o.name for o in ops] != ["aie.use_lock", "aie.dma_bd", "aie.use_lock", "aie.next_bd"]:
        return None
    first, last = ops[0].opview, ops[2].opview
    actions = [LOCK_ACTION.keyword(view.action) for view in (first, last)]
    if any(name in ops[1].attributes for name in ("bd_id", "next_bd_id")):
        return None
    if first.lock == last.lock or actions != ["AcquireGreaterEqual", "Release"] or first.amount or last.amount:
        return None
    return Step(block, bd, (first.lock, first.value or 1), (last.lock, last.value or 1))


def _connected(chains: list[tuple[Chain, tuple[Step, ...]]]) -> list[list[tuple[Chain, tuple[Step, ...]]]]:
    groups: list[tuple[set[Any], list[tuple[Chain, tuple[Step, ...]]]]] = []
    for chain, steps in chains:
        touched = {v for s in steps for v in (s.buffer, s.acquire[0], s.release[0])}
        joined = [g for g in groups if g[0] & touched]
        groups = [g for g in groups if not g[0] & touched]
        values = touched.union(*(g[0] for g in joined))
        groups.append((values, [*(entry for g in joined for entry in g[1]), (chain, steps)]))
    return [entries for _, entries in groups]


def _is_closed(ring: Ring) -> bool:
    """Whether the ring's buffers and locks have no other users, and its blocks are distinct."""
    blocks = [s.block for s in ring.steps]
    inside = all(u.owner.operation.block in blocks for v in (*ring.buffers, *ring.locks) for u in v.uses)
    return inside and len(set(blocks)) == len(blocks)


def _is_balanced(ring: Ring) -> bool:
    """Whether the steps acquire and release each lock by the same total amount, and buffers are initially empty: a lock that
    filling steps acquire starts with this amount, and any other lock with 0."""
    filling = [s.acquire[0] for chain, steps in ring.chains for s in steps if chain.direction == _S2MM]
    for lock in ring.locks:
        acquired = sum(n for s in ring.steps for v, n in [s.acquire] if v == lock)
        value = sum(n for s in ring.steps for v, n in [s.release] if v == lock)
        begins = lock.owner.opview.init or 0
        if acquired != value or begins != (acquired if lock in filling else 0):
            return False
    directions = {(s.buffer, chain.direction) for chain, steps in ring.chains for s in steps}
    return all((b, d) in directions for b in ring.buffers for d in (0, 1))


def _alternates(ring: Ring) -> bool:
    """Whether a channel fills the same part of two buffers of one type."""
    for chain, steps in ring.chains:
        if chain.direction != _S2MM:
            continue
        moved = [(str(s.buffer.type), *_lists(s.bd.operation)) for s in steps]
        if len(set(moved)) < len(moved):
            return True
    return False


def _lists(bd: ir.Operation) -> list[str]:
    return [f"{name} = {bd.attributes[name]}" for name in bd.attributes if name != "task_id"]
