"""Reproduces the routes of mlir-aie's router through uncongested switches: shortest paths with the same choice among equal
ones. Derived from devices that it routed (lit test as-mlir-aie.mlir). Its graph has one vertex for both directions of a port,
except for ports of DMAs and cores; its queue is a 4-ary heap, whose order of equal distances matters. A wire in use costs a
tenth more, so that later streams avoid it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from math import inf

from allo_air.device import SHIM_MUX, Coordinate, Device
from allo_air.passes.resources._nets import OPPOSITE, SHIM_DESTS, SHIM_SOURCES, STEPS, Local, Net, Slave, Tree

_IN_USE = 1.1
"""The factor by which the cost of a wire grows with each stream that uses it."""

_ENDS = ("DMA", "Core")
"""Bundles whose ports a stream does not pass through."""

_BUNDLES = ("Core", "DMA", "FIFO", "South", "West", "North", "East", "PLIO", "NOC", "Trace", "TileControl")

Vertex = tuple[Coordinate, tuple[int, int], bool]
"""A port of a switch: its tile, its bundle's number and channel, and whether streams can end there."""


class Shortest:
    """Computes shortest trees for nets, one after another; `masters` and `slaves` are ports in use."""

    def __init__(self, device: Device, masters: Set[Slave], slaves: Set[Slave]):
        self.device, self.masters, self.slaves = device, masters, slaves
        self._lengths: dict[tuple[Vertex, Vertex], float] = {}

    def trees(self, nets: list[Net]) -> list[Tree] | None:
        """A tree for each net, or None if there is none: the net has several sources, or a port without a path."""
        results: dict[int, Tree] = {}
        for group in _groups(nets):
            used: set[tuple[Vertex, Vertex]] = set()
            for number in group:
                net = nets[number]
                if len(net.sources) != 1:
                    return None
                edges = self._edges(net)
                tree = None if edges is None else _tree(edges)
                if tree is None:
                    return None
                results[number] = tree
                if net.packet is None:
                    self._lengthen(edges or ())
                else:
                    used.update(edges or ())
            self._lengthen(used)
        return [results[i] for i in range(len(nets))]

    def _lengthen(self, edges: Iterable[tuple[Vertex, Vertex]]) -> None:
        for edge in edges:
            self._lengths[edge] = self._lengths.get(edge, 1.0) * _IN_USE

    def _edges(self, net: Net) -> list[tuple[Vertex, Vertex]] | None:
        """The edges from the source to each destination, without repetitions; None if one is unreachable."""
        source = _vertex(self.device, net.sources[0], ends=False)
        goals = [_vertex(self.device, dest, ends=True) for dest in net.dests]
        before = self._search(source, set(goals))
        results: dict[tuple[Vertex, Vertex], None] = {}
        for goal in goals:
            path: list[tuple[Vertex, Vertex]] = []
            vertex = goal
            while vertex != source:
                if vertex not in before:
                    return None
                path.append((before[vertex], vertex))
                vertex = before[vertex]
            results.update(dict.fromkeys(reversed(path)))
        return list(results)

    def _search(self, source: Vertex, goals: set[Vertex]) -> dict[Vertex, Vertex]:
        """The predecessor of each vertex, up to the goals."""
        distances, before = {source: 0.0}, dict[Vertex, Vertex]()
        closed: set[Vertex] = set()
        queue = _Heap(distances)
        queue.push(source)
        open_goals = goals - {source}
        lengths, is_unrestricted = self._lengths, not (self.masters or self.slaves)
        while queue and open_goals:
            vertex = queue.pop()
            so_far = distances[vertex]
            for following in _adjacent(self.device, vertex):
                if not is_unrestricted and self._is_taken(vertex, following):
                    continue
                total = so_far + lengths.get((vertex, following), 1.0)
                distance = distances.get(following, inf)
                if total < distance:
                    distances[following], before[following] = total, vertex
                    if distance == inf:
                        queue.push(following)
                    elif following not in closed:
                        queue.raise_(following)
            closed.add(vertex)
            open_goals.discard(vertex)
        return before

    def _is_taken(self, vertex: Vertex, following: Vertex) -> bool:
        return vertex[0] == following[0] and (_port(vertex) in self.slaves or _port(following) in self.masters)


