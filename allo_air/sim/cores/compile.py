"""The cores of a device as native functions, with what they need to run and what their findings refer to."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from allo_air.aie_api.kernel import CppKernel, is_cpp, kernel_of
from allo_air.core.diagnostics import error_at, position
from allo_air.device import Coordinate
from allo_air.dialects.declarations import device_of
from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError, nearest, suggestion
from allo_air.mlir import ir
from allo_air.sim.cores.banks import Shares, shares_of
from allo_air.sim.cores.bodies import read_bodies
from allo_air.sim.cores.device_ops import Effect
from allo_air.sim.cores.external import signature_of
from allo_air.sim.cores.families import Member, location_in, programs_of
from allo_air.sim.cores.kernel import Bound, Kernel, Signature
from allo_air.sim.cores.layout import Layout
from allo_air.sim.cores.library import find
from allo_air.sim.cores.machine import Machine, machine_of
from allo_air.sim.cores.native import Effects, Native, Refused, compile_program
from allo_air.sim.cores.ports import ports_of
from allo_air.sim.cores.program import BASES, Program
from allo_air.sim.cores.regions import Region


class Core(NamedTuple):
    """A core ready to run: the address of `void entry(void **args)`, the address of `args`, and its stack in bytes."""

    entry: int
    args: int
    stack_bytes: int


@dataclass(frozen=True)
class Site:
    """What a finding of a core refers to."""

    tile: Coordinate
    op: str
    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Code:
    """A core's program as machine code, which runs on any array.

    `place` is the core's location, `captures` are the device's buffers and locks that it takes, `bases` its first site, region
    and kernel, `numbers` what it takes at last (`Member`).
    """

    native: Native
    place: Any
    captures: tuple[Any, ...]
    bases: tuple[int, int, int]
    numbers: tuple[int, ...] = ()

    @property
    def entry(self) -> int:
        """The address of its function; DiagnosticError where it has none."""
        if found := self.native.code.entry:
            return found
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

    def on(self, layout: Layout) -> AttachedCores:
        """The cores on the array whose data memories are where `layout` says; waits for their code."""
        attached = {tile: _arguments(code, layout) for tile, code in self.codes.items()}
        cores = {t: Core(self.codes[t].entry, args, self.codes[t].native.stack_bytes) for t, (args, _) in attached.items()}
        kernels = tuple(replace(kernel, waiting=[]) for kernel in self.kernels)
        return AttachedCores(cores, kernels, (self, *(holder for _, holder in attached.values())))


@dataclass(frozen=True)
class AttachedCores:
    """Cores ready to run on one array, and their kernels' calls; keep this object alive while they run."""

    cores: dict[Coordinate, Core]
    kernels: tuple[Bound, ...]
    keep: tuple[Any, ...]


def compile_cores(
    device: Any,
    layout: Layout,
    kernels: Mapping[str, Any] | None = None,
    symbols: Mapping[str, int] | None = None,
    compiled: bool = False,
) -> CompiledCores:
    """Compiles every `aie.core` of `device`, an `aie.device` operation (`DeviceOp`).

    `kernels` gives external functions by name, before the built-in ones: Python functions, MLIR (`is_mlir`), or C++
    (`is_cpp`). `symbols` are the addresses of the engine's C functions (those of `allo_air.sim._engine` if left out). With
    `compiled`, code takes as long as what Peano makes of MLIR, not as code scheduled by hand. Raises DiagnosticError for a core
    that cannot run, a missing kernel among them.
    """
    if symbols is None:
        from allo_air.sim import _engine

        symbols = _engine.symbols()
    arch = device_of(device).arch
    codes: dict[Coordinate, Code] = {}
    sites: list[Site] = []
    regions: list[Region] = []
    bound: list[Bound] = []
    bodies = read_bodies(kernels or {})
    kernels = given_kernels(kernels or {}, arch)
    for op, tile, program, member in programs_of(device, bodies):
        found = used_kernels(program, kernels, machine_of(arch))
        ports = {c.attributes["callee"].value: _ports(c, found) for c in program.externals}
        banks, effects = shares_in(program, layout), _effects(found, ports)
        with located(program, member):
            native = compile_program(member.text, arch, effects, tuple(sorted(symbols.items())), banks, compiled, member.code)
        bases = len(sites), len(regions), len(bound)
        codes[tile] = Code(native, op.location, program.captures, bases, member.numbers)
        sites += [_site(tile, name, location_in(program, member, place)) for place, name in native.sites]
        regions += [region_of(tile, region, location_in(program, member, place)) for place, region in native.regions]
        bound += [Bound(found[s.name], s, ports[s.name]) for s in native.kernels]
    different = len({id(code.native) for code in codes.values()})
    return CompiledCores(codes, tuple(sites), tuple(regions), tuple(bound), different)


def given_kernels(kernels: Mapping[str, Any], arch: str) -> dict[str, Any]:
    """`kernels`, of which those in C++ are compiled when they are first used."""
    return {n: _Compiled(n, kernel_of(k), arch) if is_cpp(k) else k for n, k in kernels.items()}


