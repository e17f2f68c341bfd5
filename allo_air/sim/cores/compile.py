"""Compiles the cores of a device to native functions, with the data that they need to run and to report findings."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from allo_air.core.diagnostics import emit, position
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core_model.machine import machine_of
from allo_air.device import Coordinate
from allo_air.dialects.declarations import device_of
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.mlir import AnyOp, ir
from allo_air.sim.cores.bodies import read_bodies
from allo_air.sim.cores.code_size import CodeSize
from allo_air.sim.cores.device_ops import Effect
from allo_air.sim.cores.families import location_in, programs_of
from allo_air.sim.cores.kernel import Bound, Kernel
from allo_air.sim.cores.kernels import given_kernels, sizes_of, used_kernels
from allo_air.sim.cores.layout import Layout
from allo_air.sim.cores.native import Effects, Native, compile_program
from allo_air.sim.cores.ports import ports_of
from allo_air.sim.cores.program import BASES
from allo_air.sim.cores.regions import Region
from allo_air.sim.cores.sites import Site, located, region_of, shares_in, site_of


class Core(NamedTuple):
    """A core ready to run: the address of `void entry(void **args)`, the address of `args`, and its stack in bytes."""

    entry: int
    args: int
    stack_bytes: int


@dataclass(frozen=True)
class Code:
    """The machine code of a core's program, which runs on any array.

    `place` is the core's location, `captures` are the device's buffers and locks that it uses, `bases` are the numbers of its
    first site, region and kernel, and `numbers` its last arguments (`Member`).
    """

    native: Native
    place: Any
    captures: tuple[Any, ...]
    bases: tuple[int, int, int]
    numbers: tuple[int, ...] = ()

    @property
    def entry(self) -> int:
        """The address of its function; raises DiagnosticError if linking failed."""
        if result := self.native.code.entry:
            return result
        message = "cannot be linked on this host: it calls a function that is in no library here"
        raise DiagnosticError([Diagnostic("error", *position(self.place), message)])


@dataclass(frozen=True)
class CompiledCores:
    """All cores of a device. Engine numbers index `sites`, `regions` and `kernels`."""

    codes: dict[Coordinate, Code]
    sites: tuple[Site, ...]
    regions: tuple[Region, ...]
    kernels: tuple[Bound, ...]
    programs: int
    built_in: tuple[str, ...] = ()
    """The external functions that built-in kernels stand for."""
    sizes: Mapping[Coordinate, CodeSize] = field(default_factory=dict)

    def on(self, layout: Layout) -> AttachedCores:
        """The cores on the array with the data memories of `layout`; waits until their code is compiled."""
        attached = {tile: _arguments(code, layout) for tile, code in self.codes.items()}
        cores = {t: Core(self.codes[t].entry, args, self.codes[t].native.stack_bytes) for t, (args, _) in attached.items()}
        kernels = tuple(replace(kernel, waiting=[]) for kernel in self.kernels)
        return AttachedCores(cores, kernels, (self, *(holder for _, holder in attached.values())))


@dataclass(frozen=True)
class AttachedCores:
    """Cores that are ready to run on one array, and the calls of their kernels; keep this object alive while they run."""

    cores: dict[Coordinate, Core]
    kernels: tuple[Bound, ...]
    keep: tuple[Any, ...]


def _objects(device: AnyOp) -> dict[str, str]:
    """The object files that functions of the device are linked with."""
    functions = [o for o in device.opview.block.operations if o.operation.name == "func.func" and "link_with" in o.attributes]
    return {sym_name_of(f): f.attributes["link_with"].value for f in functions}


def compile_cores(
    device: AnyOp,
    layout: Layout,
    kernels: Mapping[str, object] | None = None,
    symbols: Mapping[str, int] | None = None,
    compiled: bool = False,
) -> CompiledCores:
    """Compiles every `aie.core` of `device`, an `aie.device` operation (`DeviceOp`).

    `kernels` maps names of external functions to implementations, which have priority over the built-in ones: Python
    functions, MLIR (`is_mlir`), or C++ (`is_cpp`). `symbols` are the addresses of the engine's C functions (default: those of
    `allo_air.sim._engine`). With `compiled`, time is that of code that Peano compiles from MLIR, otherwise that of code
    scheduled by hand.

    Raises DiagnosticError for a core that cannot run, for example because of a missing kernel.
    """
    if symbols is None:
        from allo_air.sim import _engine

        symbols = _engine.symbols()
    arch = device_of(device).arch
    codes: dict[Coordinate, Code] = {}
    sites: list[Site] = []
    regions: list[Region] = []
    bound: list[Bound] = []
    built_in: dict[str, AnyOp] = {}
    sizes: dict[Coordinate, CodeSize] = {}
    bodies = read_bodies(kernels or {})
    kernels = given_kernels(kernels or {}, arch)
    objects = _objects(device)
    for op, tile, program, member in programs_of(device, bodies):
        result = used_kernels(program, kernels, machine_of(arch), objects)
        for call in program.externals:
            if result[callee_of(call)].built_in and callee_of(call) not in built_in:
                built_in[callee_of(call)] = call
                _say_built_in(call)
        ports = {callee_of(c): _ports(c, result) for c in program.externals}
        banks, effects = shares_in(program, layout), _effects(result, ports)
        with located(program, member):
            native = compile_program(member.text, arch, effects, tuple(sorted(symbols.items())), banks, compiled, member.code)
        bases = len(sites), len(regions), len(bound)
        sizes[tile] = CodeSize(native.bytes, sizes_of(program, kernels))
        codes[tile] = Code(native, op.location, program.captures, bases, member.numbers)
        sites += [site_of(tile, name, location_in(program, member, place)) for place, name in native.sites]
        regions += [region_of(tile, region, location_in(program, member, place)) for place, region in native.regions]
        bound += [Bound(result[s.name], s, ports[s.name], sites) for s in native.kernels]
    different = len({id(code.native) for code in codes.values()})
    return CompiledCores(codes, tuple(sites), tuple(regions), tuple(bound), different, tuple(built_in), sizes)


def _say_built_in(call: ir.Operation) -> None:
    text = (
        f"'{call.name}' op calls '{callee_of(call)}', for which no kernel is given; the simulator's own runs in its place, as "
        "mlir-aie's aie_kernels define it"
    )
    emit(Diagnostic("remark", *position(call.location), text))


def _ports(call: ir.Operation, kernels: dict[str, Kernel]) -> tuple[str, ...]:
    return ports_of(kernels[callee_of(call)].function, len(call.operands))


def _effects(kernels: dict[str, Kernel], ports: dict[str, tuple[str, ...]]) -> Effects:
    return tuple((name, Effect(k.reads, k.writes, bool(ports[name]))) for name, k in sorted(kernels.items()))


def _arguments(code: Code, layout: Layout) -> tuple[int, Any]:
    """The address of the table of pointers to the arguments' values, and the objects that must stay alive with it."""
    values = list(code.bases)
    assert len(values) == BASES
    for value in code.captures:
        is_buffer = isinstance(value.type, ir.MemRefType)
        values.append(layout.address(value) if is_buffer else layout.lock_handle(value))
    values += code.numbers
    slots = (ctypes.c_int64 * len(values))(*values)
    table = (ctypes.c_void_p * len(values))(*(ctypes.addressof(slots) + 8 * i for i in range(len(values))))
    return ctypes.addressof(table), (slots, table)