class _Heap:
    """A 4-ary heap of vertices by distance. The order of equal vertices follows from its swaps."""

    def __init__(self, distances: dict[Vertex, float]):
        self.distances = distances
        self.items: list[Vertex] = []
        self.places: dict[Vertex, int] = {}

    def __bool__(self) -> bool:
        return bool(self.items)

    def push(self, vertex: Vertex) -> None:
        self.items.append(vertex)
        self.places[vertex] = len(self.items) - 1
        self.raise_(vertex)

    def raise_(self, vertex: Vertex) -> None:
        """Moves up a vertex whose distance decreased."""
        items, position, distance = self.items, self.places[vertex], self.distances[vertex]
        while position and distance < self.distances[items[(position - 1) // 4]]:
            self._put(items[(position - 1) // 4], position)
            position = (position - 1) // 4
        self._put(vertex, position)

    def pop(self) -> Vertex:
        """Removes the nearest vertex; the last vertex replaces it and sinks."""
        items, distances = self.items, self.distances
        result, vertex = items[0], items.pop()
        if not items:
            return result
        position, distance = 0, distances[vertex]
        while children := range(4 * position + 1, min(4 * position + 5, len(items))):
            nearest = min(children, key=lambda child: distances[items[child]])
            if not distances[items[nearest]] < distance:
                break
            self._put(items[nearest], position)
            position = nearest
        self._put(vertex, position)
        return result

    def _put(self, vertex: Vertex, position: int) -> None:
        self.items[position] = vertex
        self.places[vertex] = position


@lru_cache(maxsize=65536)
def _adjacent(device: Device, vertex: Vertex) -> tuple[Vertex, ...]:
    """The neighbours of a port: the ports that its switch can connect it to, and the adjacent tile's port."""
    (tile, (number, channel), ends), results = vertex, list[Vertex]()
    bundle = _BUNDLES[number]
    if not ends and channel < _count(device, tile, bundle, master=False):
        results = [
            (tile, (other_number, port), name in _ENDS)
            for other_number, name in enumerate(_BUNDLES)
            for port in range(_count(device, tile, name, master=True))
            if _connects(device, tile, (bundle, channel), (name, port))
        ]
    if bundle in STEPS and channel < device.ports(*tile, bundle, master=True):
        step = STEPS[bundle]
        there = (tile[0] + step[0], tile[1] + step[1])
        if device.holds(*there):
            results.append((there, (_BUNDLES.index(OPPOSITE[bundle]), channel), False))
    return tuple(sorted(results))


def _count(device: Device, tile: Coordinate, bundle: str, *, master: bool) -> int:
    """Ports of a switch; for a shim, including those of its multiplexer."""
    ports = device.ports(*tile, bundle, master=master)
    if ports or tile[1] or bundle not in _THROUGH_MUX:
        return ports
    return (SHIM_MUX.masters if master else SHIM_MUX.slaves).get(bundle, 0)


_THROUGH_MUX = ("DMA", "NOC", "PLIO")


def _connects(device: Device, tile: Coordinate, source: Local, dest: Local) -> bool:
    if tile[1] == 0 and (source[0] in _THROUGH_MUX or dest[0] in _THROUGH_MUX):
        return True
    if tile[1] == 0 and source[0] == dest[0] and source[0] in STEPS:
        return source[1] == dest[1]
    return device.can_connect(*tile, source, dest)


def _vertex(device: Device, port: Slave, *, ends: bool) -> Vertex:
    """A net's end as a vertex; for a shim's DMA, the DMA itself, not the switch port of its multiplexer."""
    tile, local = port
    if device.kind(*tile) == "shim_noc":
        local = next((dma for dma, mux in (SHIM_DESTS if ends else SHIM_SOURCES).items() if mux == local), local)
    return tile, (_BUNDLES.index(local[0]), local[1]), ends and local[0] in _ENDS


def _port(vertex: Vertex) -> Slave:
    return vertex[0], (_BUNDLES[vertex[1][0]], vertex[1][1])


def _tree(edges: list[tuple[Vertex, Vertex]]) -> Tree | None:
    """The connections for edges; None if a stream would leave by the port that it entered, or by a port without a wire."""
    tree = Tree()
    inner = {end for start, end in edges if start[0] == end[0]}
    for start, end in edges:
        if start[0] != end[0]:
            continue
        if start in inner:
            return None
        tree.add(_through_mux(start, SHIM_SOURCES), _through_mux(end, SHIM_DESTS)[1])
    return tree


def _through_mux(vertex: Vertex, table: dict[Local, Local]) -> Slave:
    tile, local = _port(vertex)
    return tile, table.get(local, local) if tile[1] == 0 else local


def _groups(nets: list[Net]) -> Iterator[list[int]]:
    """The order of routing: prioritized nets, circuits, then packets, grouped by a common source or destination."""
    order = sorted(range(len(nets)), key=lambda i: not nets[i].priority)
    yield [i for i in order if nets[i].packet is None]
    groups: list[tuple[set[Slave], set[Slave], list[int]]] = []
    for i in order:
        if nets[i].packet is None:
            continue
        sources, dests = set(nets[i].sources), set(nets[i].dests)
        group = next((g for g in groups if g[0] & sources or g[1] & dests), None)
        if group is None:
            groups.append((sources, dests, [i]))
        else:
            group[0].update(sources)
            group[1].update(dests)
            group[2].append(i)
    yield from (numbers for *_, numbers in groups)
