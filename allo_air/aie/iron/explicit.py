"""Locks, flows, packets and cascades that a program declares explicitly, in addition to its objectFifos."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.errors import IronRuntimeError, IronTypeError, user_place
from allo_air.aie.building.scope import located
from allo_air.aie.dialects import _aie_streams as streams
from allo_air.aie.dialects._aie_enum_gen import LockAction, WireBundle
from allo_air.aie.dialects._aie_tiles import lock, use_lock
from allo_air.aie.dialects._aiex_npu import set_lock
from allo_air.aie.dialects._aiex_tasks import dma_configure_task
from allo_air.aie.iron.device import SHIM, Tile
from allo_air.aie.iron.tasks import Task, transfer_on

_NUMBERS = count()


class Lock:
    """A lock of a tile; cores acquire and release it, DMA programs name it, the sequence sets it."""

    def __init__(
        self, tile: Tile | None = None, init: int = 0, lock_id: int | None = None, name: str | None = None, **keywords: Any
    ):
        self.tile, self.init, self.lock_id = tile, int(keywords.pop("initial_value", init)), lock_id
        self.name = name or f"lock_{next(_NUMBERS)}"
        self.place = user_place()
        self.op: Any = None  # the operation in the current module
        if keywords:
            raise IronTypeError(f"Lock '{self.name}' has no argument '{next(iter(keywords))}'")

    def tiles(self) -> Iterable[Tile]:
        """The lock's tile."""
        return [] if self.tile is None else [self.tile]

    def build(self) -> None:
        """Builds the lock."""
        if self.tile is None:
            raise IronRuntimeError(f"Lock '{self.name}' is on no tile; give it to a worker, or pin it with tile=")
        self.op = lock(self.tile.op, self.lock_id, self.init, self.name, loc=located(self.place))

    @property
    def ssa(self) -> Any:
        """Its SSA value in the current module."""
        if self.op is None:
            raise IronRuntimeError(f"Lock '{self.name}' is not in the design; give it to a worker or to rt.add_lock")
        return self.op.operation.result

    def acquire(self, value: object = 1) -> None:
        """Waits until the lock is at least `value`, and subtracts it."""
        use_lock(self.ssa, LockAction.AcquireGreaterEqual, value=value)

    def release(self, value: object = 1) -> None:
        """Adds `value`."""
        use_lock(self.ssa, LockAction.Release, value=value)

    def set(self, value: object) -> None:
        """In the sequence: sets the lock."""
        set_lock(self.ssa, value)


class Port:
    """A port of a tile: `tile`, or `(tile, bundle, channel)`; a worker is accepted as its tile."""

    def __init__(self, tile_or_port: Any, bundle: Any = None, channel: int | None = None):
        several = list(tile_or_port) if isinstance(tile_or_port, tuple | list) else [tile_or_port]
        if len(several) == 2 and isinstance(several[1], int) and not isinstance(several[1], WireBundle):
            several.insert(1, None)
        tile, kind, number = [*several, None, None][:3]
        tile = getattr(tile, "tile", tile)
        if not isinstance(tile, Tile):
            raise IronTypeError(f"a flow goes from a tile to a tile, got {type(tile).__name__}")
        self.tile: Tile = tile
        self.bundle = _first(kind, bundle, WireBundle.DMA)
        self.channel = int(number if number is not None else channel or 0)


