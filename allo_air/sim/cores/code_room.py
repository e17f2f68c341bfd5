"""Finds cores whose code does not fit into their program memory, by a lower bound of its size, before it is compiled or run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.core_model.machine import machine_of
from allo_air.device import Coordinate
from allo_air.dialects.declarations import device_of
from allo_air.errors import DiagnosticError
from allo_air.mlir import AnyOp, ir
from allo_air.sim.cores.code_size import LONGEST, program_bytes
from allo_air.sim.cores.families import tile_of
from allo_air.sim.cores.program import programs_without_positions
from allo_air.sim.cores.text import Refused, prepared


@dataclass(frozen=True)
class Excess:
    """A core of `device`, an `aie.device`, whose code takes at least `bytes` of the `room` bytes of its program memory."""

    device: AnyOp
    tile: Coordinate
    bytes: int
    room: int


def too_large(module: ir.Operation) -> list[Excess]:
    """For each device of `module` with cores whose code does not fit: the one with the longest code.

    Functions without a body that the cores call, and copies of short loops that LLVM may unroll, are not counted.
    """
    results = (_excess(device.opview, walk_named(device, "aie.core")) for device in walk_named(module, "aie.device"))
    return [excess for excess in results if excess is not None]


def _excess(device: AnyOp, cores: Sequence[ir.Operation]) -> Excess | None:
    """The core of `device` with the longest code, if that does not fit; None if all fit.

    Of cores with equally many operations, only the first is measured. Cores that would fit with the longest instruction for
    each operation are not measured.
    """
    counts = {len(walk_pre_order(core)): core.opview for core in reversed(cores)}
    results = list[Excess]()
    for count, core in counts.items():
        tile = tile_of(core)
        room = device_of(device).tile(*tile).program_memory
        if count * LONGEST > room and (size := _least(core, device)) > room:
            results.append(Excess(device, tile, size, room))
    return max(results, key=lambda excess: excess.bytes, default=None)


def _least(core: AnyOp, device: AnyOp) -> int:
    """A lower bound of the bytes of a core's code; 0 if the simulator cannot lower the core."""
    machine = machine_of(device_of(device).arch, compiled=True)
    try:
        [program] = programs_without_positions([core], device, {})
        with prepared(program.text, b"") as (module, _):
            functions = [f for f in walk_named(module.operation, "func.func") if f.regions[0].blocks]
            return sum(program_bytes(f, machine, unrolls=False) for f in functions)
    except (DiagnosticError, Refused):
        return 0
