"""aie-assign-lock-ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.device import Coordinate
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.mlir import ir


@dataclass(frozen=True)
class AieAssignLockIds(Pass):
    """Gives locks without a number the lowest free number of their tile.

    Before:

        %a = aie.lock(%tile_0_2)
        %b = aie.lock(%tile_0_2, 0)

    After:

        %a = aie.lock(%tile_0_2, 1)
        %b = aie.lock(%tile_0_2, 0)
    """

    name = "aie-assign-lock-ids"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        locks: dict[Coordinate, list[Any]] = {}
        for lock in declarations(op, "aie.lock"):
            locks.setdefault(place_of(lock, lock.tile), []).append(lock)
        for place, tile_locks in locks.items():
            _number(place, tile_locks, device_of(op).tile(*place).locks)


def _number(place: Coordinate, locks: list[Any], count: int) -> None:
    used_ids: dict[int, Any] = {}
    for lock in locks:
        if lock.lockID is None:
            continue
        if lock.lockID in used_ids:
            raise error_at(lock, f"has id {lock.lockID} on tile {place}, and so has another lock; leave one of them without")
        used_ids[lock.lockID] = lock
    free = iter([i for i in range(count) if i not in used_ids])
    for lock in locks:
        if lock.lockID is not None:
            continue
        number = next(free, None)
        if number is None:
            raise error_at(lock, f"not allocated a lock. Tile {place} has {count}, and the device asks for {len(locks)}")
        lock.lockID = number
