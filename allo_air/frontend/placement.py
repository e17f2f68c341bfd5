"""Places the cores of a region: cores with a common stream are adjacent if possible, so that they share memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

from allo_air.device import CORE_TILE, MEM_TILE

Cell = tuple[int, int]
"""Column and row of a core, relative to the first core."""


PORTS = CORE_TILE.channels[0]
"""Number of channels of a core's DMA in each direction."""
WIRES = MEM_TILE.ports.masters["North"], MEM_TILE.ports.slaves["North"]
"""Number of connections from a column's memtile to its cores, and back."""
_EXCESS = 100
"""Cost of each channel beyond those of a core."""


def place_cores(
    count: int, links: Sequence[tuple[int, int]], columns: int, rows: int, ends: Sequence[tuple[int, int]] = ()
) -> list[Cell] | None:
    """A cell for each of `count` cores, so that linked cores are close; None if there are too few cells.

    `ends` are the channels in and out that each core needs besides its links. A link needs a channel if its cores are not
    adjacent.
    """
    high = _height(count, columns, rows, ends)
    cells = sorted(itertools.product(range(columns), range(rows)), key=lambda cell: cell[1] >= high)
    if count > len(cells):
        return None
    near: dict[int, list[int]] = {n: [] for n in range(count)}
    for a, b in links:
        if a != b:
            near[a].append(b)
            near[b].append(a)
    results: dict[int, Cell] = {}
    for node in _order(near):
        free = [c for c in cells if c not in results.values()]
        results[node] = min(free, key=lambda c: (sum(_cost(c, results[o]) for o in near[node] if o in results), cells.index(c)))
    _improve(results, near, cells, lambda nodes: _excess(results, nodes, links, ends))
    return [results[n] for n in range(count)]


def _height(count: int, columns: int, rows: int, ends: Sequence[tuple[int, int]]) -> int:
    """The number of cores to use in a column: as many as have connections to memtiles for their channels, but enough for all
    cores.
    """
    inputs, out = (max((e[direction] for e in ends), default=0) for direction in (0, 1))
    fit = [h for h in range(1, rows + 1) if h * inputs <= WIRES[0] and h * out <= WIRES[1]]
    return max(max(fit, default=1), -(-count // columns))


def lacking(cells: Sequence[Cell], links: Sequence[tuple[int, int]], ends: Sequence[tuple[int, int]]) -> int:
    """The number of channels that the cores at `cells` lack."""
    return _excess(dict(enumerate(cells)), range(len(cells)), links, ends) // _EXCESS


def _cost(a: Cell, b: Cell) -> int:
    """The cost of a link: 0 between adjacent cores, otherwise increasing with the distance."""
    distance = abs(a[0] - b[0]) + abs(a[1] - b[1])
    return 0 if distance == 1 else 4 + distance


def _order(near: dict[int, list[int]]) -> list[int]:
    """The cores in an order in which each is linked to an earlier one, if possible."""
    order: list[int] = []
    for start in near:
        waiting = [start]
        while waiting:
            node = waiting.pop(0)
            if node not in order:
                order.append(node)
                waiting += near[node]
    return order


def _excess(
    cells: dict[int, Cell], nodes: Iterable[int], links: Sequence[tuple[int, int]], ends: Sequence[tuple[int, ...]]
) -> int:
    """The cost of the channels that cores lack."""
    far = [(a, b) for a, b in links if a != b and _cost(cells[a], cells[b])]
    total = 0
    for node in nodes if ends else ():
        inputs, out = ends[node]
        inputs += sum(b == node for _, b in far)
        out += sum(a == node for a, _ in far)
        total += max(0, inputs - PORTS) + max(0, out - PORTS)
    return _EXCESS * total


def _improve(
    items: dict[int, Cell], near: dict[int, list[int]], cells: list[Cell], excess: Callable[[Iterable[int]], int]
) -> None:
    """Exchanges cores, and moves them to free cells, as long as that shortens links."""

    def cost(nodes: Sequence[int]) -> int:
        touched = {*nodes, *(o for n in nodes for o in near[n])}
        return sum(_cost(items[n], items[o]) for n in nodes for o in near[n]) + excess(touched)

    better = any(near.values())
    while better:
        better = False
        for a, b in itertools.combinations(items, 2):
            before = cost((a, b))
            items[a], items[b] = items[b], items[a]
            if cost((a, b)) < before:
                better = True
            else:
                items[a], items[b] = items[b], items[a]
        for node in items:
            for cell in cells:
                if cell in items.values():
                    continue
                old, before = items[node], cost((node,))
                items[node] = cell
                if cost((node,)) < before:
                    better = True
                else:
                    items[node] = old
