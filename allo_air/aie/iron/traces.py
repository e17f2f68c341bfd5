"""Converts the settings of `enable_trace` to traces of the aie dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.aie.dialects._aie_trace import check_buffer, declare, trace_host_config, trace_start_config
from allo_air.aie.iron.dataflow import ObjectFifo
from allo_air.aie.iron.device import MEMORY, SHIM
from allo_air.aie.iron.worker import Worker

if TYPE_CHECKING:
    from allo_air.aie.iron.device import Tile


@dataclass(frozen=True)
class Traces:
    """The buffer's size in bytes, the workers whose cores are traced, and events by the module that raises them."""

    size: int
    workers: Sequence[Worker] | None
    events: dict[str, Any]
    mode: Any
    options: dict[str, Any]
    ddr_id: int | None = None

    def declared(self, workers: Sequence[Worker], fifos: Sequence[ObjectFifo]) -> Callable[[], None]:
        """Declares the traces in the device; the result starts them in the sequence."""
        chosen = list(self.workers) if self.workers is not None else [w for w in workers if w.trace] or list(workers)
        names = []
        for i, worker in enumerate(chosen):
            events = self.events["core"] if worker.trace_events is None else worker.trace_events
            names.append(self._one(worker.tile, "core", i, events, self.mode))
            if self.events["mem"] is not None:
                names.append(self._one(worker.tile, "mem", i, self.events["mem"]))
        tiles = {id(h.end): h.end for f in fifos for h in (f.producer, *f.consumers) if h is not None and h.end is not None}
        for module, kind in (("memtile", MEMORY), ("shimtile", SHIM)):
            if self.events[module] is not None:
                result = _apart(t for t in tiles.values() if str(t.tile_type) == kind)
                names += [self._one(t, module, i, self.events[module]) for i, t in enumerate(result)]

        def start() -> None:
            check_buffer(self.ddr_id)
            trace_host_config(self.size, **self.options)
            for name in names:
                trace_start_config(name)

        return start

    def _one(self, tile: Tile, module: str, number: int, events: object, mode: int = 0) -> str:
        name = f"trace_{module}_{number}"
        declare(tile.op, module, name, events, mode)
        return name


def _apart(tiles: Iterable[Any]) -> list[Any]:
    """One tile for each position, and one of the unplaced tiles: placement may merge those, and a tile has one trace unit."""
    return list({(t.col, t.row): t for t in reversed(list(tiles))}.values())[::-1]
