"""Checks the numbers of locks, DMA channels and BDs of each tile."""

from __future__ import annotations

from collections import Counter
from typing import Any

from allo_air.arch.limits import MAX_REPEAT
from allo_air.dialects.aie import DMABDOp, DMAStartOp, LockOp
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._tiles import DeviceUse, TileUse

DIRECTIONS = ("S2MM", "MM2S")


def check_programs(use: DeviceUse, findings: Findings) -> None:
    """Reports tiles that need more locks, DMA channels or BDs than they have."""
    for tile in use:
        _check_locks(use, tile, findings)
        if tile.program is not None:
            _check_channels(use, tile, findings)
            _check_bds(use, tile, findings)


def _check_locks(use: DeviceUse, tile: TileUse, findings: Findings) -> None:
    most = use.device.tile(*tile.place).locks
    name = use.name(tile.place)
    if len(tile.locks) > most:
        findings.error(
            tile.op,
            f"{name}: {counted(len(tile.locks), 'lock')} exceed the {most} that it has; share locks between "
            f"buffers, or spread the"
            " buffers over more tiles",
        )
    ids: dict[int, ir.Operation] = {}
    for lock in tile.locks:
        view = LockOp(lock)
        if view.lockID is not None and view.lockID in ids:
            findings.error(
                lock, f"{name}: lock {view.lockID} is given twice; give each its own id", (ids[view.lockID], "first here")
            )
        elif view.lockID is not None:
            ids[view.lockID] = lock


def _check_channels(use: DeviceUse, tile: TileUse, findings: Findings) -> None:
    started: dict[tuple[int, int], ir.Operation] = {}
    for start, _ in tile.chains:
        view = DMAStartOp(start)
        port_key = (view.channel_dir, view.channel_index)
        port = f"{DIRECTIONS[port_key[0]]} {port_key[1]}"
        if port_key in started:
            findings.error(
                start,
                f"{use.name(tile.place)}: DMA channel {port} is started twice; chain its BDs, or use another channel",
                (started[port_key], "first here"),
            )
        started.setdefault(port_key, start)
        if not 0 <= view.repeat_count < MAX_REPEAT:
            findings.error(start, f"{use.name(tile.place)}: repeat_count {view.repeat_count} exceeds {MAX_REPEAT - 1} (8 bits)")


def _check_bds(use: DeviceUse, tile: TileUse, findings: Findings) -> None:
    most = use.device.tile(*tile.place).bds
    by_channel = [(start, bds) for start, bds in tile.chains]
    distinct = {bd: None for _, bds in by_channel for bd in bds}
    name = use.name(tile.place)
    if len(distinct) > most:
        findings.error(
            tile.program, f"{name}: {len(distinct)} BDs exceed the {most} that it has; {_shares(by_channel)}; {_ADVICE}"
        )
    if use.device.kind(*tile.place) == "mem":
        _check_halves(name, tile, by_channel, most // 2, findings)
    _check_ids(name, list(distinct), findings)


_ADVICE = "fold BDs that differ by a fixed step into one with another dimension (air-specialize-channel-wrap-and-stride)"


def _check_halves(
    name: str, tile: TileUse, by_channel: list[tuple[ir.Operation, list[ir.Operation]]], most: int, findings: Findings
) -> None:
    """A memtile's even channels use BDs 0 to 23, its odd channels 24 to 47."""
    for parity, label in ((0, "even"), (1, "odd")):
        channels_of_half = [(start, bds) for start, bds in by_channel if DMAStartOp(start).channel_index % 2 == parity]
        count = len({bd for _, bds in channels_of_half for bd in bds})
        if count > most:
            findings.error(
                tile.program,
                f"{name}: {count} BDs on {label} channels exceed the {most} that those have; {_shares(channels_of_half)};"
                f" move a stream to a channel of the other parity, or {_ADVICE}",
            )
        for _, bds in channels_of_half:
            for bd in bds:
                value = DMABDOp(bd).bd_id
                if value is not None and not parity * most <= value < (parity + 1) * most:
                    findings.error(
                        bd,
                        f"{name}: BD {value} is not one of {parity * most} to {(parity + 1) * most - 1}, which {label}"
                        " channels use; leave bd_id out, or give one of those",
                    )


def _check_ids(name: str, bds: list[ir.Operation], findings: Findings) -> None:
    counters = Counter(DMABDOp(bd).bd_id for bd in bds)
    for bd in bds:
        number = DMABDOp(bd).bd_id
        if number is not None and counters[number] > 1:
            findings.error(bd, f"{name}: BD {number} is given {counted(counters[number], 'time')}; give each its own bd_id")


def _shares(by_channel: list[tuple[Any, list[Any]]]) -> str:
    views = [(DMAStartOp(start), len(bds)) for start, bds in by_channel]
    return ", ".join(f"{n} for {DIRECTIONS[v.channel_dir]} {v.channel_index}" for v, n in views)
