"""Elaborates an `aie.device` into the engine's array: tiles, buffers, locks, DMA programs, routes, cascades and cores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.arch import Timing, arch_of
from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate
from allo_air.dialects.declarations import device_of, place_of
from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, ir
from allo_air.sim.cascades import cascades_of
from allo_air.sim.flows import routes_of
from allo_air.sim.layout import Layout, lay_out
from allo_air.sim.programs import Descriptor, Start, programs_of
from allo_air.sim.report_types import NotSimulated
from allo_air.sim.routes import Route
from allo_air.target.initial import initial_bytes

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp
    from allo_air.sim._engine import Array as EngineArray
    from allo_air.sim.cores import AttachedCores, CompiledCores
    from allo_air.sim.cores.code_size import CodeSize
    from allo_air.sim.cores.regions import Region
    from allo_air.sim.cores.scripts import ScriptCores

_KINDS = {"core": "core", "mem": "mem", "shim_noc": "shim"}


KNOWN = ("AIE2", "AIE2p")
"""Architectures that the simulator has registers, cores and timing of."""


@dataclass
class Design:
    """The configuration of a device, independent of a simulated array; findings are explained with it."""

    layout: Layout
    descriptors: list[Descriptor]
    starts: list[Start]
    routes: list[Route]
    cascades: list[tuple[Coordinate, Coordinate]]
    cores: CompiledCores | ScriptCores | None = None
    core_ops: dict[Coordinate, Any] = field(default_factory=dict)
    image: Any = None
    """The contents of memories and locks that a package loads, which replace those of the design."""

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions of all cores' code."""
        return self.cores.regions if self.cores is not None else ()

    @property
    def code_sizes(self) -> Mapping[Coordinate, CodeSize]:
        """The sizes of all cores' code."""
        return self.cores.sizes if self.cores is not None else {}


@dataclass(frozen=True)
class Array:
    """A configured array; its `cores` live as long as its engine runs."""

    engine: Any
    cores: AttachedCores | None = None

    def close(self) -> None:
        """Cancels calls of kernels that have not returned."""
        for kernel in self.cores.kernels if self.cores is not None else ():
            kernel.close()


def elaborate(
    device_op: Any,
    kernels: Mapping[str, object],
    compiled: bool = False,
    scripts: bool = False,
    layout: Layout | None = None,
) -> Design:
    """Builds the design of `device_op` with compiled cores; raises DiagnosticError if it cannot be configured.

    `compiled` selects how code is priced: as compiled, or as scheduled by hand. With `scripts`, cores have scripts instead of
    code: they only take time. `layout` is the device's layout, if it is known.
    """
    _refuse_unknown(device_op)
    _refuse_unlowered(device_op)
    layout = layout or lay_out(device_op)
    ops = {place_of(op, op.tile): op for op in device_op.block.operations if op.operation.name == "aie.core"}
    cores: CompiledCores | ScriptCores | None = None
    wrong: AlloAirError | None = None
    try:
        if ops and scripts:
            from allo_air.sim.cores.scripts import script_cores

            cores = script_cores(device_op, layout, kernels, compiled=compiled)
        elif ops:
            from allo_air.sim.cores import compile_cores

            cores = compile_cores(device_op, layout, kernels, compiled=compiled)  # LLVM compiles while the rest is read
    except AlloAirError as error:
        wrong = error  # errors of DMAs and streams are reported first
    design = Design(layout, *programs_of(layout), routes_of(layout), cascades_of(layout), cores, ops)
    if wrong is not None:
        raise wrong
    return design


def configure(
    design: Design, seed: int, timing: Timing | None = None, before: Array | None = None, *, steady: bool | None = None
) -> Array:
    """Creates an array with `design` in a new engine.

    If `steady` is a bool, the array only models time: its cores are scripts, and with True it may skip repeated iterations of
    loops. `before` is the array that this one replaces, as a PDI load does: cores and DMAs stop, and streams are empty. Data
    memories, locks, BDs and other registers keep their contents unless the new design sets them. The locks of a tile with a
    core are reset to 0 first (aie-rt's set-up in mlir-aie).
    """
    engine = _engine(design.layout, design.descriptors, seed, timing, before, steady, bare=design.image is not None)
    if design.image is not None:
        design.image.put_into(engine)
    for route in design.routes:
        ends = [(*d.port, d.latency, d.fifo, d.keep_header) for d in route.destinations]
        engine.add_route(route.source, route.packet, ends)
    for source, dest in design.cascades:
        engine.add_cascade(source, dest)
    cores = None if design.cores is None else _add_cores(engine, design.cores, design.layout)
    for s in design.starts:
        if s.pad_value:
            engine.set_pad_value(*s.tile, s.direction, s.channel, s.pad_value)
        engine.start_channel(*s.tile, s.direction, s.channel, s.bd, s.repeat, s.tile[1] == 0 and s.direction == 0)
    return Array(engine, cores)


