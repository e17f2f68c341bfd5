"""Which shim channel serves each stream to or from external memory."""

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
class Wanted:
    """A stream that needs a shim channel, for which the shim sends or not, near a column; those of one `lane` share it."""

    key: Key
    sends: bool
    near: float
    op: Any
    column: int | None = None
    """The column that it asks for."""
    lane: Hashable = None
    may_share: bool = False
    """Whether it carries packets, which share a channel out of external memory where there are too few."""
    ids: tuple[int, ...] = ()
    """The ids of its packets; those of different columns may be equal."""


def place_shims(requests: Iterable[Wanted], device: Device) -> dict[Key, Port]:
    """A shim channel for each stream: the nearest free one; where none is left, packets share the nearest that has packets."""
    used: dict[Port, list[Wanted]] = {}
    results: dict[Key, Port] = {}
    all_requests = list(requests)
    for one in sorted(all_requests, key=lambda w: (w.column is None, w.may_share and _too_many(all_requests, device))):
        mates = [results[o.key] for o in all_requests if one.lane is not None and o.lane == one.lane and o.key in results]
        ports = _ports(one, device)
        free = mates or [port for port in ports if port not in used]
        if not free and one.may_share and one.sends:
            ids = _lane_ids(one, all_requests)
            free = [p for p in ports if all(o.may_share and not ids & _lane_ids(o, all_requests) for o in used[p])]
            free.sort(key=lambda port: len(used[port]))
        if not free:
            raise _no_shim(one, all_requests, device)
        used.setdefault(free[0], []).append(one)
        results[one.key] = free[0]
    return {one.key: results[one.key] for one in all_requests}


def _lane_ids(one: Wanted, all_requests: list[Wanted]) -> set[int]:
    """The ids of all packets that use the shim channel of `one`: those of its lane follow it there."""
    lane = [o for o in all_requests if one.lane is not None and o.lane == one.lane]
    return {number for o in (one, *lane) for number in o.ids}


def _too_many(all_requests: list[Wanted], device: Device) -> bool:
    """Whether external memory sends more streams than there are channels, so that those come first that share none."""
    return sum(w.sends for w in all_requests) > sum(device.tile(c, 0).channels[1] for c in _shim_columns(device))


def _shim_columns(device: Device) -> list[int]:
    return [c for c in range(device.columns) if device.kind(c, 0) == "shim_noc"]


def _ports(one: Wanted, device: Device) -> list[Port]:
    """The shim channels that may serve a stream, the nearest first, of two the one to the east."""
    columns = _shim_columns(device)
    if one.column is not None:
        if not 0 <= one.column < device.columns:
            raise error_at(one.op, f"{SHIM_COLUMN} column {one.column} is out of range [0, {device.columns})")
        columns = [c for c in columns if c == one.column]
    order = sorted(columns, key=lambda c: (abs(c - one.near), -c))
    return [((c, 0), one.sends, n) for c in order for n in range(device.tile(c, 0).channels[one.sends])]


def _no_shim(one: Wanted, all_requests: list[Wanted], device: Device) -> DiagnosticError:
    name = f"'@{one.key[0]}'{list(one.key[1])}"
    direction = "MM2S (from external memory)" if one.sends else "S2MM (to external memory)"
    if one.column is not None:
        return error_at(
            one.op,
            f"{SHIM_COLUMN} column {one.column} has no free {direction} channel for {name}; ask for another column, or none",
        )
    total = sum(device.tile(c, 0).channels[one.sends] for c in _shim_columns(device))
    count = sum(w.sends is one.sends for w in all_requests)
    return error_at(
        one.op,
        f"finds no shim DMA channel for {name}: {count} streams need {direction}, "
        f"{device.name} has {total}. Let channels broadcast, or move data through L2 buffers in larger pieces",
    )