class Flow:
    """A stream from a port to a port; if one end is a shim, `fill` and `drain` move arrays of the sequence."""

    def __init__(
        self, source: object, dest: object, source_channel: int | None = None, dest_channel: int | None = None, *,
        source_bundle: object = None, dest_bundle: object = None, source_port: object = None, dest_port: object = None,
        name: str | None = None,
    ):  # fmt: skip
        self.source = Port(source, _first(source_bundle, source_port), source_channel)
        several = dest if isinstance(dest, list) else [dest]
        self.dests = [Port(d, _first(dest_bundle, dest_port), dest_channel) for d in several]
        self.name, self.place = name or f"flow_{next(_NUMBERS)}", user_place()

    def tiles(self) -> Iterable[Tile]:
        """The tiles of its ends."""
        return [self.source.tile, *(d.tile for d in self.dests)]

    def build(self) -> None:
        """Builds the flow."""
        for dest in self.dests:
            ends = (self.source.tile.op, self.source.bundle, self.source.channel, dest.tile.op, dest.bundle, dest.channel)
            streams.flow(*ends, loc=located(self.place))

    def fill(self, source: object, tap: object = None, **options: object) -> Task:
        """In the sequence: sends an array from the host into the flow."""
        return self._moved(self.source, "MM2S", source, tap, options)

    def drain(self, dest: object, tap: object = None, **options: object) -> Task:
        """In the sequence: writes data from the flow to an array."""
        return self._moved(self.dests[0], "S2MM", dest, tap, options)

    def _moved(self, port: Port, direction: str, array: Any, tap: Any, options: dict[str, Any]) -> Task:
        if str(port.tile.tile_type or SHIM) != SHIM or port.tile.row not in (None, 0):
            raise IronRuntimeError(f"{self.name}: the host moves arrays at a shim; this end is on {port.tile}")

        def configure(**settings: Any) -> Any:
            return dma_configure_task(port.tile.op, direction, port.channel, **settings)

        return transfer_on(self.name, configure, array, tap, **options)


def _first(*candidates: object) -> Any:
    """The first argument that is not None; members of enumerations may be 0."""
    return next((g for g in candidates if g is not None), None)


class PacketDest(Port):
    """A destination of packets."""


class PacketFlow:
    """Packets of an id from one or several ports to one or several."""

    def __init__(
        self, pkt_id: int, source: object, dests: object = None, *, keep_pkt_header: bool | None = None,
        priority_route: bool | None = None, **ports: object,
    ):  # fmt: skip
        dests = _first(dests, ports.pop("dest", None))
        self.sources = _ports(source, "source", ports)
        self.dests = _ports(dests, "dest", ports)
        refuse(ports, "PacketFlow", ignored=("name",))
        options: dict[str, Any] = {"keep_pkt_header": keep_pkt_header, "priority_route": priority_route}
        self.pkt_id, self.options, self.place = int(pkt_id), options, user_place()

    def tiles(self) -> Iterable[Tile]:
        """The tiles of its ends."""
        return [p.tile for p in (*self.sources, *self.dests)]

    def build(self) -> None:
        """Builds the flow."""
        sources = [{"source": s.tile.op, "port": s.bundle, "channel": s.channel} for s in self.sources]
        dests = [{"dest": d.tile.op, "port": d.bundle, "channel": d.channel} for d in self.dests]
        streams.packetflow(self.pkt_id, sources, dests=dests, loc=located(self.place), **self.options)


def _ports(ports: object, end: str, keywords: dict[str, Any]) -> list[Port]:
    """The ports of an end. Ports without a kind and channel take those from `keywords`, which are removed."""
    kind = _first(keywords.pop(f"{end}_bundle", None), keywords.pop(f"{end}_port", None))
    channel = keywords.pop(f"{end}_channel", None)
    several = ports if isinstance(ports, list) else [ports]
    return [each if isinstance(each, Port) else Port(each, kind, channel) for each in several]


class CascadeFlow:
    """The cascade from a worker, or a tile, to its neighbour."""

    def __init__(self, source: Any, dest: Any, **keywords: object):
        refuse(keywords, "CascadeFlow", ignored=("name",))
        self.source, self.dest, self.place = Port(source), Port(dest), user_place()

    def tiles(self) -> Iterable[Tile]:
        """The tiles of its ends."""
        return [self.source.tile, self.dest.tile]

    def build(self) -> None:
        """Builds the cascade."""
        streams.cascade_flow(self.source.tile.op, self.dest.tile.op, loc=located(self.place))
