"""`Program`: a device with its workers, objectFifos and sequence, as a module of the aie dialect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.aie.building.regions import block_of
from allo_air.aie.building.verifying import verified
from allo_air.aie.dialects._aie_tiles import Device as DeviceOp
from allo_air.aie.dialects._aie_trace import check_options
from allo_air.aie.extras.context import mlir_mod_ctx
from allo_air.aie.iron.barrier import WorkerRuntimeBarrier
from allo_air.aie.iron.buffer import Buffer
from allo_air.aie.iron.dataflow import Link, ObjectFifo, ObjectFifoHandle
from allo_air.aie.iron.device import Device, Tile
from allo_air.aie.iron.explicit import CascadeFlow, Flow, Lock, PacketFlow
from allo_air.aie.iron.kernel import Kernel
from allo_air.aie.iron.modules import noting
from allo_air.aie.iron.runtime import Runtime
from allo_air.aie.iron.scratchpad import ScratchpadParameter
from allo_air.aie.iron.tile_dma import TileDma
from allo_air.aie.iron.traces import Traces
from allo_air.aie.iron.worker import Worker, leaves
from allo_air.mlir import ir

Held = TypeVar("Held")


class Program:
    """A program; `resolve_program()` returns its module."""

    def __init__(self, device: Device | None, rt: Runtime, workers: Sequence[object] | None = None):
        if device is None:
            raise IronValueError("Program: there is no device; give one, or call iron.set_current_device")
        if not isinstance(device, Device):
            raise IronTypeError(f"Program: the device is {device!r}, expected one of aie.iron.device")
        self.device, self.rt = device, rt
        self.workers = [*leaves(list(workers or ())), *rt.workers]
        for each in self.workers:
            if not isinstance(each, Worker):
                raise IronTypeError(f"Program: workers have {type(each).__name__}, expected Worker")
        self.traces: Traces | None = None
        self.kernels: dict[str, object] = {}  # implementations of external functions, after `resolve_program`

    def resolve_program(self, placer: object = None, device_name: str = "main") -> Any:
        """The verified module. Old programs may pass a placer, but `aie-place-tiles` always places the tiles."""
        name = placer if isinstance(placer, str) else device_name
        self.kernels = {}
        with noting(self.kernels), mlir_mod_ctx() as ctx:
            for parameter in self._arguments_of_type(ScratchpadParameter):
                parameter.build()
            op = DeviceOp(self.device.dialect_name, name)
            with ir.InsertionPoint(block_of(op)):
                self._build()
            verified(ctx.module)
            return ctx.module

    def enable_trace(
        self,
        trace_size: int = 0,
        workers: Sequence[Worker] | None = None,
        reuse_output_buffer: bool = False,
        *,
        egress_shim_col: int | None = None,
        core_trace_mode: object = 0,
        coretile_events: object = None,
        coremem_events: object = None,
        memtile_events: object = None,
        shimtile_events: object = None,
        ddr_id: int | None = None,
        **keywords: object,
    ) -> None:
        """Traces the cores of `workers`, otherwise those of workers with `trace=`, otherwise all. With size 0, nothing is
        traced."""
        check_options(keywords, "Program.enable_trace", trace_size)
        events = {"core": coretile_events, "mem": coremem_events, "memtile": memtile_events, "shimtile": shimtile_events}
        options = {"egress_shim_col": egress_shim_col, "reuse_output_buffer": reuse_output_buffer or None}
        self.traces = Traces(trace_size, workers, events, core_trace_mode, options, ddr_id) if trace_size else None

    def _build(self) -> None:
        for worker in self.workers:
            worker.bind()
        self.rt.bind()
        parts = self._parts()
        for program in parts.get("dma", ()):
            program.bind()
        fifos = sorted(self._fifos(), key=lambda f: f.name)
        for tile in self._tiles(fifos):
            tile.build(self.device)
        for fifo in fifos:
            fifo.build()
        for link in _links(fifos):
            link.build()
        for part in (*parts.get("flow", ()), *parts.get("lock", ())):
            part.build()
        for barrier in self._arguments_of_type(WorkerRuntimeBarrier):
            barrier.build()
        for buffer in self._arguments_of_type(Buffer):
            buffer.build()
        for kernel in self._arguments_of_type(Kernel):
            kernel.build()
        for worker in self.workers:
            worker.build()
        for part in (*parts.get("cascade", ()), *parts.get("dma", ()), *parts.get("own", ())):
            build = getattr(part, "build", None) or part.resolve
            build()
        traces = self.traces or self.rt.traces
        self.rt.build(traces.declared(self.workers, fifos) if traces is not None else None)

    def _fifos(self) -> list[ObjectFifo]:
        """The objectFifos of which workers or the sequence have an end, and those linked to them."""
        ends = [leaf for w in self.workers for leaf in leaves(w.fn_args) if isinstance(leaf, ObjectFifoHandle)]
        todo = [h.of for h in [*ends, *self.rt.handles()]]
        object_fifos: dict[ObjectFifo, None] = {}
        while todo:
            fifo = todo.pop()
            if fifo in object_fifos:
                continue
            object_fifos[fifo] = None
            if fifo.link is not None:
                todo += [*fifo.link.ins, *fifo.link.outs]
        for fifo in tuple(object_fifos):
            fifo.bind_initial()
            if fifo.producer is not None and fifo.producer.end is None:
                raise IronValueError(
                    f"ObjectFifo '{fifo.name}': nothing produces its objects; give its prod() to a worker or the sequence"
                )
        return list(object_fifos)

    def _tiles(self, fifos: Sequence[ObjectFifo]) -> Iterator[Tile]:
        """All tiles of workers, ends of objectFifos and buffers, each once."""
        tiles: dict[int, Tile] = {id(w.tile): w.tile for w in self.workers}
        for fifo in fifos:
            for handle in [fifo.producer, *fifo.consumers]:
                if handle is not None and handle.end is not None:
                    tiles.setdefault(id(handle.end), handle.end)
            if fifo.delegate is not None:
                tiles.setdefault(id(fifo.delegate), fifo.delegate)
        for part in (p for parts in self._parts().values() for p in parts):
            for tile in part.tiles() if callable(getattr(part, "tiles", ())) else part.tiles:
                tiles.setdefault(id(tile), tile)
        for buffer in self._arguments_of_type(Buffer):
            if buffer.end is None:
                raise IronValueError(f"Buffer '{buffer.name}' is on no tile; give it to a worker, or pin it with tile=")
            tiles.setdefault(id(buffer.end), buffer.end)
        yield from tiles.values()

    def _parts(self) -> dict[str, list[Any]]:
        """The explicit parts of the program (locks, flows, ...) by kind; `own` are objects of the program's own Resolvable
        classes.
        """
        values = [self.rt.parts, *(w.fn_args for w in self.workers), self.rt.fn_args, self._arguments_of_type(Lock)]
        parts: dict[str, list[Any]] = {}
        for leaf in dict.fromkeys(x for x in leaves(values) if _is_part(x)):
            kind = next((name for name, kinds in _KINDS.items() if isinstance(leaf, kinds)), "own")
            parts.setdefault(kind, []).append(leaf)
        return parts

    def _arguments_of_type(self, kind: type[Held]) -> list[Held]:
        """The objects of type `kind` among the arguments of workers and the sequence, each once."""
        programs = [p for p in (*self.rt.parts, *leaves(self.rt.fn_args)) if isinstance(p, TileDma)]
        values = [[list(p.resources()) for p in programs], *(w.fn_args for w in self.workers), self.rt.fn_args]
        return list(dict.fromkeys(leaf for leaf in leaves(values) if isinstance(leaf, kind)))


_KINDS: dict[str, Any] = {"flow": Flow | PacketFlow, "lock": Lock, "cascade": CascadeFlow, "dma": TileDma}


def _is_part(candidate: object) -> bool:
    return isinstance(candidate, Flow | PacketFlow | Lock | CascadeFlow | TileDma) or callable(
        getattr(candidate, "resolve", None)
    )


def _links(fifos: Sequence[ObjectFifo]) -> list[Link]:
    return list({id(f.link): f.link for f in fifos if f.link is not None}.values())
