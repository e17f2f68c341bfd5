"""Rounds of bundled nodes become iterations of a launch: in each, the cores run the same program on other parts of the
tensors.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.frontend.instances import Instance
from allo_air.frontend.overlaps import Parts
from allo_air.frontend.virtual import VirtualGraph

Shift = tuple[tuple[int, ...], ...]
"""For each dimension of a grid of rounds: the distance that parts move along each tensor dimension in one step."""


@dataclass(frozen=True)
class Rounds:
    """The rounds of a region: the programs of the first round, the grid of rounds, and the shifts of each instance's ports."""

    cores: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    grid: tuple[int, ...] = ()
    shifts: dict[tuple[int, int], Shift] | None = None

    def shift(self, instance: int, port: int, rank: int) -> Shift:
        """The step of the part of a port."""
        return ((0,) * rank,) * len(self.grid) if self.shifts is None else self.shifts[instance, port]


def rounds_of(graph: VirtualGraph) -> Rounds:
    """The rounds as a grid, if all cores have the same number and the parts of a core's rounds have equal steps; otherwise a
    single round.
    """
    nodes = list(graph.nodes.values())
    names = tuple(n.name for n in nodes)
    count = len(nodes[0].rounds)
    if count == 1 or any(len(n.rounds) != count for n in nodes):
        return single_round(graph)
    if not _have_same_code(graph) or hazardous(graph.instances):
        return single_round(graph)
    for grid in _grids(count):
        shifts = _shifts(graph, grid)
        if shifts is not None:
            return Rounds(tuple(n.rounds[0] for n in nodes), names, grid, shifts)
    return single_round(graph)


def single_round(graph: VirtualGraph) -> Rounds:
    """A single round, in which each core runs all its instances."""
    nodes = graph.nodes.values()
    return Rounds(tuple(n.instances for n in nodes), tuple(n.name for n in nodes))


def _have_same_code(graph: VirtualGraph) -> bool:
    """Whether each core runs the same code in all rounds, with streams that correspond to each other on all cores."""
    first: dict[str, str] = {}
    for node in graph.nodes.values():
        for numbers in node.rounds[1:]:
            if len(numbers) != len(node.rounds[0]):
                return False
            for a, b in zip(node.rounds[0], numbers, strict=True):
                left, right = graph.instances[a], graph.instances[b]
                if left.code != right.code or (left.reads, left.writes) != (right.reads, right.writes):
                    return False
                for stream, instead in zip(right.streams, left.streams, strict=True):
                    if first.setdefault(stream, instead) != instead:
                        return False
    return _streams_stay_in_rounds(graph)


def _streams_stay_in_rounds(graph: VirtualGraph) -> bool:
    """Whether every stream begins and ends in the same round."""
    round_of = {i: r for n in graph.nodes.values() for r, numbers in enumerate(n.rounds) for i in numbers}
    return all(round_of[e.source] == round_of[e.target] and e.puts is not None and e.puts == e.gets for e in graph.edges)


def hazardous(instances: Sequence[Instance]) -> bool:
    """Whether an instance reads data that another instance writes, so that the order of rounds matters."""
    writes: Parts[int] = Parts()
    for number, instance in enumerate(instances):
        for part, is_accessed in zip(instance.parts, instance.writes, strict=True):
            if is_accessed:
                writes.add(part, number)
    for number, instance in enumerate(instances):
        for part, is_accessed in zip(instance.parts, instance.reads, strict=True):
            if is_accessed and any(n != number for _, _, n in writes.shared(part)):
                return True
    return False


def _grids(count: int) -> list[tuple[int, ...]]:
    """Grids of one and two dimensions with `count` cells, in row-major order."""
    return [(count,), *((a, count // a) for a in range(2, count) if count % a == 0)]


def _shifts(graph: VirtualGraph, grid: tuple[int, ...]) -> dict[tuple[int, int], Shift] | None:
    """For each instance of the first round and each of its ports, the step of its part; None if steps are not equal."""
    shifts: dict[tuple[int, int], Shift] = {}
    for node in graph.nodes.values():
        for position, first in enumerate(node.rounds[0]):
            series = [graph.instances[numbers[position]].parts for numbers in node.rounds]
            for port, part in enumerate(series[0]):
                shift = steps([parts[port].start for parts in series], grid)
                if shift is None or any(parts[port].sizes != part.sizes for parts in series):
                    return None
                shifts[first, port] = shift
    return shifts


def steps(starts: Sequence[tuple[int, ...]], grid: tuple[int, ...]) -> Shift | None:
    """The step along each dimension of a grid of positions, given in row-major order; None if they are not equal."""
    cells = list(itertools.product(*map(range, grid)))
    starts_of = dict(zip(cells, starts, strict=True))
    origin = starts_of[(0,) * len(grid)]
    shift = []
    for axis, size in enumerate(grid):
        unit = tuple(int(i == axis) for i in range(len(grid)))
        shift.append(tuple(a - b for a, b in zip(starts_of[unit], origin, strict=True)) if size > 1 else (0,) * len(origin))
    for cell, start in starts_of.items():
        moved = tuple(o + sum(c * s[d] for c, s in zip(cell, shift, strict=True)) for d, o in enumerate(origin))
        if moved != start:
            return None
    return tuple(shift)
