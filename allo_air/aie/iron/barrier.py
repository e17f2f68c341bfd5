"""`WorkerRuntimeBarrier`: workers wait for what the sequence sets."""

from __future__ import annotations

from itertools import count

from allo_air.aie.iron.device import Tile
from allo_air.aie.iron.errors import IronRuntimeError
from allo_air.aie.iron.writing import Writer, writer

_NUMBERS = count()


class WorkerRuntimeBarrier:
    """A lock on the tile of each worker that has it as an argument; `set` in the sequence sets them all."""

    def __init__(self, initial_value: int = 0):
        self.initial_value, self.name = initial_value, f"barrier_{next(_NUMBERS)}"
        self.tiles: list[Tile] = []
        self.here: Tile | None = None  # the tile of the core that is being written

    def bind(self, tile: Tile) -> None:
        """Says that the worker on `tile` has it."""
        if not any(t is tile for t in self.tiles):
            self.tiles.append(tile)

    def lock(self, tile: Tile) -> str:
        """The lock's value."""
        return f"%{self.name}_{next(i for i, t in enumerate(self.tiles) if t is tile)}"

    def written(self, names: dict[int, str]) -> list[str]:
        """The locks."""
        return [
            f'{self.lock(t)} = aie.lock({names[id(t)]}) {{init = {self.initial_value} : i32, sym_name = "{self.lock(t)[1:]}"}}'
            for t in self.tiles
        ]

    def wait_for_value(self, value: int) -> None:
        """In a core: waits until the lock is at `value`, and takes it."""
        self._use(writer("WorkerRuntimeBarrier.wait_for_value", "core"), "Acquire", value)

    def release_with_value(self, value: int) -> None:
        """In a core: gives `value` back."""
        self._use(writer("WorkerRuntimeBarrier.release_with_value", "core"), "Release", value)

    def _use(self, out: Writer, action: str, value: int) -> None:
        if self.here is None:
            raise IronRuntimeError("the barrier is no argument of this worker; put it into fn_args")
        out.op(f"aie.use_lock({self.lock(self.here)}, {action}, {int(value)})")

    def set(self, value: int) -> None:
        """In the sequence: sets the locks."""
        out = writer("WorkerRuntimeBarrier.set", "sequence")
        for tile in self.tiles:
            out.op(f"aiex.set_lock({self.lock(tile)}, {int(value)})")
