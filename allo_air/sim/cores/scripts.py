"""Converts the cores of a device to scripts, for runs that only measure time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from allo_air.core.diagnostics import position
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.core_model.banks import Shares
from allo_air.core_model.machine import machine_of
from allo_air.device import Coordinate
from allo_air.dialects.declarations import device_of
from allo_air.mlir import AnyOp, ir
from allo_air.sim.cores.bodies import read_bodies
from allo_air.sim.cores.build import Calls
from allo_air.sim.cores.code_size import CodeSize
from allo_air.sim.cores.cost import Timer
from allo_air.sim.cores.families import location_in, programs_of
from allo_air.sim.cores.kernel import Kernel
from allo_air.sim.cores.kernels import given_kernels, sizes_of, used_kernels
from allo_air.sim.cores.layout import Layout
from allo_air.sim.cores.places import Places
from allo_air.sim.cores.ports import ports_of
from allo_air.sim.cores.prepare import bases_of
from allo_air.sim.cores.program import BASES, ENTRY
from allo_air.sim.cores.regions import Region
from allo_air.sim.cores.script import script_of
from allo_air.sim.cores.script_calls import KernelCalls
from allo_air.sim.cores.sites import Site, located, region_of, shares_in
from allo_air.sim.cores.steps import WORK, Script
from allo_air.sim.cores.text import banks_of, check_compilable, prepared, refusing


@dataclass(frozen=True)
class ScriptCores:
    """The script of each core in the engine's form, and the regions that it refers to; `assumed` as in the Report."""

    steps: dict[Coordinate, Any]
    regions: tuple[Region, ...]
    sites: tuple[Site, ...] = ()
    assumed: int = 0
    built_in: tuple[str, ...] = ()
    sizes: Mapping[Coordinate, CodeSize] = field(default_factory=dict)


def script_cores(
    device: AnyOp, layout: Layout, kernels: Mapping[str, object] | None = None, compiled: bool = False
) -> ScriptCores:
    """The scripts of all cores of `device`. Arguments and errors are those of `compile_cores`; also raises DiagnosticError if
    control flow depends on data.
    """
    arch = device_of(device).arch
    bodies, kernel_of_name = read_bodies(kernels or {}), given_kernels(kernels or {}, arch)
    steps: dict[Coordinate, Any] = {}
    regions: list[Region] = []
    assumed = 0
    built_in: dict[str, None] = {}
    sizes: dict[Coordinate, CodeSize] = {}
    for _, tile, program, member in programs_of(device, bodies):
        used = tuple(sorted(used_kernels(program, kernel_of_name, machine_of(arch)).items()))
        built_in |= dict.fromkeys(name for name, kernel in used if kernel.built_in)
        with located(program, member):
            script, own, size = _script(
                member.text, arch, shares_in(program, layout), compiled, used, member.code, member.numbers
            )
        handles = [0 if isinstance(v.type, ir.MemRefType) else layout.lock_handle(v) for v in program.captures]
        table = np.array(script.steps(handles), np.int64).reshape(-1, 4)
        table[table[:, 0] == WORK, 1] += len(regions)
        steps[tile] = table
        sizes[tile] = CodeSize(size, sizes_of(program, kernel_of_name))
        assumed = max(assumed, len(script.assumed))
        regions += [region_of(tile, region, location_in(program, member, place)) for place, region in own]
    return ScriptCores(steps, tuple(regions), assumed=assumed, built_in=tuple(built_in), sizes=sizes)


@dataclass(frozen=True)
class _Timed:
    """The entry of a program with times inserted, the ports of the kernels that it calls, and its regions by position."""

    context: Any
    module: Any
    entry: Any
    places: Places
    ports: dict[str, tuple[str, ...]]
    regions: tuple[tuple[int, Region], ...]
    bytes: int


Kernels = tuple[tuple[str, Kernel], ...]


@lru_cache(maxsize=128)
def _script(
    text: str, arch: str, banks: tuple[Shares, ...], compiled: bool, kernels: Kernels, family: bytes, numbers: tuple[int, ...]
) -> tuple[Script, tuple[tuple[int, Region], ...], int]:
    """The script of a program's `text`, or of a member of a family; its regions with the positions of their operations; and
    the bytes of its own code.
    """
    timed = _timed(text, arch, banks, compiled, kernels, family)
    with timed.context, refusing(timed.places), ir.Location.unknown():
        return script_of(timed.entry, BASES, KernelCalls(dict(kernels), timed.ports), numbers), timed.regions, timed.bytes


@lru_cache(maxsize=4)
def _timed(text: str, arch: str, banks: tuple[Shares, ...], compiled: bool, kernels: Kernels, family: bytes) -> _Timed:
    with prepared(text, family) as (module, places), refusing(places), ir.Location.unknown():
        check_compilable(module.operation)
        machine = machine_of(arch, banks_of(module.operation, banks), compiled)
        timer = Timer(machine, lambda op: places.of(position(op.location)[1]))
        calls = Calls(module.operation)
        functions = [f for f in walk_named(module.operation, "func.func") if f.regions[0].blocks]
        for function in functions:
            timer.insert(timer.plan(function), calls, bases_of(function)[1])
        entry = next(f for f in functions if sym_name_of(f) == ENTRY)
        kernels_by_name = dict(kernels)
        named = ((c, callee_of(c)) for c in walk_named(module.operation, "func.call"))
        ports = {
            name: ports_of(kernels_by_name[name].function, len(call.operands))
            for call, name in named
            if name in kernels_by_name
        }
        return _Timed(module.context, module, entry, places, ports, timer.regions, timer.bytes)
