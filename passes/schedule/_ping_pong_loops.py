"""Which loops have ping-pong buffers: those that may, as far as the DMAs have descriptors."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.loops import Loop
from allo_air.core.walking import parents, walk_named
from allo_air.device import CORE_TILE, MEM_TILE
from allo_air.dialects.air_values import TRANSFERS
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.channel_ends import GROUP, site_of
from allo_air.passes._analysis.phases import phases_of
from allo_air.passes.schedule._ping_pong_buffers import Buffer, OmitSpace
from allo_air.passes.schedule._ping_pong_fitness import fitting

Found = tuple[AnyOp, list[Buffer]]

_CORE_BDS = CORE_TILE.bds
_CHANNEL_BDS = MEM_TILE.bds // 2
"""Descriptors of a core, and those of a memtile that a channel reaches: either its even or its odd channels do."""


def candidates(root: AnyOp, omit: OmitSpace, *, copied: bool = False) -> list[Found]:
    """The innermost loops in `root` that should have ping-pong buffers, with the buffers to double.

    A loop that runs an odd number of times ends on the buffer that it began with, so that only its whole length is a round of
    the DMA: a descriptor for each iteration. Where these are more than there are, its buffers stay single; so they do in
    memtiles where all are `copied` later, if no channels are to be one with others.
    """
    found = list(fitting(root, omit))
    odd = [loop for loop, _ in found if _is_odd(loop)]
    if not odd:
        return found
    grouped = {c.attributes["sym_name"].value for c in walk_named(root, "air.channel") if GROUP in c.attributes}
    near = [loop for loop in odd if _herd(loop) is None]
    single = [loop for loop in near if _fills_memtile(loop) or (copied and not _uses(loop, grouped))]
    for herds in phases_of(root):
        single += _crowded(herds, [loop for loop, _ in found])
    return [(loop, buffers) for loop, buffers in found if loop not in single]


def _crowded(herds: list[ir.Operation], doubled: list[AnyOp]) -> list[AnyOp]:
    """The loops in `herds`, the longest first, whose buffers must stay single for a core's descriptors to suffice."""
    needed: dict[int, int] = {}
    loops: list[AnyOp] = []
    for site in _sites(herds):
        around = next((p for p in parents(site) if p in doubled), None)
        if around is not None and around not in loops:
            loops.append(around)
        place = loops.index(around) if around is not None else -1
        needed[place] = needed.get(place, 0) + (1 if around is None else _rounds(around) if _is_odd(around) else 2)
    single: list[AnyOp] = []
    for place in sorted((n for n in needed if n >= 0 and _is_odd(loops[n])), key=lambda n: -needed[n]):
        if sum(needed.values()) <= _CORE_BDS:
            break
        needed[place] //= _rounds(loops[place])
        single.append(loops[place])
    return single


def _sites(roots: list[ir.Operation]) -> list[ir.Operation]:
    """The transfers in `roots`, those that exclude each other as one: the condition around them."""
    found: list[ir.Operation] = []
    for transfer in (t for root in roots for t in walk_named(root, *TRANSFERS)):
        site = site_of(transfer)
        if site not in found:
            found.append(site)
    return found


def _fills_memtile(loop: AnyOp) -> bool:
    """Whether a memtile has too few descriptors, of which its even channels reach one half and the odd ones the other."""
    transfers = sum(_copies(t) for t in walk_named(loop, *TRANSFERS))
    return transfers > 2 * (_CHANNEL_BDS // _rounds(loop))


def _uses(loop: AnyOp, names: set[str]) -> bool:
    """Whether a transfer in `loop` is on a channel of `names`."""
    return any(t.attributes["chan_name"].value in names for t in walk_named(loop, *TRANSFERS) if "chan_name" in t.attributes)


def _copies(transfer: AnyOp) -> int:
    """How many transfers one is when the parallel loops around it are written out."""
    return prod(_rounds(p) or 1 for p in parents(transfer) if p.name == "scf.parallel")


def _is_odd(loop: AnyOp) -> bool:
    return _rounds(loop) % 2 == 1


def _rounds(loop: AnyOp) -> int:
    """How often `loop` runs; 0 where that is not known."""
    return Loop(loop).trips() or 0


def _herd(op: Any) -> Any:
    return next((p for p in parents(op) if p.name == "air.herd"), None)
