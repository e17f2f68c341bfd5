"""Counts the configured resources of a package, and estimates its load time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.target.configuration.parts import Configuration
from allo_air.target.npu_words import BlockWrite
from allo_air.target.registers import PROGRAM_MEMORY, program_memory, registers

_CONTROL_STREAM = 4
"""Bytes that a loader can process per cycle at most, since its commands are words. The actual rate was not measured."""


def figures_of(items: Sequence[tuple[Configuration, int]]) -> dict[str, Any]:
    """Counts over configurations, with the bytes to load each; and the configured resources of each tile."""
    configured: dict[str, dict[str, Any]] = {}
    for item, _ in items:
        prefix = f"@{item.name} " if len(items) > 1 else ""
        configured |= {prefix + tile: figures for tile, figures in _figures_by_tile(item).items()}
    load = sum(size for _, size in items)
    return {
        "tiles": len(configured),
        "bds": sum(len(figures["bds"]) for figures in configured.values()),
        "locks": sum(len(figures["locks"]) for figures in configured.values()),
        "writes": sum(len(item.operations) for item, _ in items),
        "load_bytes": load,
        "load_cycles": load // _CONTROL_STREAM,
        "configured": configured,
    }


def _figures_by_tile(configuration: Configuration) -> dict[str, dict[str, Any]]:
    """By tile: the numbers of the configured BDs and locks, and the bytes of loaded programs."""
    device, room = configuration.device, program_memory(configuration.device)
    tiles: dict[str, dict[str, Any]] = {}
    for operation in configuration.operations:
        column, row, offset = device.split(operation.address)
        kind = device.kind(column, row)
        tile = tiles.setdefault(str((column, row)), {"bds": [], "locks": []})
        if isinstance(operation, BlockWrite) and kind == "core" and 0 <= offset - PROGRAM_MEMORY < room:
            end = offset - PROGRAM_MEMORY + 4 * len(operation.data)
            tile["program_bytes"] = max(tile.get("program_bytes", 0), end)
            continue
        for register in registers(kind):
            if register.name not in ("BD", "Lock") or (number := register.index(offset)) is None:
                continue
            numbers = tile["bds" if register.name == "BD" else "locks"]
            if number not in numbers:
                numbers.append(number)
    return tiles
