"""Compiles the text of a core's program to native code with MLIR's JIT; equal texts compile once in a process.

What LLVM does of it goes on beside Python, until the code's entry is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from allo_air import dialects
from allo_air.core.diagnostics import position, translate
from allo_air.core.walking import walk_named
from allo_air.errors import DiagnosticError
from allo_air.mlir import arith, ir, new_context
from allo_air.sim.cores.access import access_of, root_of
from allo_air.sim.cores.banks import Shares
from allo_air.sim.cores.build import Calls, i32
from allo_air.sim.cores.contracts import lower_contracts
from allo_air.sim.cores.cost import Timer
from allo_air.sim.cores.device_ops import Effect, Lowering, lower_device_ops
from allo_air.sim.cores.flatten import flatten_vectors
from allo_air.sim.cores.instrument import Instrumenter
from allo_air.sim.cores.jit import Jitted
from allo_air.sim.cores.kernel import Signature
from allo_air.sim.cores.lower import check_compilable, lower
from allo_air.sim.cores.machine import machine_of
from allo_air.sim.cores.places import Places
from allo_air.sim.cores.prepare import bases_of, prepare
from allo_air.sim.cores.program import BASES, ENTRY
from allo_air.sim.cores.regions import Region
from allo_air.sim.cores.stack import settle_stack

Effects = tuple[tuple[str, Effect], ...]
"""Per external function: its name, and what its kernel does."""


@dataclass(frozen=True)
class Native:
    """Native code of a program. `sites` and `regions` refer to operations by their place in the program's pre-order."""

    code: Jitted
    sites: tuple[tuple[int, str], ...]
    regions: tuple[tuple[int, Region], ...]
    kernels: tuple[Signature, ...]
    stack_bytes: int


class Refused(Exception):
    """An operation cannot be compiled: its place in the program's pre-order, and the error."""

    def __init__(self, place: int, error: DiagnosticError):
        self.place, self.error = place, error
        super().__init__(str(error))


@lru_cache(maxsize=128)
def compile_program(
    text: str,
    arch: str,
    effects: Effects,
    symbols: tuple[tuple[str, int], ...],
    banks: tuple[Shares, ...] = (),
    compiled: bool = False,
    family: bytes = b"",
) -> Native:
    """Compiles `text` (`Program.text`) for a device of `arch`; `banks` are those of its captures. Raises Refused.

    Its time is that of code that Peano makes of MLIR if `compiled`, else that of code scheduled by hand. `family` is the
    code of a family (`Member`) whose text is `text`."""
    with prepared(text, family) as (module, places), refusing(places), ir.Location.unknown():
        check_compilable(module.operation)
        return _compile(module, places, arch, effects, symbols, banks, compiled)


@contextmanager
def prepared(text: str, family: bytes) -> Iterator[tuple[Any, Places]]:
    """The module of a program in a context of its own, prepared, and the places in `text`; `family` as of `compile_program`."""
    with new_context(for_kernel=True) as context:
        dialects.load(context, ("aie", "xllvm"))
        module = ir.Module.parse(text)
        places = Places(module.operation)
        if family:
            yield ir.Module.parse(family), places
            return
        with refusing(places), ir.Location.unknown():
            prepare(module.operation)
        yield module, places


@contextmanager
def refusing(places: Places) -> Iterator[None]:
    """Refused, with the place of the operation, where a text cannot be compiled."""
    try:
        yield
    except DiagnosticError as error:
        raise Refused(places.of(error.diagnostics[0].line), error) from None
    except ir.MLIRError as error:
        found = translate(error)
        line = next((d.line for d in found.diagnostics if d.line), 0)
        raise Refused(places.of(line), found) from None


def _compile(
    module: ir.Module,
    places: Places,
    arch: str,
    effects: Effects,
    symbols: tuple[tuple[str, int], ...],
    banks: tuple[Shares, ...],
    compiled: bool,
) -> Native:
    sites: dict[tuple[int, str], int] = {}
    calls = Calls(module.operation)
    machine = machine_of(arch, banks_of(module.operation, banks), compiled)
    timer = Timer(machine, lambda op: places.of(position(op.location)[1]))
    kernels: list[Signature] = []
    for function in walk_named(module.operation, "func.func"):
        if not function.regions[0].blocks:
            continue
        block = function.regions[0].blocks[0]
        bases = bases_of(function)

        def site(op: ir.Operation, bases: Any = bases) -> Any:
            number = sites.setdefault((places.of(position(op.location)[1]), _name(op)), len(sites))
            return arith.addi(bases[0], i32(number))

        timed = timer.plan(function)
        Instrumenter(calls, site).run(function)
        timer.insert(timed, calls, bases[1])
        lowering = Lowering(calls, block, site, bases[2], kernels)
        lowering.effects = dict(effects)
        lower_device_ops(function, lowering)
        lower_contracts(function, arch)
        flatten_vectors(function)
    lower(module.operation)
    stack = settle_stack(module.operation)
    return Native(Jitted(module, ENTRY, symbols), tuple(sites), timer.regions, tuple(kernels), stack)


def banks_of(module: ir.Operation, banks: tuple[Shares, ...]) -> Callable[[Any], Shares]:
    """The banks of the core's argument that a load or store accesses, none for any other memory."""
    entry = next(f for f in walk_named(module, "func.func") if f.attributes["sym_name"].value == ENTRY)
    arguments = list(entry.regions[0].blocks[0].arguments)[BASES : BASES + len(banks)]
    known = dict(zip(arguments, banks, strict=True)) if banks else {}

    def find(op: ir.Operation) -> Shares:
        access = access_of(op)
        root = None if access is None else root_of(access.memref)
        return () if root is None else known.get(root, ())

    return find


def _name(op: ir.Operation) -> str:
    """What a finding calls an operation: calls by what they call."""
    return f"{op.name} @{op.attributes['callee'].value}" if op.name == "func.call" else str(op.name)
