"""Assigns a shim channel to each stream to or from external memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Device
from allo_air.errors import DiagnosticError
from allo_air.passes.to_aie._bundles import Key
from allo_air.passes.to_aie._design import Port

SHIM_COLUMN = "air.shim_col"


@dataclass(frozen=True)
class ShimStream:
    """A stream that needs a shim channel of one direction near a column; streams of one `lane` share it."""

    key: Key
    sends: bool
    near: float
    op: Any
    column: int | None = None
    """The required column."""
    lane: Hashable = None
    may_share: bool = False
    """Whether it carries packets, which can share a channel out of external memory if there are too few."""
    ids: tuple[int, ...] = ()
    """The ids of its packets; those of different columns may be equal."""


def place_shims(requests: Iterable[ShimStream], device: Device) -> dict[Key, Port]:
    """A shim channel for each stream: the nearest free one. If none is free, packet streams share the nearest channel with
    packets."""
    used: dict[Port, list[ShimStream]] = {}
    results: dict[Key, Port] = {}
    all_requests = list(requests)
    for request in sorted(all_requests, key=lambda w: (w.column is None, w.may_share and _too_many(all_requests, device))):
        mates = [
            results[o.key] for o in all_requests if request.lane is not None and o.lane == request.lane and o.key in results
        ]
        ports = _ports(request, device)
        free = mates or [port for port in ports if port not in used]
        if not free and request.may_share and request.sends:
            ids = _lane_ids(request, all_requests)
            free = [p for p in ports if all(o.may_share and not ids & _lane_ids(o, all_requests) for o in used[p])]
            free.sort(key=lambda port: len(used[port]))
        if not free:
            raise _no_shim(request, all_requests, device)
        used.setdefault(free[0], []).append(request)
        results[request.key] = free[0]
    return {r.key: results[r.key] for r in all_requests}


def _lane_ids(request: ShimStream, all_requests: list[ShimStream]) -> set[int]:
    """The ids of all packets that use the shim channel of `request`, including those of its lane."""
    lane = [o for o in all_requests if request.lane is not None and o.lane == request.lane]
    return {number for o in (request, *lane) for number in o.ids}


def _too_many(all_requests: list[ShimStream], device: Device) -> bool:
    """Whether external memory sends more streams than there are channels; then streams that cannot share are assigned first."""
    return sum(w.sends for w in all_requests) > sum(device.tile(c, 0).channels[1] for c in _shim_columns(device))


def _shim_columns(device: Device) -> list[int]:
    return [c for c in range(device.columns) if device.kind(c, 0) == "shim_noc"]


def _ports(request: ShimStream, device: Device) -> list[Port]:
    """The possible shim channels of a stream, the nearest first; at equal distance, the one to the east first."""
    columns = _shim_columns(device)
    if request.column is not None:
        if not 0 <= request.column < device.columns:
            raise error_at(request.op, f"{SHIM_COLUMN} column {request.column} is out of range [0, {device.columns})")
        columns = [c for c in columns if c == request.column]
    order = sorted(columns, key=lambda c: (abs(c - request.near), -c))
    return [((c, 0), request.sends, n) for c in order for n in range(device.tile(c, 0).channels[request.sends])]


def _no_shim(request: ShimStream, all_requests: list[ShimStream], device: Device) -> DiagnosticError:
    name = f"'@{request.key[0]}'{list(request.key[1])}"
    direction = "MM2S (from external memory)" if request.sends else "S2MM (to external memory)"
    if request.column is not None:
        return error_at(
            request.op,
            f"{SHIM_COLUMN} column {request.column} has no free {direction} channel for {name}; ask for another column, "
            "or none",
        )
    total = sum(device.tile(c, 0).channels[request.sends] for c in _shim_columns(device))
    count = sum(w.sends is request.sends for w in all_requests)
    return error_at(
        request.op,
        f"finds no shim DMA channel for {name}: {count} streams need {direction}, "
        f"{device.name} has {total}. Let channels broadcast, or move data through L2 buffers in larger pieces",
    )