def loaded(device_op: ir.Operation, before: Array | None, *, timing_only: bool = False) -> Array:
    """The array after a PDI load of `device_op` onto `before`, if nothing runs afterwards."""
    layout = lay_out(device_op)
    return Array(_engine(layout, programs_of(layout)[0], 0, None, before, False if timing_only else None))


def _engine(
    layout: Layout,
    descriptors: list[Descriptor],
    seed: int,
    timing: Timing | None,
    before: Array | None,
    steady: bool | None = None,
    *,
    bare: bool = False,
) -> Any:
    """An engine with the tiles, memories, locks and BDs of a design. With `bare`, memories and locks have no contents yet."""
    from allo_air.sim import _engine

    device = layout.device
    constants = timing or arch_of(device).timing(arch_of(device).mhz)
    engine = _engine.Array(device.arch, device.columns, device.rows, constants.as_dict(), seed)
    if arch_of(device).holds_tasks:
        engine.hold_first_tasks()
    if steady is not None:
        engine.time_only(steady)
    _add_tiles(engine, layout)
    if before is not None:
        engine.inherit(before.engine)
    if steady is None:
        _add_memory(engine, layout, bare=bare)
    if not bare:
        _add_locks(engine, layout)
    for d in descriptors:
        engine.write_bd(*d.tile, d.number, list(d.words))
    return engine


_PASS_FOR = {
    "aie.objectfifo": "aie-objectFifo-stateful-transform",
    "aie.logical_tile": "aie-place-tiles",
    "aiex.memcpy": "aiex-lower-memcpy",
}


def _refuse_unknown(device_op: AnyOp) -> None:
    arch = device_of(device_op).arch
    if arch not in KNOWN:
        wrong = error_at(device_op, f"is of {arch}, which the simulator does not know; it knows {' and '.join(KNOWN)}")
        raise NotSimulated(wrong.diagnostics)


def _refuse_unlowered(device_op: DeviceOp) -> None:
    for op in device_op.block.operations:
        if op.operation.name in _PASS_FOR:
            name = op.operation.name
            wrong = error_at(op, f"is not executed; run the pass {_PASS_FOR[name]} first")
            raise NotSimulated(wrong.diagnostics)


def _add_tiles(engine: EngineArray, layout: Layout) -> None:
    device = layout.device
    for column in range(device.columns):
        for row in range(device.rows):
            kind = device.kind(column, row)
            if kind in _KINDS:
                tile = device.tile(column, row)
                engine.add_tile(column, row, _KINDS[kind], tile.memory, tile.locks, tile.bds, *tile.channels)


def _add_memory(engine: EngineArray, layout: Layout, *, bare: bool) -> None:
    for buffer in layout.buffers.values():
        engine.add_buffer(*buffer.tile, buffer.offset, buffer.bytes, buffer.name)
        data = None if bare else initial_bytes(buffer.op)
        if data is not None:
            engine.memory(*buffer.tile)[buffer.offset : buffer.offset + len(data)] = np.frombuffer(data, np.uint8)
            engine.mark_written(*buffer.tile, buffer.offset, len(data))


def _add_locks(engine: EngineArray, layout: Layout) -> None:
    for column, row in layout.cores:
        for number in range(layout.device.tile(column, row).locks):
            engine.set_lock(column, row, number, 0)
    for lock in layout.locks.values():
        if lock.op.init is not None:
            engine.set_lock(*lock.tile, lock.id, lock.init)


def _add_cores(engine: Any, cores: CompiledCores | ScriptCores, layout: Layout) -> AttachedCores | None:
    """Adds the cores, their regions and their kernels to the engine. Returns the attached cores; None for scripts."""
    for number, region in enumerate(cores.regions):
        engine.add_region(number, region.macs, region.vector_cycles)
    if not hasattr(cores, "on"):
        for tile, steps in cores.steps.items():
            engine.add_script(*tile, steps)
        return None
    attached = cores.on(replace(layout, bases={tile: engine.memory_address(*tile) for tile in layout.tiles}))
    for number, kernel in enumerate(attached.kernels):
        engine.add_kernel(number, kernel)
    for tile, core in attached.cores.items():
        engine.add_core(*tile, core.entry, core.args, core.stack_bytes)
    return attached
