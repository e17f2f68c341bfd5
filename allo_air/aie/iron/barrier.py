"""`WorkerRuntimeBarrier`: workers wait for a value that the sequence sets."""

from __future__ import annotations

from itertools import count
from typing import Any

from allo_air.aie.building.errors import IronRuntimeError
from allo_air.aie.building.scope import require
from allo_air.aie.dialects._aie_enum_gen import LockAction
from allo_air.aie.dialects._aie_tiles import lock, use_lock
from allo_air.aie.dialects._aiex_npu import set_lock
from allo_air.aie.iron.device import Tile

_NUMBERS = count()


class WorkerRuntimeBarrier:
    """A lock on the tile of each worker that has it as an argument; `set` in the sequence sets them all."""

    def __init__(self, initial_value: int = 0):
        self.initial_value, self.name = initial_value, f"barrier_{next(_NUMBERS)}"
        self.tiles: list[Tile] = []
        self.locks: dict[int, Any] = {}  # operations in the current module, by tile
        self.here: Tile | None = None  # the tile of the core under construction

    def bind(self, tile: Tile) -> None:
        """Registers the worker on `tile` as a user."""
        if not any(t is tile for t in self.tiles):
            self.tiles.append(tile)

    def build(self) -> None:
        """Builds the locks."""
        for i, tile in enumerate(self.tiles):
            self.locks[id(tile)] = lock(tile.op, init=self.initial_value, sym_name=f"{self.name}_{i}")

    def wait_for_value(self, value: int) -> None:
        """In a core: waits until the lock equals `value`, and subtracts it."""
        require("WorkerRuntimeBarrier.wait_for_value", "core")
        use_lock(self._lock_of_tile(), LockAction.Acquire, value=value)

    def release_with_value(self, value: int) -> None:
        """In a core: adds `value` to the lock."""
        require("WorkerRuntimeBarrier.release_with_value", "core")
        use_lock(self._lock_of_tile(), LockAction.Release, value=value)

    def _lock_of_tile(self) -> Any:
        if self.here is None:
            raise IronRuntimeError("the barrier is not an argument of this worker; put it into fn_args")
        return self.locks[id(self.here)]

    def set(self, value: object) -> None:
        """In the sequence: sets the locks."""
        require("WorkerRuntimeBarrier.set", "sequence")
        for tile in self.tiles:
            set_lock(self.locks[id(tile)], value)
