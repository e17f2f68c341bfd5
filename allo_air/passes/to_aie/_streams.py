"""Connects the streams that tiles send and receive by flows, shim channels and cascades."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, product, takewhile
from types import MappingProxyType
from typing import Any

from allo_air.core.diagnostics import error_at, warn_at
from allo_air.core.loops import FOR, Loop
from allo_air.core.walking import parents
from allo_air.device import Device, adjacent
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes.to_aie._bundles import Bundle, Key
from allo_air.passes.to_aie._design import Flow, Place, Port
from allo_air.passes.to_aie._relays import Relay
from allo_air.passes.to_aie._shims import SHIM_COLUMN, ShimStream, place_shims


@dataclass
class Ends:
    """The tiles at both ends of a channel, with the operations there."""

    puts: list[tuple[Port, Any]] = field(default_factory=list)
    gets: list[tuple[Port, Any]] = field(default_factory=list)

    @property
    def first(self) -> tuple[Port, Any]:
        return (self.puts or self.gets)[0]


@dataclass(frozen=True)
class HostEnds:
    """The bundles that the host puts into and gets from, in program order."""

    puts: tuple[str, ...]
    gets: tuple[str, ...]
    buffers: tuple[tuple[str, ir.Value], ...] = ()
    """The bundle of each of its transfers and the buffer that it moves."""
    transfers: tuple[Any, ...] = ()
    """The transfers of shims with their own DMA programs (HostTransfer)."""


def ordered(keys: Iterable[Key], host: HostEnds) -> list[Key]:
    """Channels in the order in which the host first uses them, followed by the others."""
    order = list(dict.fromkeys((*host.puts, *host.gets)))
    return sorted(keys, key=lambda k: (order.index(k[0]) if k[0] in order else len(order), k[1] if k[0] in order else ()))


def flows(
    ends: Mapping[Key, Ends],
    host: HostEnds,
    bundles: Mapping[str, Bundle],
    device: Device,
    relays: Sequence[Relay] = (),
    ids: Mapping[Key, tuple[int, ...]] = MappingProxyType({}),
    spare: Callable[[Key], int] = lambda _: 0,
    kept_keys: Container[Key] = (),
) -> tuple[list[Flow], dict[Key, Port]]:
    """The streams of a device, and the shim channels that the host's ends of them use; those with `ids` carry packets.

    If a channel has fewer ids than destinations, `spare` returns further ids; headers of `kept_keys` channels are kept.
    Streams of `relays` go from shim to shim, in as few columns as possible. Streams that share a channel of a tile come from
    one shim channel, which keeps them in order.
    """
    keys = ordered(ends, host)
    requests: list[ShimStream] = []
    lanes = _lanes({key: ends[key] for key in keys if not ends[key].puts})
    for key in keys:
        _check(key, ends[key], host, bundles[key[0]])
        if not ends[key].puts or not ends[key].gets:
            port, op = ends[key].first
            bundle = bundles[key[0]]
            shares = bundle.is_packet and not bundle.is_dedicated
            asks = bundle.asks(SHIM_COLUMN)
            requests.append(ShimStream(key, not ends[key].puts, port[0][0], op, asks, lanes.get(key), shares, ids.get(key, ())))
    passed = [pair for relay in relays for pair in _keys(relay, bundles)]
    for number, (put_key, get, op) in enumerate(passed):
        near = number // min(device.tiles["shim_noc"].channels)
        requests += [ShimStream(put_key, True, near, op), ShimStream(get, False, near, op)]
    shims = place_shims(requests, device)
    results = [Flow(put, shims[put], (shims[get],)) for put, get, _ in passed]
    for key in keys:
        puts = [port for port, _ in ends[key].puts] or [shims[key]]
        gets = tuple(sorted([port for port, _ in ends[key].gets] or [shims[key]]))
        for source in puts:
            results.append(_flow(key, source, gets, ids.get(key, ()), key in kept_keys, ends[key].first[1], spare))
    packets = sorted((f for f in results if f.ids), key=lambda f: (f.key not in shims, f.ids))
    return [*packets, *(f for f in results if not f.ids)], shims


def _flow(
    key: Key, source: Port, dests: tuple[Port, ...], ids: tuple[int, ...], keeps: bool, op: AnyOp, spare: Callable[[Key], int]
) -> Flow:
    """The stream from one source; if it requests fewer ids than it has destinations, the others get spare ids."""
    if 1 < len(ids) < len(dests):
        warn_at(
            op,
            f"is on '@{key[0]}'{list(key[1])} with {len(ids)} packet_ids for {counted(len(dests), 'destination')};"
            " the others get an id of ours",
        )
        ids = (*ids, *((spare(key),) * (len(dests) - len(ids))))
    return Flow(key, source, dests, ids[: len(dests)] if len(dests) > 1 and len(ids) > 1 else ids, keeps)


def _lanes(ends: Mapping[Key, Ends]) -> dict[Key, Key]:
    """The first of the channels that must come from one source, since they share a channel of a receiving tile."""
    first: dict[Port, Key] = {}
    keys: dict[Key, Key] = {}
    for key, end in ends.items():
        mates = [keys[first[port]] for port, _ in end.gets if port in first]
        lane = mates[0] if mates else key
        for port, _ in end.gets:
            first.setdefault(port, key)
        keys = {k: lane if v in mates else v for k, v in keys.items()} | {key: lane}
    return keys


def _keys(relay: Relay, bundles: Mapping[str, Bundle]) -> list[tuple[Key, Key, Any]]:
    """The single channels of a relay, as both ends name them."""
    places = product(*map(range, bundles[relay.put].shape))
    return [((relay.put, place), (relay.get, place), relay.op) for place in places]


def _check(key: Key, ends: Ends, host: HostEnds, bundle: Bundle) -> None:
    name = f"'@{key[0]}'{list(key[1])}"
    _, op = ends.first
    if bundle.kind not in ("dma_stream", "dma_packet"):
        raise error_at(
            op, f"uses {name} of type {bundle.kind}; air-to-aie lowers dma_stream, dma_packet and, between cores, cascade"
        )
    if len(ends.puts) > 1 and not bundle.is_packet:
        places = ", ".join(str(port[0]) for port, _ in ends.puts)
        raise error_at(
            op,
            f"is one of the puts into {name} on several tiles ({places}); a circuit-switched stream has one source: make the"
            " channel npu_dma_packet",
        )
    if ends.puts and key[0] in host.puts:
        raise error_at(op, f"puts into {name}, and so does the host; a circuit-switched stream has one source")
    if len(ends.gets) > 1 and not bundle.broadcast:
        places = ", ".join(str(port[0]) for port, _ in ends.gets)
        raise error_at(
            op, f"uses {name}, which {counted(len(ends.gets), 'tile')} get from ({places}); give the channel a broadcast_shape"
        )
    if not ends.puts and key[0] not in host.puts:
        raise error_at(op, f"gets from {name}, which nothing puts into")
    if not ends.gets and key[0] not in host.gets:
        raise error_at(op, f"puts into {name}, which nothing gets from")


def cascades(
    ends: Mapping[Key, tuple[dict[Place, ir.OpView], dict[Place, ir.OpView]]],
    orders: Mapping[Place, Sequence[tuple[Key, bool, ir.OpView]]],
) -> list[tuple[Place, Place]]:
    """(source, destination) of each cascade; both must be neighbours, the destination south or east of the source.

    Channels between the same two cores share the cascade; `orders`, the transfers of each core, must agree.
    """
    results: dict[tuple[Place, Place], list[Key]] = {}
    for key, (puts, gets) in ends.items():
        name = f"'@{key[0]}'{list(key[1])}"
        op = next(iter([*puts.values(), *gets.values()]))
        if len(puts) != 1 or len(gets) != 1:
            raise error_at(
                op,
                f"uses cascade {name}, which "
                f"{counted(len(puts), 'core')} put into and {len(gets)} get from; it joins two cores",
            )
        [source], [dest] = puts, gets
        if not adjacent(source, dest) or (dest[0] - source[0], dest[1] - source[1]) not in ((0, -1), (1, 0)):
            raise error_at(op, f"cascades from core {source} to core {dest}; a cascade goes to the south or the east neighbour")
        if any((source == s) != (dest == d) for s, d in results):
            raise error_at(op, f"uses cascade {name}; core {source} or {dest} has a cascade in that direction already")
        results.setdefault((source, dest), []).append(key)
    for (source, dest), keys in results.items():
        if len(keys) > 1:
            sent = [(key, op) for key, put, op in orders[source] if put and key in keys]
            got = [(key, op) for key, put, op in orders[dest] if not put and key in keys]
            if _sequence(sent) != _sequence(got):
                names = " and ".join(f"'@{name}'" for name in dict.fromkeys(key[0] for key, _ in sent))
                raise error_at(
                    got[0][1],
                    f"gets from {names} in another order than core {source} puts into them, and they share one cascade; "
                    "get in the order of the puts, in the same loops",
                )
    return list(results)


def _sequence(transfers: Sequence[tuple[Key, ir.OpView]], depth: int = 0) -> list[object]:
    """The channels of transfers in order; a loop is a list that begins with its trip count."""
    result: list[object] = []
    for loop, inner in groupby(transfers, lambda t: (_loops_around(t[1]) + [None] * (depth + 1))[depth]):
        inside = list(inner)
        if loop is None:
            result += [key for key, _ in inside]
        else:
            trips = Loop(loop).trips()
            result.append([loop if trips is None else trips, *_sequence(inside, depth + 1)])
    return result


def _loops_around(op: ir.OpView) -> list[Any]:
    """The loops around `op` in its herd, outermost first."""
    inside = list(takewhile(lambda p: p.name != "air.herd", parents(op)))
    return [p for p in reversed(inside) if p.name in FOR]
