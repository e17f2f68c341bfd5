"""The cores of a device as scripts, for runs of which only the time is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from allo_air import dialects
from allo_air.core.diagnostics import position
from allo_air.core.walking import walk_named
from allo_air.device import Coordinate
from allo_air.dialects.declarations import device_of
from allo_air.mlir import ir, new_context
from allo_air.sim.cores.banks import Shares
from allo_air.sim.cores.bodies import read_bodies
from allo_air.sim.cores.build import Calls
from allo_air.sim.cores.compile import Site, given_kernels, located, region_of, shares_in, tile_of, used_kernels
from allo_air.sim.cores.cost import Timer
from allo_air.sim.cores.kernel import Kernel
from allo_air.sim.cores.layout import Layout
from allo_air.sim.cores.lower import check_compilable
from allo_air.sim.cores.machine import machine_of
from allo_air.sim.cores.native import Places, banks_of, refusing
from allo_air.sim.cores.ports import ports_of
from allo_air.sim.cores.prepare import bases_of, prepare
from allo_air.sim.cores.program import BASES, ENTRY, program_of
from allo_air.sim.cores.regions import Region
from allo_air.sim.cores.script import WORK, Script, script_of
from allo_air.sim.cores.script_calls import KernelCalls


@dataclass(frozen=True)
class ScriptCores:
    """The script of each core, as the engine takes it, and the regions that it names."""

    steps: dict[Coordinate, Any]
    regions: tuple[Region, ...]
    sites: tuple[Site, ...] = ()


def script_cores(device: Any, layout: Layout, kernels: Mapping[str, Any] | None = None, compiled: bool = False) -> ScriptCores:
    """The scripts of all cores of `device`; arguments and errors are those of `compile_cores`.

    DiagnosticError besides where only data decide what a core does.
    """
    arch = device_of(device).arch
    bodies, given = read_bodies(kernels or {}), given_kernels(kernels or {}, arch)
    steps: dict[Coordinate, Any] = {}
    regions: list[Region] = []
    for op in device.block.operations:
        if op.operation.name != "aie.core":
            continue
        program = program_of(op, device, bodies)
        found = used_kernels(program, given, machine_of(arch))
        with located(program):
            script, own = _script(program.text, arch, shares_in(program, layout), compiled, tuple(sorted(found.items())))
        handles = [0 if isinstance(v.type, ir.MemRefType) else layout.lock_handle(v) for v in program.captures]
        table = np.array(script.steps(handles), np.int64).reshape(-1, 4)
        table[table[:, 0] == WORK, 1] += len(regions)
        steps[tile_of(op)] = table
        regions += [region_of(tile_of(op), region, program.locations[place]) for place, region in own]
    return ScriptCores(steps, tuple(regions))


@lru_cache(maxsize=128)
def _script(
    text: str, arch: str, banks: tuple[Shares, ...], compiled: bool, kernels: tuple[tuple[str, Kernel], ...]
) -> tuple[Script, tuple[tuple[int, Region], ...]]:
    """The script of a program's `text`, and its regions with the places of their operations."""
    with new_context(for_kernel=True) as context:
        dialects.load(context, ("aie", "xllvm"))
        module = ir.Module.parse(text)
        places = Places(module.operation)
        with refusing(places), ir.Location.unknown():
            prepare(module.operation)
            check_compilable(module.operation)
            machine = machine_of(arch, banks_of(module.operation, banks), compiled)
            timer = Timer(machine, lambda op: places.of(position(op.location)[1]))
            calls = Calls(module.operation)
            functions = [f for f in walk_named(module.operation, "func.func") if f.regions[0].blocks]
            for function in functions:
                timer.insert(timer.plan(function), calls, bases_of(function)[1])
            entry = next(f for f in functions if f.attributes["sym_name"].value == ENTRY)
            ports = {
                c.attributes["callee"].value: ports_of(known[c.attributes["callee"].value].function, len(c.operands))
                for known in [dict(kernels)]
                for c in walk_named(module.operation, "func.call")
                if c.attributes["callee"].value in known
            }
            return script_of(entry, BASES, KernelCalls(dict(kernels), ports)), timer.regions
