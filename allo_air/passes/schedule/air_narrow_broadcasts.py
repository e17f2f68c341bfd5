"""air-narrow-broadcasts."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air import dialects
from allo_air.core.constants import constant_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import L1
from allo_air.dialects.memrefs import element_bits, memory_space
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.channel_ends import GET, site_of
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._analysis.time_shared_herds import time_shared_herds_of
from allo_air.passes.schedule._broadcasts import PATTERN, pattern

_DMA = "air.dma_memcpy_nd"
_ALONE = frozenset({0, 1})


@dataclass(frozen=True)
class AirNarrowBroadcasts(Pass):
    """Splits broadcasts so that a core gets from fewer channels, if it would otherwise get from more than its DMA has.

    A core's DMA receives on `core-s2mm` channels. Transfers can share a channel only if they have the same source and the same
    cores. Transfers from one memory to all cores, to each row, to each column, or to each core form a kind. If a herd, or herds
    with the same name, have more kinds than channels, the transfers of one kind are split like those of another kind whose
    sources each serve a part of the cores of one source. The pair of kinds that adds the fewest bytes is chosen first. Without
    such a pair, the remaining transfers stay unchanged.

    Before (`core-s2mm=1`):

        #rows = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 1 >= 0, s0 >= 0, -s0 + 1 >= 0)>
        air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%a) : memref<64x64xi32, 1> {
          air.dma_memcpy_nd (%l[] [] [], %m[%x, %c0] [%c1, %c64] [%c64, %c1]) {broadcast_pattern = #rows} : ...
          air.dma_memcpy_nd (%k[] [] [], %m[%x, %y] [%c1, %c1] [%c64, %c1]) : ...

    After:

          air.dma_memcpy_nd (%l[] [] [], %m[%x, %c0] [%c1, %c64] [%c64, %c1]) : ...
          air.dma_memcpy_nd (%k[] [] [], %m[%x, %y] [%c1, %c1] [%c64, %c1]) : ...
    """

    name = "air-narrow-broadcasts"
    anchor = "builtin.module"
    core_s2mm: int = 2
    """Number of channels on which a core's DMA receives."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        for herds in time_shared_herds_of(op):
            sizes = {tuple(constant_of(v) for v in herd.opview.sizes) for herd in herds}
            if len(sizes) == 1 and None not in (size := sizes.pop()) and len(size) == 2:
                _narrow(herds, [n for n in size if n is not None], self.core_s2mm)


@dataclass(frozen=True)
class _Kind:
    """Transfers from memory `space`, with a different source for each value of the ids in dimensions `dims` of the herd."""

    space: int
    dims: frozenset[int]

    def holds(self, other: _Kind) -> bool:
        """Whether each transfer of `other` serves only cores that one transfer of this kind serves."""
        return self.space == other.space and self.dims < other.dims

    def sources(self, sizes: list[int]) -> int:
        return prod(sizes[n] for n in self.dims)


def _narrow(herds: list[ir.Operation], sizes: list[int], limit: int) -> None:
    kinds = _kinds(herds, sizes)
    if sum(map(len, kinds.values())) <= limit:
        return
    while len(kinds) > limit:
        pairs = [(a, b) for a in kinds for b in kinds if isinstance(a, _Kind) and isinstance(b, _Kind) and a.holds(b)]
        if not pairs:
            return
        wide, narrow = min(pairs, key=lambda p: (p[1].sources(sizes) - p[0].sources(sizes)) * sum(map(_bits, kinds[p[0]])))
        moved = kinds.pop(wide)
        kinds[narrow] += moved
        for dma in moved:
            if narrow.dims == _ALONE:
                del dma.attributes[PATTERN]
            else:
                dma.attributes[PATTERN] = pattern(sizes, min(narrow.dims)).attribute()


def _kinds(herds: list[ir.Operation], sizes: list[int]) -> dict[Hashable, list[Any]]:
    """The transfers into L1, by kind. Transfers that exclude each other, and gets of channels, are kinds of their own."""
    patterns = {str(pattern(sizes, n).attribute()): frozenset(set() if n is None else {n}) for n in (None, 0, 1)}
    sites: list[tuple[ir.Operation, list[Any]]] = []
    for op in (op for herd in herds for op in walk_named(herd, _DMA, GET)):
        if not is_in(op.opview.dst.type, L1) or (op.name == _DMA and is_in(op.opview.src.type, L1)):
            continue
        site = site_of(op)
        if not sites or sites[-1][0] != site:
            sites.append((site, []))
        sites[-1][1].append(op)
    kinds: dict[Hashable, list[Any]] = {}
    for number, (_, ops) in enumerate(sites):
        marked = str(ops[0].attributes[PATTERN]) if PATTERN in ops[0].attributes else None
        dims = _ALONE if marked is None else patterns.get(marked)
        space = memory_space(ops[0].opview.src.type) if ops[0].name == _DMA else None
        kind = number if len(ops) > 1 or dims is None or space is None else _Kind(space, dims)
        kinds.setdefault(kind, []).append(ops[0])
    return kinds


def _bits(dma: AnyOp) -> int:
    """Bits that a core receives, as far as known: those of the whole buffer if the access lists are not constant."""
    kind = dma.opview.dst.type
    counts = [constant_of(v) for v in dma.opview.dst_sizes] or list(kind.shape)
    return prod(n if n is not None else 1 for n in counts) * (element_bits(kind) or 1)
