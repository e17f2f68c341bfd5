"""Selects the loops that get ping-pong buffers: as many as the DMAs have descriptors for."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.arch.limits import STACK_BYTES
from allo_air.core.loops import Loop
from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.walking import enclosing, parents, walk_named
from allo_air.device import CORE_TILE, MEM_TILE
from allo_air.dialects.air_values import TRANSFERS
from allo_air.dialects.memrefs import memory_space, total_bits
from allo_air.dialects.operands import memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.channel_ends import GET, GROUP, PUT, site_of
from allo_air.passes._analysis.time_shared_herds import time_shared_herds_of
from allo_air.passes.schedule._ping_pong_buffers import Buffer, OmitSpace
from allo_air.passes.schedule._ping_pong_fitness import fitting
from allo_air.plan.schema import PLAN, plan_or_unplanned

Found = tuple[AnyOp, list[Buffer]]

_L1 = 2
_CORE_BYTES = CORE_TILE.memory - STACK_BYTES
_CORE_BDS = CORE_TILE.bds
_CHANNEL_BDS = MEM_TILE.bds // 2
"""Numbers of descriptors: those of a core, and those of a memtile that one channel can use: even channels can use one half of
them, odd channels the other half.
"""


def candidates(root: AnyOp, omit: OmitSpace, *, copied: bool = False, calls_overwrite: bool = True) -> list[Found]:
    """The innermost loops in `root` that should have ping-pong buffers, with the buffers to double.

    Buffers of a core stay single if its descriptors, locks or memory would not suffice. A loop with an odd trip count ends on
    the buffer that it started with, so the DMA needs a descriptor for each iteration. Its buffers therefore stay single in
    memtiles with too few descriptors, and if all buffers are `copied` later and no channels are to be fused.
    """
    fitted = list(fitting(root, omit, calls_overwrite=calls_overwrite))
    if not fitted:
        return fitted
    odd_loops = [loop for loop, _ in fitted if _is_odd(loop) and _herd(loop) is None]
    single = [loop for loop in odd_loops if _exceeds_memtile(loop) or (copied and not _uses(loop, _grouped(root)))]
    for herds in time_shared_herds_of(root):
        single += _exceeding_loops(herds, [f for f in fitted if (herd := _herd(f[0])) is not None and herd in herds])
    return [(loop, buffers) for loop, buffers in fitted if loop not in single]


def _exceeding_loops(herds: list[ir.Operation], doubled: list[Found]) -> list[AnyOp]:
    """The loops in `herds` whose buffers must stay single so that a core's memory, descriptors and locks suffice.

    If memory is too small, these are the loops with the largest buffers. If there are too few descriptors, they are first the
    loops that need one for each iteration, the longest first. In a kernel with a plan, the planner has already counted memory
    and descriptors: then only loops that need a descriptor for each iteration are returned, and those for which cores of
    attention lack locks, since each of its masks has buffers.
    """
    if not doubled:
        return []
    planned = any(PLAN in p.attributes for herd in herds for p in parents(herd))
    bytes_used = sum(_bytes(alloc) for herd in herds for alloc in walk_named(herd, "memref.alloc"))
    more = {loop: sum(_bytes(b.alloc) for b in buffers) for loop, buffers in doubled}
    single: list[AnyOp] = []
    for loop in sorted(more, key=lambda loop: -more[loop]):
        if planned or bytes_used + sum(n for other, n in more.items() if other not in single) <= _CORE_BYTES:
            break
        single.append(loop)
    sites = [list(parents(site)) for site in _sites(herds)]
    within = {loop: sum(loop in around for around in sites) for loop, _ in doubled}
    times = {loop: _rounds(loop) if _is_odd(loop) else 2 for loop, _ in doubled}
    for loop in sorted(times, key=lambda loop: (-_is_odd(loop), -times[loop] * within[loop])):
        if planned and not _is_odd(loop):
            break
        extra = sum(n * (times[other] - 1) for other, n in within.items() if other not in single)
        if len(sites) + extra <= _CORE_BDS:
            break
        if loop not in single:
            single.append(loop)
    if planned and not any(plan_or_unplanned(p).family == "attention" for p in parents(herds[0])):
        return single
    transfers = [*_sites(herds).values()] if planned else [t for herd in herds for t in walk_named(herd, *TRANSFERS)]
    return [*single, *_without_locks(transfers, [f for f in doubled if f[0] not in single])]


def _without_locks(sites: list[ir.Operation], doubled: list[Found]) -> list[AnyOp]:
    """The loops whose buffers must stay single so that a core's locks suffice for its transfers, `sites`. Loops with many
    iterations are doubled first.

    If more streams enter or leave a core than it has channels for, loops alternate on these, and each buffer has its own
    locks: one for each transfer of it and one more. The two buffers of a single loop share theirs.
    """
    if len(doubled) < 2:
        return []
    streams = [{(t.name, channel_of(t), t.block) for t in sites if t.name == end} for end in (GET, PUT)]
    if all(len(item) <= most for item, most in zip(streams, CORE_TILE.channels, strict=True)):
        return []
    locks_used = len(sites) + len({memref_of(t) for t in sites if t.name in (GET, PUT)})
    more = {loop: sum(loop in list(parents(t)) for t in sites) + len(buffers) for loop, buffers in doubled}
    single: list[AnyOp] = []
    last_first = list(more)[::-1]
    for loop in sorted(last_first, key=lambda loop: (-_rounds(loop), more[loop])):
        if locks_used + more[loop] <= CORE_TILE.locks:
            locks_used += more[loop]
        else:
            single.append(loop)
    return single


def _bytes(alloc: ir.Operation) -> int:
    """Bytes of a buffer of a core; 0 if its size is dynamic."""
    kind = alloc.results[0].type
    return (total_bits(kind, 32) or 0) // 8 if memory_space(kind) == _L1 else 0


def _sites(roots: list[ir.Operation]) -> dict[ir.Operation, ir.Operation]:
    """The transfers in `roots` by the condition around them, or by themselves; of exclusive branches, the first transfer."""
    sites: dict[ir.Operation, ir.Operation] = {}
    for transfer in (t for root in roots for t in walk_named(root, *TRANSFERS)):
        sites.setdefault(site_of(transfer), transfer)
    return sites


def _grouped(root: AnyOp) -> set[str]:
    """The channels in `root` that are to be fused with others."""
    return {sym_name_of(c) for c in walk_named(root, "air.channel") if GROUP in c.attributes}


def _exceeds_memtile(loop: AnyOp) -> bool:
    """Whether a memtile has too few descriptors for one per transfer and iteration of `loop`, in the two halves that even and
    odd channels can use.
    """
    transfers = sum(_copies(t) for t in walk_named(loop, *TRANSFERS))
    return transfers > 2 * (_CHANNEL_BDS // _rounds(loop))


def _uses(loop: AnyOp, names: set[str]) -> bool:
    """Whether a transfer in `loop` uses a channel of `names`."""
    return any(channel_of(t) in names for t in walk_named(loop, *TRANSFERS) if "chan_name" in t.attributes)


def _copies(transfer: AnyOp) -> int:
    """The number of copies of a transfer after the parallel loops around it are unrolled."""
    return prod(_rounds(p) or 1 for p in parents(transfer) if p.name == "scf.parallel")


def _is_odd(loop: AnyOp) -> bool:
    return _rounds(loop) % 2 == 1


def _rounds(loop: AnyOp) -> int:
    """The trip count of `loop`; 0 if it is not known."""
    return Loop(loop).trips() or 0


def _herd(op: AnyOp) -> Any:
    return enclosing(op, "air.herd")
