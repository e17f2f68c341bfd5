"""Compiles the text of a core's program to native code with MLIR's JIT; equal texts are compiled once in a process.

LLVM works in a thread of its own; reading the code's entry waits for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from allo_air.core.diagnostics import position
from allo_air.core.walking import walk_named
from allo_air.core_model.banks import Shares
from allo_air.core_model.machine import machine_of
from allo_air.mlir import arith, ir
from allo_air.sim.cores.build import Calls, i32
from allo_air.sim.cores.contracts import lower_contracts
from allo_air.sim.cores.cost import Timer
from allo_air.sim.cores.device_ops import Effect, Lowering, lower_device_ops
from allo_air.sim.cores.flatten import flatten_vectors
from allo_air.sim.cores.instrument import Instrumenter
from allo_air.sim.cores.jit import Jitted
from allo_air.sim.cores.kernel import Signature
from allo_air.sim.cores.lower import lower
from allo_air.sim.cores.places import Places
from allo_air.sim.cores.prepare import bases_of
from allo_air.sim.cores.program import ENTRY
from allo_air.sim.cores.regions import Region
from allo_air.sim.cores.stack import hoist_allocas
from allo_air.sim.cores.text import banks_of, check_compilable, prepared, refusing

Effects = tuple[tuple[str, Effect], ...]
"""For each external function: its name, and the effects of its kernel."""


@dataclass(frozen=True)
class Native:
    """Native code of a program. `sites` and `regions` refer to operations by their position in pre-order."""

    code: Jitted
    sites: tuple[tuple[int, str], ...]
    regions: tuple[tuple[int, Region], ...]
    kernels: tuple[Signature, ...]
    stack_bytes: int
    bytes: int
    """Bytes of the core's own code, as `allo_air.sim.cores.code_size` estimates them."""


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
    """Compiles `text` (`Program.text`) for a device of `arch`; `banks` are the banks of its captures. Raises Refused.

    With `compiled`, its time is that of code that Peano compiles from MLIR, otherwise that of code scheduled by hand.
    `family` is the code of a family (`Member`) whose text is `text`.
    """
    with prepared(text, family) as (module, places), refusing(places), ir.Location.unknown():
        check_compilable(module.operation)
        return _compile(module, places, arch, effects, symbols, banks, compiled)


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

        def site(op: ir.Operation, bases: Sequence[ir.Value] = bases) -> Any:
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
    stack = hoist_allocas(module.operation)
    return Native(Jitted(module, ENTRY, symbols), tuple(sites), timer.regions, tuple(kernels), stack, timer.bytes)


def _name(op: ir.Operation) -> str:
    """The name of an operation in findings; calls are named by their callee."""
    return f"{op.name} @{op.attributes['callee'].value}" if op.name == "func.call" else str(op.name)
