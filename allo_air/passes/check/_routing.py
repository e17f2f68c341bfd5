"""Whether the streams of a device can be routed: a router that steers around congestion, and cuts that prove that none can.

Wires between neighbouring switches are the resource; a stream takes one wire of each edge that it runs along, however many
destinations lie beyond it. Circuits have their wires to themselves, packet flows may all share one. Inside a switch any port
reaches any other, but memtiles have no east and west, and hand a stream from north to south, or back, on the same channel: as
cores and shims choose their channels freely, counting wires is enough there too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._streams import Edge, Net, capacities, nets, used_edges
from allo_air.passes.check._tiles import DeviceUse, Place

ROUNDS = 24
"""Rounds in which streams are ripped up and rerouted before the router gives up."""


@dataclass(frozen=True)
class Routes:
    """The edges of each net, and the edges that carry more than they can."""

    edges: list[set[Edge]]
    crowded: dict[Edge, int]


def check_routing(use: DeviceUse, findings: Findings) -> None:
    """Reports streams for which the switches lack wires."""
    all_nets = nets(use, findings)
    room = capacities(use.device)
    for edge, count in used_edges(use).items():
        room[edge] = room.get(edge, 0) - count
    result = route(all_nets, room)
    if not result.crowded:
        return
    if _check_cuts(use, all_nets, room, findings):
        return
    edges = ", ".join(
        f"{use.name(a)} to {use.name(b)} ({count} streams, {max(0, room.get((a, b), 0))} wires)"
        for (a, b), count in list(result.crowded.items())[:3]
    )
    findings.warning(
        use.op,
        f"no route was found for its {len(all_nets)} streams in {ROUNDS} rounds; crowded: {edges}; place tiles that talk to "
        "each other nearer to each other, or use packet flows",
    )


def route(nets_to_route: list[Net], room: Mapping[Edge, int]) -> Routes:
    """Routes `nets_to_route` over edges with `room`, again with crowded edges dearer (negotiated congestion, as Pathfinder)."""
    history: Counter[Edge] = Counter()
    links: dict[Place, list[Edge]] = {}
    for edge, free in room.items():
        if free > 0:
            links.setdefault(edge[0], []).append(edge)
    crowded: dict[Edge, int] = {}
    trees: list[set[Edge]] = []
    for round_ in range(ROUNDS):
        load: Counter[Edge] = Counter()
        packets: set[Edge] = set()
        trees = []
        for net in nets_to_route:
            tree = _tree(net, links, room, load, packets, history, round_)
            for edge in tree:
                if not net.is_packet:
                    load[edge] += 1
                elif edge not in packets:
                    packets.add(edge)
                    load[edge] += 1
            trees.append(tree)
        crowded = {edge: count for edge, count in load.items() if count > room.get(edge, 0)}
        if not crowded:
            break
        for edge in crowded:
            history[edge] += 1
    return Routes(trees, crowded)


def _tree(
    net: Net,
    links: Mapping[Place, list[Edge]],
    room: Mapping[Edge, int],
    load: Mapping[Edge, int],
    packets: set[Edge],
    history: Mapping[Edge, int],
    round_: int,
) -> set[Edge]:
    """The edges from the net's source to all its destinations, each destination joined to the tree by a cheapest path."""

    def cost(edge: Edge) -> float:
        shares = net.is_packet and edge in packets
        over = 0 if shares else max(0, load[edge] + 1 - room[edge])
        return 1 + history[edge] + over * (1 + round_)

    tree: set[Edge] = set()
    reached = {net.source.place}
    for dest in sorted({d.place for d in net.dests}, key=lambda p: _distance(net.source.place, p)):
        for edge in _path(reached, dest, links, cost):
            tree.add(edge)
            reached.add(edge[1])
    return tree


def _path(starts: set[Place], dest: Place, links: Mapping[Place, list[Edge]], cost: object) -> list[Edge]:
    """The cheapest path (Dijkstra) from one of `starts`; if no path exists, the straight edge, which has no capacity."""
    assert callable(cost)
    best: dict[Place, float] = dict.fromkeys(starts, 0.0)
    came: dict[Place, Edge] = {}
    queue = [(0.0, place) for place in sorted(starts)]
    while queue:
        so_far, place = heappop(queue)
        if place == dest:
            break
        if so_far > best[place]:
            continue
        for edge in links.get(place, ()):
            total = so_far + cost(edge)
            if total < best.get(edge[1], float("inf")):
                best[edge[1]] = total
                came[edge[1]] = edge
                heappush(queue, (total, edge[1]))
    if dest not in best:
        return [(min(starts), dest)]
    results = []
    while dest in came and dest not in starts:
        results.append(came[dest])
        dest = came[dest][0]
    return results[::-1]


def _distance(a: Place, b: Place) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _check_cuts(use: DeviceUse, all_nets: list[Net], room: Mapping[Edge, int], findings: Findings) -> bool:
    """Reports the smallest rectangle of tiles that more streams must leave, or enter, than wires cross its border."""
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
            wires = sum(
                max(0, free) for (a, b), free in room.items() if ((a in inside) is leaves) and ((b in inside) is not leaves)
            )
            if needed > wires:
                corner = use.name((left, low)) if len(inside) == 1 else f"the tiles ({left},{low}) to ({right},{high})"
                findings.error(
                    use.tiles[left, low].op if (left, low) in use.tiles else use.op,
                    f"{needed} streams must {'leave' if leaves else 'enter'} {corner}, and {wires} wires cross that border;"
                    " use packet flows, a broadcast instead of several streams, or place tiles nearer to each other",
                )
                return True
    return False
