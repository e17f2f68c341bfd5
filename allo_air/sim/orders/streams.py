"""Represents streams as links: FIFOs between switches, with arbiters for packets. Each branch of a broadcast has its own
capacity.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.sim.array import Design
from allo_air.sim.routes import Port
from allo_air.sim.switches import OPPOSITE, STEP, read_switches

if TYPE_CHECKING:
    from allo_air.device import Device
    from allo_air.dialects._aie_streams import PacketFlowOp
    from allo_air.dialects._aie_tiles import DeviceOp
    from allo_air.sim._engine import Orders
    from allo_air.sim.routes import Route

_SLAVE, _MASTER, _LOCAL = 4, 4, 2
"""Words of the FIFOs of a switch: at a slave, at an external master, at a local one (AM020)."""


class Streams:
    """The links of a design in `system`; `sources` and `sinks` are those at the ends, `names` has the name of each."""

    def __init__(self, system: Orders, design: Design) -> None:
        self.system, self.design = system, design
        timing = arch_of(design.layout.device).timing(None)
        self._rate = int(timing.stream_words_per_cycle)
        self._staging, self._taken = int(timing.mm2s_staging_words), int(timing.s2mm_fifo_words)
        self._core = int(timing.core_stream_fifo_words)
        self.sources: dict[Port, int] = {}
        self.sinks: dict[Port, int] = {}
        self.names: dict[int, str] = {}
        self.arbiters: dict[Any, int] = {}
        self.arbiter_names: dict[int, str] = {}
        self.arbiter_ops: dict[int, Any] = {}
        self.flows: list[tuple[Any, int]] = []
        """Packet flows without routes, with the link that leads to their ends."""
        self._hops: dict[int, list[int]] = defaultdict(list)
        flows = [r for r in design.routes if r.op is not None and r.op.operation.name not in ("aie.connect", "aie.masterset")]
        for route in flows:
            self._ideal(route)
        traced = {r.source for r in design.routes} - {r.source for r in flows}
        if traced:
            self._switched(traced)

    def source(self, port: Port) -> int:
        """The link at the source of a stream."""
        if port not in self.sources:
            own = self._staging if port[2] == "DMA" else self._core
            self.sources[port] = self._link(own + _SLAVE, f"{port[2]} {port[3]} of tile ({port[0]}, {port[1]})")
        return self.sources[port]

    def sink(self, port: Port) -> int:
        """The link at an end of a stream."""
        if port not in self.sinks:
            drain = port[2] not in ("DMA", "Core")
            own = self._taken if port[2] == "DMA" else self._core
            self.sinks[port] = self._link(own + _LOCAL, f"{port[2]} {port[3]} of tile ({port[0]}, {port[1]})", drain)
        return self.sinks[port]

    def _link(self, words: int, name: str, drain: bool = False) -> int:
        result: int = self.system.link(words * self._rate, drain)
        self.names[result] = name
        return result

    def _hop(self, link: int, packet: int, mask: int, arbiter: int, to: Sequence[object], keeps: list[bool]) -> None:
        self._hops[link].append(arbiter)
        self.system.hop(link, packet, mask, arbiter, to, keeps)

    def hops_with(self, link: int, arbiter: int) -> list[int]:
        """The numbers of a link's hops that use the arbiter."""
        return [n for n, a in enumerate(self._hops.get(link, ())) if a == arbiter]

    def arbiter(self, key: tuple[str | tuple[int | str, ...], ...], name: str, op: PacketFlowOp | DeviceOp) -> int:
        """The arbiter that is known by `key`, as `op` configures it."""
        if key not in self.arbiters:
            result = self.arbiters[key] = self.system.arbiter()
            self.arbiter_names[result], self.arbiter_ops[result] = name, op
        return self.arbiters[key]

    # Flows without switches.

    def _ideal(self, route: Route) -> None:
        source = self.source(route.source)
        packet = -1 if route.packet is None else route.packet[0]
        mask = 31 if route.packet is None else route.packet[1]
        tree: dict[Any, set[Any]] = defaultdict(set)
        ends: dict[Any, list[Any]] = defaultdict(list)
        for end in route.destinations:
            path = _path(self.design.layout.device, route.source[:2], end.port[:2])
            for a, b in itertools.pairwise(path):
                tree[a].add(b)
            ends[end.port[:2]].append(end)
        self._spread(route, source, route.source[:2], packet, mask, tree, ends, 0)

    def _spread(
        self, route: Route, link: int, tile: tuple[int, ...], packet: int, mask: int, tree: Any, ends: Any, depth: int
    ) -> None:
        if packet >= 0 and depth == 0:
            inner = self._link(_MASTER + _SLAVE, f"the path of packet {packet} from {self.names[link]}")
            self._hop(link, packet, mask, -1, [inner], [True])
            link = inner
        to, keeps, after = [], [], []
        for following in sorted(tree.get(tile, ())):
            item = self._link(_MASTER + _SLAVE, f"the wire from switch {tile} to {following}")
            to.append(item)
            keeps.append(True)
            after.append((item, following))
        for end in ends.get(tile, ()):
            to.append(self.sink(end.port))
            keeps.append(bool(end.keep_header) and packet >= 0)
        arbiter = -1
        if packet >= 0 and ends.get(tile):
            port = ends[tile][0].port
            name = f"the arbiter before {port[2]} {port[3]} of tile ({port[0]}, {port[1]})"
            arbiter = self.arbiter(("end", port), name, route.op)
            self.flows.append((route, link))
        self._hop(link, packet, mask, arbiter, to, keeps)
        for item, following in after:
            self._spread(route, item, following, packet, mask, tree, ends, depth + 1)

    # Configured switches.

    def _switched(self, ports: set[Port]) -> None:
        switches, sources, sinks = read_switches(self.design.layout)
        links: dict[Any, int] = {}

        def port_of(tile: Any, slave: Any) -> Any:
            return (*tile, *(sources.get(tile, {}).get(slave) or slave))

        def link_of(tile: tuple[int, ...], slave: Any) -> int:
            if (tile, slave) not in links:
                port = port_of(tile, slave)
                if slave[0] in ("North", "South", "East", "West") and port[2] == slave[0]:
                    links[tile, slave] = self._link(_MASTER + _SLAVE, f"the wire into {slave[0]} {slave[1]} of switch {tile}")
                else:
                    links[tile, slave] = self.source(port)
            return links[tile, slave]

        def to_of(tile: tuple[int, int], master: object) -> int | None:
            bundle, channel = sinks.get(tile, {}).get(master, master)
            if bundle not in STEP or (bundle == "South" and tile[1] == 0):
                return self.sink((*tile, bundle, channel))
            dx, dy = STEP[bundle]
            return link_of((tile[0] + dx, tile[1] + dy), (OPPOSITE[bundle], channel))

        for tile, switch in sorted(switches.items()):
            for slave, leads in switch.circuits.items():
                self._hop(link_of(tile, slave), -1, 31, -1, [to_of(tile, m) for m, _ in leads], [False] * len(leads))
            for slave, rules in switch.rules.items():
                if slave in switch.circuits:
                    continue
                for mask, value, amsel in rules:
                    masters = [(m, keep) for m, amsels, keep, _ in switch.masters if amsel in amsels]
                    if not masters:
                        continue
                    number = amsel.owner.attributes["arbiterID"].value
                    arbiter = self.arbiter((tile, number), f"arbiter {number} of the switch of {tile}", amsel.owner)
                    keeps = [bool(keep) if keep is not None else m[0] not in ("DMA", "South") for m, keep in masters]
                    for k, (m, _) in enumerate(masters):
                        if m[0] in STEP and not (m[0] == "South" and tile[1] == 0):
                            keeps[k] = True
                    self._hop(link_of(tile, slave), value, mask, arbiter, [to_of(tile, m) for m, _ in masters], keeps)


def _path(device: Device, source: tuple[int, ...], dest: tuple[int, ...]) -> list[Any]:
    """The switches on the path of a stream: vertically first, and horizontally outside of the rows of memtiles."""
    (column, row), path = source, [source]
    across = [*[*range(column, dest[0], 1 if dest[0] > column else -1)][1:], dest[0]] if dest[0] != column else []
    turn = dest[1]
    if across and turn in device.mem_rows:
        turn = row if row not in device.mem_rows else row + 1
    step = 1 if turn > row else -1
    path += [(column, r) for r in range(row + step, turn + step, step)] if turn != row else []
    path += [(c, turn) for c in across]
    step = 1 if dest[1] > turn else -1
    path += [(dest[0], r) for r in range(turn + step, dest[1] + step, step)] if dest[1] != turn else []
    return path
