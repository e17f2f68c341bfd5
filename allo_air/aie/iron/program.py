"""`Program`: a device with its workers, queues and sequence, as a module of the aie dialect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from allo_air.aie.iron.barrier import WorkerRuntimeBarrier
from allo_air.aie.iron.buffer import Buffer
from allo_air.aie.iron.dataflow import Link, ObjectFifo, ObjectFifoHandle
from allo_air.aie.iron.device import Device, Tile
from allo_air.aie.iron.errors import IronMissing, IronTypeError, IronValueError
from allo_air.aie.iron.runtime import Runtime
from allo_air.aie.iron.worker import Worker, leaves
from allo_air.aie.iron.writing import Writer, writing
from allo_air.air import ir as air_ir

Held = TypeVar("Held", Buffer, WorkerRuntimeBarrier)
_KERNELS: ContextVar[dict[str, object]] = ContextVar("allo_air_iron_kernels", default={})  # noqa: B039 - one that nobody reads


@contextmanager
def noting(kernels: dict[str, object]) -> Iterator[None]:
    """While it is open, `kernels` gets what stands for the external functions of programs that are resolved."""
    token = _KERNELS.set(kernels)
    try:
        yield
    finally:
        _KERNELS.reset(token)


class Program:
    """`resolve_program()` is the module."""

    def __init__(self, device: Device | None, rt: Runtime, workers: Sequence[Any] | None = None):
        if device is None:
            raise IronValueError("Program: there is no device; give one, or call iron.set_current_device")
        if not isinstance(device, Device):
            raise IronTypeError(f"Program: the device is {device!r}, wanted one of aie.iron.device")
        self.device, self.rt = device, rt
        self.workers = [*leaves(list(workers or ())), *rt.workers]
        for each in self.workers:
            if not isinstance(each, Worker):
                raise IronTypeError(f"Program: workers have {type(each).__name__}, wanted Worker")
        self.kernels: dict[str, object] = {}  # what stands for external functions, once it is resolved

    def resolve_program(self, placer: Any = None, device_name: str = "main") -> Any:
        """The verified module; a placer of old programs is taken, and tiles are placed by `aie-place-tiles` all the same."""
        name = placer if isinstance(placer, str) else device_name
        out = Writer()
        with writing(out):
            self._write(out)
        self.kernels = dict(out.kernels)
        _KERNELS.get().update(self.kernels)
        body = "\n".join(out.lines)
        text = f"module {{\naie.device({self.device.dialect_name}) @{name} {{\n{body}\n}}\n}}\n"
        return air_ir.Module.parse(text, air_ir.Context())

    def enable_trace(self, trace_size: int = 0, **_: Any) -> None:
        """Not there: the simulator's own traces tell more. A size of 0 asks for none."""
        if trace_size:
            raise IronMissing("Program.enable_trace is not there yet; the simulator's traces are in docs/simulator.md")

    def _write(self, out: Writer) -> None:
        for worker in self.workers:
            worker.bind()
        self.rt.bind()
        fifos = sorted(self._fifos(), key=lambda f: f.name)
        names = {id(tile): self._tile(out, tile) for tile in self._tiles(fifos)}
        for fifo in fifos:
            out.at(fifo.place, fifo.written(names))
        for link in _links(fifos):
            out.at(link.place, link.written())
        for barrier in self._held(WorkerRuntimeBarrier):
            for lock in barrier.written(names):
                out.line(lock)
        for buffer in self._held(Buffer):
            out.at(buffer.place, buffer.written(names))
        place = len(out.lines)
        for worker in self.workers:
            worker.write(out, names[id(worker.tile)])
        out.lines[place:place] = [f"  {text}" for text in out.functions.values()]
        self.rt.write(out)

    def _fifos(self) -> list[ObjectFifo]:
        """The queues that workers and the sequence hold ends of, and those linked to them."""
        ends = [leaf for w in self.workers for leaf in leaves(w.fn_args) if isinstance(leaf, ObjectFifoHandle)]
        todo = [h.of for h in [*ends, *self.rt.handles()]]
        found: dict[ObjectFifo, None] = {}
        while todo:
            fifo = todo.pop()
            if fifo in found:
                continue
            found[fifo] = None
            if fifo.link is not None:
                todo += [*fifo.link.ins, *fifo.link.outs]
        for fifo in tuple(found):
            if fifo.producer is not None and fifo.producer.end is None:
                raise IronValueError(
                    f"ObjectFifo '{fifo.name}': nothing produces its objects; give its prod() to a worker or the sequence"
                )
        return list(found)

    def _tiles(self, fifos: Sequence[ObjectFifo]) -> Iterator[Tile]:
        """Each tile once: those of workers, of queues' ends, of buffers."""
        found: dict[int, Tile] = {id(w.tile): w.tile for w in self.workers}
        for fifo in fifos:
            for handle in [fifo.producer, *fifo.consumers]:
                if handle is not None and handle.end is not None:
                    found.setdefault(id(handle.end), handle.end)
        for buffer in self._held(Buffer):
            if buffer.end is None:
                raise IronValueError(f"Buffer '{buffer.name}' is on no tile; give it to a worker, or pin it with tile=")
            found.setdefault(id(buffer.end), buffer.end)
        yield from found.values()

    def _tile(self, out: Writer, tile: Tile) -> str:
        kind = tile.tile_type or (self.device.get_tile_type(tile.col or 0, tile.row) if tile.row is not None else "CoreTile")
        place = ", ".join("?" if n is None else str(n) for n in (tile.col, tile.row))
        scheme = f' {{allocation_scheme = "{tile.allocation_scheme}"}}' if tile.allocation_scheme else ""
        name = out.fresh()
        out.line(f"{name} = aie.logical_tile<{kind}>({place}){scheme}")
        return name

    def _held(self, kind: type[Held]) -> list[Held]:
        """What workers and the sequence have as arguments of that kind, each once."""
        given = [*(w.fn_args for w in self.workers), self.rt.fn_args]
        return list(dict.fromkeys(leaf for leaf in leaves(given) if isinstance(leaf, kind)))


def _links(fifos: Sequence[ObjectFifo]) -> list[Link]:
    return list({id(f.link): f.link for f in fifos if f.link is not None}.values())