def used_kernels(program: Program, given: Mapping[str, Kernel | Callable[..., Any]], machine: Machine) -> dict[str, Kernel]:
    """The kernels of the program's external calls."""
    found: dict[str, Kernel] = {}
    for call in program.externals:
        with call.context, call.location:
            signature = signature_of(call)
        if signature.name in given:
            found[signature.name] = _given(call, given[signature.name], signature)
        elif (built_in := find(signature, machine)) is not None:
            found[signature.name] = built_in
        else:
            raise _missing(call, signature, given)
    return found


def _ports(call: ir.Operation, kernels: dict[str, Kernel]) -> tuple[str, ...]:
    return ports_of(kernels[call.attributes["callee"].value].function, len(call.operands))


def _given(call: ir.Operation, kernel: Any, signature: Signature) -> Kernel:
    """The user's kernel for a call; DiagnosticError where it is no function that takes the call's arguments."""
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, _Compiled):
        try:
            kernel = kernel.function
        except AlloAirError as why:
            raise error_at(call, f"calls '{signature.name}': {why}") from None
    if not callable(kernel):
        found = type(kernel).__name__
        raise error_at(call, f"calls '{signature.name}', for which kernels= has a {found}; wanted {_wanted(signature)}")
    try:
        ports = ports_of(kernel, len(signature.arguments))
        inspect.signature(kernel).bind(*signature.arguments, **dict.fromkeys(ports))
    except TypeError as why:
        raise error_at(
            call, f"calls '{signature.name}', and the function in kernels= does not fit ({why}); wanted {_wanted(signature)}"
        ) from None
    except ValueError:  # a function in C that does not say what it takes
        pass
    return Kernel(kernel)


@dataclass(frozen=True)
class _Compiled:
    """A kernel in C++, compiled when a core first calls it."""

    name: str
    source: CppKernel
    arch: str

    @cached_property
    def function(self) -> Callable[..., Any]:
        return self.source.function(self.name, self.arch)


def _missing(call: ir.Operation, signature: Signature, given: Mapping[str, Any]) -> DiagnosticError:
    hint = suggestion(nearest(signature.name, given)) if given else ""
    return error_at(
        call,
        f"calls '{signature.name}', which has no body here and which no kernel stands for{hint}; give one: "
        f"simulate(..., kernels={{'{signature.name}': f}}) with {_wanted(signature)}",
    )


def _wanted(signature: Signature) -> str:
    """The Python function that stands for an external function, in words."""
    names = [f"{'number' if a.kind == 'scalar' else a.kind}{i}" for i, a in enumerate(signature.arguments)]
    kinds = [
        f"{name} a numpy view of {'x'.join('?' if n < 0 else str(n) for n in a.shape)}{'x' if a.shape else ''}{a.element}"
        for name, a in zip(names, signature.arguments, strict=True)
        if a.kind == "memref"
    ]
    written = ", written in place" if kinds else ""
    result = f"returns the {signature.results[0]}" if signature.results else "returns its cycles or None"
    return "; ".join([f"f({', '.join(names)})", *([", ".join(kinds) + written] if kinds else []), result])


def shares_in(program: Program, layout: Layout) -> tuple[Shares, ...]:
    """The memory banks of the program's captures; the data memories that it sees are numbered in the order of their use."""
    memories: dict[Coordinate, int] = {}
    found: list[Shares] = []
    for value in program.captures:
        place = layout.place(value) if isinstance(value.type, ir.MemRefType) else None
        if place is None:
            found.append(())
        else:
            tile, offset, size = place
            found.append(shares_of(memories.setdefault(tile, len(memories)), offset, size))
    return tuple(found)


def _effects(kernels: dict[str, Kernel], ports: dict[str, tuple[str, ...]]) -> Effects:
    return tuple((name, Effect(k.reads, k.writes, bool(ports[name]))) for name, k in sorted(kernels.items()))


@contextmanager
def located(program: Program, member: Member) -> Iterator[None]:
    """What is refused of the text of `member`, which stands for `program`, is an error where the program comes from."""
    try:
        yield
    except Refused as refused:
        file, line, column = position(location_in(program, member, refused.place))
        raise DiagnosticError([_moved(d, file, line, column) for d in refused.error.diagnostics[:1]]) from None


def _moved(diagnostic: Diagnostic, file: str, line: int, column: int) -> Diagnostic:
    return replace(diagnostic, file=file, line=line, column=column, notes=())


def _arguments(code: Code, layout: Layout) -> tuple[int, Any]:
    """The address of the table of pointers to the arguments' values, and what keeps them alive."""
    values = list(code.bases)
    assert len(values) == BASES
    for value in code.captures:
        is_buffer = isinstance(value.type, ir.MemRefType)
        values.append(layout.address(value) if is_buffer else layout.lock_handle(value))
    values += code.numbers
    slots = (ctypes.c_int64 * len(values))(*values)
    table = (ctypes.c_void_p * len(values))(*(ctypes.addressof(slots) + 8 * i for i in range(len(values))))
    return ctypes.addressof(table), (slots, table)


def _site(tile: Coordinate, name: str, location: Any) -> Site:
    return Site(tile, name, *position(location))


def region_of(tile: Coordinate, region: Region, location: Any) -> Region:
    file, line, column = position(location)
    return replace(region, tile=tile, file=file, line=line, column=column)
