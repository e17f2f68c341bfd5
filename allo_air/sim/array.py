"""Elaborates an `aie.device` into the engine's array: tiles, buffers, locks, DMA programs, routes, cascades and cores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.sim.cascades import cascades_of
from allo_air.sim.flows import routes_of
from allo_air.sim.initial import initial_bytes
from allo_air.sim.layout import Layout, lay_out, place_of
from allo_air.sim.programs import Descriptor, Start, programs_of
from allo_air.sim.report_types import NotSimulated
from allo_air.sim.routes import Route

_KINDS = {"core": "core", "mem": "mem", "shim_noc": "shim"}


@dataclass
class Elaborated:
    """A device ready to run, and what its findings are explained with."""

    engine: Any
    layout: Layout
    descriptors: list[Descriptor]
    starts: list[Start]
    routes: list[Route]
    cascades: list[tuple[Coordinate, Coordinate]]
    cores: Any = None
    core_ops: dict[Coordinate, Any] = field(default_factory=dict)


def elaborate(
    device_op: Any,
    make_array: Callable[..., Any],
    timing: Mapping[str, float],
    seed: int,
    kernels: Mapping[str, Callable[..., Any]],
    before: Any = None,
) -> Elaborated:
    """The array of `device_op` in a new engine made by `make_array`; DiagnosticError where the design cannot be configured.

    `before` is the engine of the configuration that this one replaces, as a PDI load does: cores and DMAs stop and streams are
    empty; data memories keep what the new design gives no initial value, locks what it does not declare with one, and BDs and
    other registers what it does not write. The locks of a tile with a core are 0 first (aie-rt's set-up in mlir-aie).
    """
    _refuse_unlowered(device_op)
    layout = lay_out(device_op)
    descriptors, starts = programs_of(layout)
    routes = routes_of(layout)
    cascades = cascades_of(layout)
    engine = make_array(layout.device.arch, layout.device.columns, layout.device.rows, dict(timing), seed)
    _configure(engine, layout, descriptors, before)
    for route in routes:
        ends = [(*d.port, d.latency, d.fifo, d.keep_header) for d in route.destinations]
        engine.add_route(route.source, route.packet, ends)
    for source, dest in cascades:
        engine.add_cascade(source, dest)
    found = Elaborated(engine, layout, descriptors, starts, routes, cascades)
    _add_cores(found, kernels)
    for s in starts:
        engine.start_channel(*s.tile, s.direction, s.channel, s.bd, s.repeat, s.tile[1] == 0 and s.direction == 0)
    return found


def configured(device_op: Any, before: Any) -> Any:
    """The engine of `device_op` as a PDI load leaves it on what `before` was, if nothing then runs."""
    from allo_air.sim import _engine
    from allo_air.sim.timing import for_arch

    layout = lay_out(device_op)
    device = layout.device
    timing = for_arch(device.arch, device.nominal_mhz).as_dict()
    engine = _engine.Array(device.arch, device.columns, device.rows, timing)
    _configure(engine, layout, programs_of(layout)[0], before)
    return engine


def _configure(engine: Any, layout: Layout, descriptors: list[Descriptor], before: Any) -> None:
    _add_tiles(engine, layout)
    if before is not None:
        engine.inherit(before)
    _add_memory(engine, layout)
    for d in descriptors:
        engine.write_bd(*d.tile, d.number, list(d.words))


_PASS_FOR = {
    "aie.objectfifo": "aie-objectFifo-stateful-transform",
    "aie.logical_tile": "aie-place-tiles",
    "aiex.memcpy": "aiex-lower-memcpy",
}


def _refuse_unlowered(device_op: Any) -> None:
    for op in device_op.block.operations:
        if op.operation.name in _PASS_FOR:
            name = op.operation.name
            wrong = error_at(op, f"is not executed as it stands; run the pass {_PASS_FOR[name]} first")
            raise NotSimulated(wrong.diagnostics)


def _add_tiles(engine: Any, layout: Layout) -> None:
    device = layout.device
    for column in range(device.columns):
        for row in range(device.rows):
            kind = device.kind(column, row)
            if kind in _KINDS:
                tile = device.tile(column, row)
                engine.add_tile(column, row, _KINDS[kind], tile.memory, tile.locks, tile.bds, *tile.channels)


def _add_memory(engine: Any, layout: Layout) -> None:
    for tile in {b.tile for b in layout.buffers.values()}:
        layout.bases[tile] = engine.memory_address(*tile)
    for buffer in layout.buffers.values():
        engine.add_buffer(*buffer.tile, buffer.offset, buffer.bytes, buffer.name)
        data = initial_bytes(buffer.op)
        if data is not None:
            engine.memory(*buffer.tile)[buffer.offset : buffer.offset + len(data)] = np.frombuffer(data, np.uint8)
            engine.mark_written(*buffer.tile, buffer.offset, len(data))
    for column, row in layout.cores:
        for number in range(layout.device.tile(column, row).locks):
            engine.set_lock(column, row, number, 0)
    for lock in layout.locks.values():
        if lock.op.init is not None:
            engine.set_lock(*lock.tile, lock.id, lock.init)


def _add_cores(found: Elaborated, kernels: Mapping[str, Callable[..., Any]]) -> None:
    """Compiles the cores and puts them on their fibres."""
    for op in found.layout.op.block.operations:
        if op.operation.name == "aie.core":
            found.core_ops[place_of(op, op.tile)] = op
    if not found.core_ops:
        return
    from allo_air.sim.cores import compile_cores

    found.cores = cores = compile_cores(found.layout.op, found.layout, kernels)
    for number, region in enumerate(cores.regions):
        found.engine.add_region(number, region.macs, region.vector_cycles)
    for number, kernel in enumerate(cores.kernels):
        found.engine.add_kernel(number, kernel)
    for tile, core in cores.cores.items():
        found.engine.add_core(*tile, core.entry, core.args, core.stack_bytes)
