"""Finds the loop nests around a buffer that can become one loop whose iterations fill and drain a part of the buffer each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd, prod
from typing import Any

from allo_air.access.dims import is_dense
from allo_air.access.linear import Linear
from allo_air.core.loops import Dim
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.buffers import Buffer, Nest, is_perfect, nest_of
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.loops import interval


@dataclass(frozen=True)
class Part:
    """A nest in the fused loop. At fused iv `i`, its outer iv takes the `count` values `i * factor + shift`, `+ step`, ..."""

    nest: Nest
    factor: int
    shift: int
    count: int

    @property
    def outer(self) -> Dim:
        return self.nest.loops[0]


@dataclass(frozen=True)
class Region:
    """The indices of iteration q: in each dimension `size` indices from `low + q * pace` on, dense or not."""

    low: tuple[Linear, ...]
    pace: tuple[int, ...]
    size: tuple[int, ...]
    is_dense: bool


@dataclass(frozen=True)
class Plan:
    """The fusion around `buffer`: all of its nests, as parts of the loop `frame`."""

    buffer: Buffer
    frame: Dim
    parts: tuple[Part, ...]

    @property
    def roots(self) -> list[Any]:
        return [p.nest.root for p in self.parts]


def plan_for(buffer: Buffer, indices: IndexValues) -> Plan | None:
    """The plan for `buffer`; None if its nests cannot share a loop without changing what a transfer reads.

    Each transfer must be in a perfect nest of its own, and gets must precede puts. One number of iterations must divide the
    trip counts of all outer loops. In each fused iteration the puts may read only what the gets of that iteration have
    written, and nothing else may write it.
    """
    if buffer.token is None or len(buffer.frees) > 1 or any(op.block != buffer.block for op in buffer.frees):
        return None
    nests = [nest_of(t, buffer.block, indices) for t in buffer.transfers]
    nests_present = [n for n in nests if n is not None and n.loops and is_perfect(n)]
    if (
        len(nests_present) < len(nests)
        or not nests_present
        or len({id_of(n.root, nests_present) for n in nests_present}) < len(nests_present)
    ):
        return None
    gets = [n.is_get for n in nests_present]
    if not any(gets) or all(gets) or gets != sorted(gets, reverse=True):
        return None
    result = _framed(nests_present)
    if result is None:
        return None
    frame, parts = result
    regions = [_region(p, frame) for p in parts]
    if not _is_private(regions) or not _is_filled(regions, gets, frame):
        return None
    return Plan(buffer, frame, tuple(parts))


def id_of(root: AnyOp, nests: Sequence[Nest]) -> int:
    """A key that is equal for nests with the same outermost loop."""
    return next(n for n, nest in enumerate(nests) if nest.root == root)


def _framed(nests: list[Nest]) -> tuple[Dim, list[Part]] | None:
    """One loop for all nests, with the greatest number of iterations that divides all of their trip counts."""
    trips = 0
    for nest in nests:
        trips = gcd(trips, nest.loops[0].trips)
    if trips < 2:
        return None
    outer = [nest.loops[0] for nest in nests]
    counts = [loop.trips // trips for loop in outer]
    strides = {loop.step * count for loop, count in zip(outer, counts, strict=True)}
    if len(strides) == 1 and len({loop.lower for loop in outer}) == 1:
        [stride] = strides
        frame = Dim(None, outer[0].lower, outer[0].lower + trips * stride, stride)
        return frame, [Part(nest, 1, 0, count) for nest, count in zip(nests, counts, strict=True)]
    frame = Dim(None, 0, trips, 1)
    return frame, [Part(n, n.loops[0].step * c, n.loops[0].lower, c) for n, c in zip(nests, counts, strict=True)]


def _region(part: Part, frame: Dim) -> Region:
    loop = part.outer
    first = frame.lower * part.factor + part.shift
    inner = [Dim(loop.iv, first, first + part.count * loop.step, loop.step), *part.nest.loops[1:]]
    lows, sizes, paces = [], [], []
    for low, size in zip(part.nest.walk.low, part.nest.walk.size, strict=True):
        least, reach = interval(low, inner)
        factor = next((f for v, f in low.terms if v == loop.iv), 0)
        lows.append(least)
        sizes.append(size + reach)
        paces.append(factor * part.factor * frame.step)
    return Region(tuple(lows), tuple(paces), tuple(sizes), _is_dense(part, inner))


def _is_dense(part: Part, loops: Sequence[Dim]) -> bool:
    """Whether the iterations of `loops` together visit each index of their box once."""
    walk = part.nest.walk
    runs: dict[int, list[tuple[int, int]]] = {d: [] for d in range(len(walk.shape))}
    for s in walk.steps:
        runs[s.dim].append((s.size, s.step))
    for loop in loops:
        moved = [(d, f) for d, low in enumerate(walk.low) for v, f in low.terms if v == loop.iv]
        if loop.trips == 1:
            continue
        if len(moved) != 1 or moved[0][1] < 0:
            return False
        [(dim, factor)] = moved
        runs[dim].append((loop.trips, factor * loop.step))
    return all(map(is_dense, runs.values()))


def _is_private(regions: Sequence[Region]) -> bool:
    """Whether iterations touch disjoint indices: along one dimension all regions advance alike, by more than their extent."""
    first = regions[0]
    if any(r.pace != first.pace for r in regions):
        return False
    distances = [_distance(r.low, first.low) for r in regions]
    if any(d is None for d in distances):
        return False
    constant_distances = [d for d in distances if d is not None]
    for dim, pace in enumerate(first.pace):
        least = min(d[dim] for d in constant_distances)
        most = max(d[dim] + r.size[dim] for d, r in zip(constant_distances, regions, strict=True))
        if abs(pace) >= most - least:
            return True
    return False


def _is_filled(regions: Sequence[Region], gets: Sequence[bool], frame: Dim) -> bool:
    """Whether each put reads only elements that the gets of its iteration have written."""
    written = [r for r, is_get in zip(regions, gets, strict=True) if is_get]
    if not all(r.is_dense for r in written) or any(_overlap(a, b) for a, b in combinations(written, 2)):
        return False
    for read in (r for r, is_get in zip(regions, gets, strict=True) if not is_get):
        if sum(_overlap(read, w) for w in written) != prod(read.size):
            return False
    return True


def _overlap(a: Region, b: Region) -> int:
    """How many indices two regions have in common."""
    distance = _distance(b.low, a.low) or ()
    return prod(max(0, min(m, d + n) - max(0, d)) for d, m, n in zip(distance, a.size, b.size, strict=True))


def _distance(a: Sequence[Linear], b: Sequence[Linear]) -> tuple[int, ...] | None:
    results = [x + y.scaled(-1) for x, y in zip(a, b, strict=True)]
    return tuple(f.constant for f in results) if all(f.is_constant for f in results) else None
