"""Checks whether the streams of a device can be routed.

A router that avoids congestion searches for routes. If it finds none, a cut of the array may prove that none exist: a
rectangle of tiles that more streams must leave or enter than there are wires across its border.

The limited resource is the wires between neighbouring switches. A stream uses one wire of each edge on its path, for any
number of destinations beyond the edge. A circuit-switched flow has its wires to itself; packet flows may share one. Inside a
switch, any port reaches any other. Memtiles have no wires to the east and west, and pass a stream between north and south on
the same channel. Since cores and shims choose their channels freely, it is enough to count wires there, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from allo_air.errors import counted
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._streams import Edge, Net, capacities, nets, used_edges
from allo_air.passes.check._tiles import DeviceUse, Place

ROUNDS = 24
"""Largest number of times that the router routes all streams again."""


@dataclass(frozen=True)
class Routes:
    """The result of the router."""

    edges: list[set[Edge]]
    """The edges of each net."""
    crowded: dict[Edge, int]
    """The edges with more streams than wires, and their streams."""


def check_routing(use: DeviceUse, findings: Findings) -> None:
    """Reports streams for which the switches lack wires."""
    all_nets = nets(use, findings)
    wires = capacities(use.device)
    for edge, count in used_edges(use).items():
        wires[edge] = wires.get(edge, 0) - count
    result = route(all_nets, wires)
    if not result.crowded:
        return
    if _check_cuts(use, all_nets, wires, findings):
        return
    edges = ", ".join(
        f"{use.name(a)} to {use.name(b)} ({counted(count, 'stream')}, {counted(max(0, wires.get((a, b), 0)), 'wire')})"
        for (a, b), count in list(result.crowded.items())[:3]
    )
    findings.warning(
        use.op,
        f"no route was found for its {counted(len(all_nets), 'stream')} in {ROUNDS} iterations; edges with too "
        f"few wires: {edges}; place "
        "tiles that exchange data nearer to each other, or use packet flows",
    )


def route(nets_to_route: list[Net], wires: Mapping[Edge, int]) -> Routes:
    """Routes all nets over edges, of which each has the given number of free `wires`.

    Each round routes all nets again, with higher costs for edges that were crowded before (negotiated congestion, as in
    PathFinder). Some edges of the result may still be crowded.
    """
    history: Counter[Edge] = Counter()
    links: dict[Place, list[Edge]] = {}
    for edge, free in wires.items():
        if free > 0:
            links.setdefault(edge[0], []).append(edge)
    crowded: dict[Edge, int] = {}
    trees: list[set[Edge]] = []
    for round_ in range(ROUNDS):
        load: Counter[Edge] = Counter()
        packets: set[Edge] = set()
        trees = []
        for net in nets_to_route:
            tree = _tree(net, links, wires, load, packets, history, round_)
            for edge in tree:
                if not net.is_packet:
                    load[edge] += 1
                elif edge not in packets:
                    packets.add(edge)
                    load[edge] += 1
            trees.append(tree)
        crowded = {edge: count for edge, count in load.items() if count > wires.get(edge, 0)}
        if not crowded:
            break
        for edge in crowded:
            history[edge] += 1
    return Routes(trees, crowded)


def _tree(
    net: Net,
    links: Mapping[Place, list[Edge]],
    wires: Mapping[Edge, int],
    load: Mapping[Edge, int],
    packets: set[Edge],
    history: Mapping[Edge, int],
    round_: int,
) -> set[Edge]:
    """The edges from the net's source to all its destinations, each destination joined to the tree by a cheapest path."""

    def cost(edge: Edge) -> float:
        shares = net.is_packet and edge in packets
        excess = 0 if shares else max(0, load[edge] + 1 - wires[edge])
        return 1 + history[edge] + excess * (1 + round_)

    tree: set[Edge] = set()
    reached = {net.source.place}
    for dest in sorted({d.place for d in net.dests}, key=lambda p: _distance(net.source.place, p)):
        for edge in _path(reached, dest, links, cost):
            tree.add(edge)
            reached.add(edge[1])
    return tree


def _path(starts: set[Place], dest: Place, links: Mapping[Place, list[Edge]], cost: Callable[[Edge], float]) -> list[Edge]:
    """The edges of the cheapest path (Dijkstra) from one of `starts` to `dest`. If there is no path: a direct edge, which has
    no wires and so counts as crowded.
    """
    best: dict[Place, float] = dict.fromkeys(starts, 0.0)
    arrival: dict[Place, Edge] = {}
    """The edge by which the best path reaches a tile."""
    queue = [(0.0, place) for place in sorted(starts)]
    while queue:
        place_cost, place = heappop(queue)
        if place == dest:
            break
        if place_cost > best[place]:
            continue
        for edge in links.get(place, ()):
            total = place_cost + cost(edge)
            if total < best.get(edge[1], float("inf")):
                best[edge[1]] = total
                arrival[edge[1]] = edge
                heappush(queue, (total, edge[1]))
    if dest not in best:
        return [(min(starts), dest)]
    results = []
    while dest in arrival and dest not in starts:
        results.append(arrival[dest])
        dest = arrival[dest][0]
    return results[::-1]


def _distance(a: Place, b: Place) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _check_cuts(use: DeviceUse, all_nets: list[Net], wires: Mapping[Edge, int], findings: Findings) -> bool:
    """Reports the smallest rectangle of tiles that more streams must leave, or enter, than wires cross its border; returns
    whether there is one.
    """
    device = use.device
    columns = [(a, b) for a in range(device.columns) for b in range(a, device.columns)]
    rows = [(a, b) for a in range(device.rows) for b in range(a, device.rows)]
    rectangles = sorted(
        ((c, r) for c in columns for r in rows), key=lambda x: (x[0][1] - x[0][0] + 1) * (x[1][1] - x[1][0] + 1)
    )
    ends = [(n.source.place, {d.place for d in n.dests}, n.is_packet) for n in all_nets]
    for (left, right), (low, high) in rectangles:
        inside = {(c, r) for c in range(left, right + 1) for r in range(low, high + 1)}
        for leaves in (True, False):
            crossing = [
                p
                for source, dests, p in ends
                if (source in inside) is leaves and (dests - inside if leaves else dests & inside)
            ]
            needed = sum(not p for p in crossing) + any(crossing)
            crossing_wires = sum(
                max(0, free) for (a, b), free in wires.items() if ((a in inside) is leaves) and ((b in inside) is not leaves)
            )
            if needed > crossing_wires:
                corner = use.name((left, low)) if len(inside) == 1 else f"the tiles ({left},{low}) to ({right},{high})"
                findings.error(
                    use.tiles[left, low].op if (left, low) in use.tiles else use.op,
                    f"{counted(needed, 'stream')} must {'leave' if leaves else 'enter'} {corner}, and "
                    f"{counted(crossing_wires, 'wire')} cross that "
                    "border; use packet flows, a broadcast instead of several streams, or place tiles nearer to each other",
                )
                return True
    return False
