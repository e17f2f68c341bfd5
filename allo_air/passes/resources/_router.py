"""Routes streams through the ports of the array's switches: like mlir-aie if no port is overloaded, otherwise by negotiated
congestion (PathFinder), port by port. A wire belongs to one circuit, or to packets, which share it if no other wire is free.
The negotiation sorts the nets, so that its result does not depend on the order of the flows in the file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Any

from allo_air.device import Coordinate, Device
from allo_air.errors import counted
from allo_air.passes.resources._nets import OPPOSITE, STEPS, Local, Net, Slave, Tree, Unroutable
from allo_air.passes.resources._pathfinder import Shortest
from allo_air.passes.resources._switch_plan import overflowing

ROUNDS = 40
_SHARED, _HISTORY = 0.75, 1.0
"""Costs of sharing a wire with a packet stream, and of wires that were overloaded before."""


class Router:
    """Routes nets over the switches of `device`; `occupied` are master and slave ports that the design already uses."""

    def __init__(self, device: Device, occupied: Iterable[tuple[Coordinate, Local, bool]] = ()):
        self.device = device
        self.masters = {(tile, port) for tile, port, master in occupied if master}
        self.slaves = {(tile, port) for tile, port, master in occupied if not master}
        self.history: Counter[Slave] = Counter()
        self._leads: dict[Slave, list[tuple[Local, Slave]]] = {}

    def route(self, nets: list[Net]) -> list[Tree]:
        """A tree for each net; raises Unroutable if a port is still overloaded after all rounds."""
        shortest = Shortest(self.device, self.masters, self.slaves).trees(nets)
        if shortest is not None and not self._crowded_ports(nets, dict(enumerate(shortest))):
            return shortest
        order = sorted(range(len(nets)), key=lambda i: nets[i].order)
        trees: dict[int, Tree] = {}
        for round_ in range(ROUNDS):
            users: dict[Slave, list[int]] = defaultdict(list)
            for i in order:
                trees[i] = self._tree(nets, i, users, round_)
                for master in trees[i].masters():
                    users[master].append(i)
            crowded = self._crowded(nets, users) | _too_many_rules(nets, trees)
            if not crowded:
                return [trees[i] for i in range(len(nets))]
            for master in crowded:
                self.history[master] += 1
        (tile, (bundle, channel)), number = min((m, users[m][-1]) for m in crowded)
        carried = len(set(users[tile, (bundle, channel)]))
        why = f"{bundle} : {channel} would carry {counted(carried, 'stream')} that cannot share it, and no other port is free"
        raise Unroutable(nets[number], tile, why)

    def _crowded_ports(self, nets: list[Net], trees: dict[int, Tree]) -> set[Slave]:
        users: dict[Slave, list[int]] = defaultdict(list)
        for number, tree in trees.items():
            for master in tree.masters():
                users[master].append(number)
        return self._crowded(nets, users) | _too_many_rules(nets, trees)

    def _crowded(self, nets: list[Net], users: dict[Slave, list[int]]) -> set[Slave]:
        return {master for master, item in users.items() if len(item) > 1 and _conflicts(nets, item)}

    def _tree(self, nets: list[Net], number: int, users: dict[Slave, list[int]], round_: int) -> Tree:
        net, tree = nets[number], Tree()
        first, *more = net.sources
        reached = {first}
        for dest in sorted(net.dests, key=lambda d: (_distance(first[0], d[0]), d)):
            self._join(nets, number, tree, reached, dest, users, round_)
        for source in more:
            self._merge(nets, number, tree, source, users, round_)
        return tree

    def _join(
        self, nets: list[Net], number: int, tree: Tree, reached: set[Slave], dest: Slave, users: object, round_: int
    ) -> None:
        """Extends the tree to `dest` by a cheapest path."""
        net = nets[number]

        def ends(slave: Slave) -> bool:
            return slave[0] == dest[0] and self._allowed(slave, dest[1])

        path = self._path(nets, number, reached, dest[0], ends, users, round_)
        if path is None:
            raise Unroutable(net, dest[0], f"no port leads to {dest[1][0]} : {dest[1][1]}")
        for slave, master, following in path[:-1]:
            tree.add(slave, master)
            reached.add(following)
        tree.add(path[-1][0], dest[1])

    def _merge(self, nets: list[Net], number: int, tree: Tree, source: Slave, users: object, round_: int) -> None:
        """Connects another source of a packet flow to a switch from which the tree leads to all destinations."""
        net = nets[number]
        trunk = _trunk(tree, net)

        def ends(slave: Slave) -> bool:
            return slave not in tree.inside and any(
                slave[0] == tile and all(self._allowed(slave, master) for master in masters) for tile, masters in trunk
            )

        goal = trunk[-1][0]
        path = self._path(nets, number, {source}, goal, ends, users, round_)
        if path is None:
            raise Unroutable(net, source[0], "no port leads to where its streams can join")
        for slave, master, _ in path[:-1]:
            tree.add(slave, master)
        last = path[-1][0]
        for master in next(masters for tile, masters in trunk if tile == last[0]):
            tree.add(last, master)

    def _path(
        self, nets: list[Net], number: int, starts: set[Slave], goal: Coordinate, ends: Any, users: Any, round_: int
    ) -> list[tuple[Slave, Local, Slave]] | None:
        """The cheapest path from `starts` to a slave port that `ends` accepts, which is the last element."""
        best: dict[Slave, float] = dict.fromkeys(starts, 0.0)
        predecessors: dict[Slave, tuple[Slave, Local]] = {}
        tie_breaks = count()  # ties: the first path found, in mlir-aie's order south, west, north, east
        queue = [(float(_distance(s[0], goal)), next(tie_breaks), s) for s in sorted(starts)]
        heapify(queue)
        while queue:
            estimate, _, slave = heappop(queue)
            so_far = best[slave]
            if estimate > so_far + _distance(slave[0], goal) + 1e-9:
                continue
            if ends(slave):
                path = [(slave, slave[1], slave)]
                while slave not in starts:
                    before, master = predecessors[slave]
                    path.insert(0, (before, master, slave))
                    slave = before
                return path
            for master, following in self._neighbours(slave):
                if following in starts:
                    continue
                total = so_far + 1 + self._cost((slave[0], master), nets, number, users, round_)
                if total < best.get(following, float("inf")) - 1e-9:
                    best[following], predecessors[following] = total, (slave, master)
                    heappush(queue, (total + _distance(following[0], goal), next(tie_breaks), following))
        return None

    def _neighbours(self, slave: Slave) -> list[tuple[Local, Slave]]:
        """The master ports to neighbours that a slave port can be connected to, with the slave ports at the other ends of
        their wires."""
        if slave not in self._leads:
            results = []
            tile = slave[0]
            for bundle, (dx, dy) in STEPS.items():
                there = (tile[0] + dx, tile[1] + dy)
                if not self.device.holds(*there):
                    continue
                channels = min(
                    self.device.ports(*tile, bundle, master=True),
                    self.device.ports(*there, OPPOSITE[bundle], master=False),
                )
                for channel in range(channels):
                    port, entry = (bundle, channel), (there, (OPPOSITE[bundle], channel))
                    if self._allowed(slave, port) and (tile, port) not in self.masters and entry not in self.slaves:
                        results.append((port, entry))
            self._leads[slave] = results
        return self._leads[slave]

    def _allowed(self, slave: Slave, master: Local) -> bool:
        return self.device.can_connect(*slave[0], slave[1], master)

    def _cost(self, master: Slave, nets: list[Net], number: int, users: Any, round_: int) -> float:
        cost = _HISTORY * self.history[master]
        user = users.get(master, ())
        if user:
            cost += (2 + round_) if _conflicts(nets, [*user, number]) else _SHARED * len(user)
        return cost


def _conflicts(nets: list[Net], numbers: list[int]) -> bool:
    """Whether nets cannot share a wire: circuits never can, and packets with the same id cannot be distinguished."""
    ids = [nets[i].packet for i in numbers]
    return None in ids or len(set(ids)) < len(ids)


def _too_many_rules(nets: list[Net], trees: dict[int, Tree]) -> set[Slave]:
    """The overloaded wires: those into slave ports that need too many rules, and those of switches that need too many
    arbiters."""
    slaves = overflowing(nets, trees)
    return {_origin(slave) for slave in slaves if slave[1][0] in OPPOSITE}


def _origin(slave: Slave) -> Slave:
    """The master port at the other end of the wire into a slave port."""
    (column, row), (bundle, channel) = slave
    dx, dy = STEPS[bundle]
    return (column + dx, row + dy), (OPPOSITE[bundle], channel)


def _trunk(tree: Tree, net: Net) -> list[tuple[Coordinate, list[Local]]]:
    """The switches on the path from the first source to the first branch, with their master ports."""
    slave, result = net.sources[0], []
    while True:
        masters = tree.inside[slave]
        result.append((slave[0], list(masters)))
        if len(masters) != 1 or (slave[0], masters[0]) in net.dests or masters[0][0] not in STEPS:
            return result
        dx, dy = STEPS[masters[0][0]]
        slave = (slave[0][0] + dx, slave[0][1] + dy), (OPPOSITE[masters[0][0]], masters[0][1])


def _distance(a: Coordinate, b: Coordinate) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])
