"""Creates the buffers and locks of each storage."""

from __future__ import annotations

from typing import Any

from allo_air.arch import arch_of
from allo_air.core.diagnostics import error_at
from allo_air.dialects import aie
from allo_air.dialects.declarations import declarations, location_of_fifo
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import Design, End, Fifo, Place, Storage, bits


class Elements:
    """Builds buffers and locks after the last tile; a lock that is `numbered` gets the lowest number free in its tile."""

    def __init__(self, design: Design, *, numbered: bool):
        self.design, self.numbered = design, numbered
        self.used: dict[Place, set[int]] = {}
        tiles = []
        for op in [o.operation for o in declarations(design.op)]:
            if op.name in ("aie.tile", "aie.logical_tile"):
                tiles.append(op)
            elif op.name == "aie.lock" and op.opview.lockID is not None:
                place = self._place(op.operands[0])
                self.used.setdefault(place, set()).add(op.opview.lockID)
        self.last_tile: Any = tiles[-1] if tiles else None

    def build(self) -> None:
        """The elements of every storage, in the order of the FIFOs."""
        for fifo in self.design.fifos.values():
            for end in (fifo.shared, fifo.producer, *fifo.consumers):
                if end is not None and end.port is None and (end.link is None or end.link.target is end):
                    self._end(fifo, end)

    def _end(self, fifo: Fifo, end: End) -> None:
        storage = end.storage
        assert storage is not None
        link = end.link
        repeat = link.outs[0].times if link is not None else end.times
        owner = _with_values(self.design, fifo, end)
        values = list(owner.op.initValues) if owner is not None else []
        self._check_fits(fifo, storage)
        ip = ir.InsertionPoint.after(self.last_tile)
        location = location_of_fifo(end.op)
        if self.design.device.kind(*self._place(storage.tile)) in ("shim_noc", "shim_pl"):
            storage.buffers = list(end.external)
        else:
            for i in range(end.depth):
                op = aie.BufferOp(
                    tile=storage.away.get(i, storage.tile),
                    sym_name=f"{storage.name}_buff_{i}",
                    initial_value=values[i] if values else None,
                    buffer=storage.element,
                    loc=location,
                    ip=ip,
                )
                storage.buffers.append(op.buffer)
        if not (fifo.synchronized and _synchronized(end)) or _replayed(fifo, end):
            return
        if not self.design.counting:
            full_first = [int(i < len(values)) for i in range(len(storage.buffers))]
            storage.flags = [self._lock(storage, f"{storage.name}_lock_{i}", n, end, ip) for i, n in enumerate(full_first)]
            return
        full = len(values) * repeat
        free = len(storage.buffers) * repeat - full
        for i in range(len(link.parts) if link is not None else 1):
            prod = self._lock(storage, f"{storage.name}_prod_lock_{i}", free, end, ip)
            storage.locks.append((prod, self._lock(storage, f"{storage.name}_cons_lock_{i}", full, end, ip)))

    def _check_fits(self, fifo: Fifo, storage: Storage) -> None:
        """Raises an error if the tile's memory cannot hold one object."""
        place = self._place(storage.tile)
        size, memory = -(-bits(storage.element) // 8), self.design.device.tile(*place).memory
        if size > memory and self.design.device.kind(*place) not in ("shim_noc", "shim_pl"):
            raise error_at(
                fifo.op,
                f"@{fifo.op.sym_name} has objects of {size:,} bytes, and tile {place} has {memory:,}: make the objects smaller",
            )

    def _lock(self, storage: Storage, name: str, init: int, end: End, ip: ir.InsertionPoint) -> ir.Value:
        place = self._place(storage.tile)
        device = self.design.device
        if init > arch_of(device).max_lock_value:
            raise error_at(
                end.op,
                f"needs a lock that begins at {init} (objects times repeats); locks of {device.name} count to "
                f"{arch_of(device).max_lock_value}: use fewer objects or repeats",
            )
        number = self._free(place, end) if self.numbered else None
        return aie.LockOp(tile=storage.tile, lockID=number, init=init, sym_name=name, loc=location_of_fifo(end.op), ip=ip).lock

    def _free(self, place: Place, end: End) -> int:
        used = self.used.setdefault(place, set())
        count = self.design.device.tile(*place).locks
        free = next((i for i in range(count) if i not in used), None)
        if free is None:
            raise error_at(end.op, f"needs one more lock on tile {place}, and all {count} are taken")
        used.add(free)
        return free

    def _place(self, tile: ir.Value) -> Place:
        attributes = tile.owner.attributes
        return attributes["col"].value, attributes["row"].value


def _with_values(design: Design, fifo: Fifo, end: End) -> End | None:
    """The end whose FIFO has the storage's initial values: the producer's end, or the outgoing end of a link."""
    if end.link is None:
        return end if end.produces and fifo.op.initValues is not None else None
    outs = [out for out in end.link.outs if out.op.initValues is not None]
    if outs and (len(end.link.ins) > 1 or len(end.link.outs) > 1) and outs[0] is not end.link.target:
        raise error_at(outs[0].op, "has initial values, and its objects are parts of another objectFifo's")
    return outs[0] if outs else None


def _replayed(fifo: Fifo, end: End) -> bool:
    """Whether `end` only sends its initial values a fixed number of times, so that it needs no lock."""
    return end.link is None and end.produces and fifo.op.initValues is not None and end.iterations is not None


def _synchronized(end: End) -> bool:
    return end.link is None or not any(e.op.disable_synchronization for e in (*end.link.ins, *end.link.outs))
