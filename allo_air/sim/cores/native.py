"""Compiles the text of a core's program to native code with MLIR's JIT; equal texts compile once in a process."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from allo_air import dialects
from allo_air.core.diagnostics import position, translate
from allo_air.core.rewrite import walk_named
from allo_air.errors import DiagnosticError
from allo_air.mlir import arith, execution_engine, ir, new_context
from allo_air.sim.cores.build import Calls, i32
from allo_air.sim.cores.contracts import lower_contracts
from allo_air.sim.cores.cost import Timer
from allo_air.sim.cores.device_ops import Lowering, lower_device_ops
from allo_air.sim.cores.flatten import flatten_vectors
from allo_air.sim.cores.instrument import Instrumenter
from allo_air.sim.cores.kernel import Kernel, Signature
from allo_air.sim.cores.lower import lower
from allo_air.sim.cores.prepare import bases_of, prepare
from allo_air.sim.cores.program import ENTRY
from allo_air.sim.cores.regions import Region
from allo_air.sim.cores.stack import settle_stack

OPT_LEVEL = 2
"""LLVM's optimization level; 3 compiles longer and runs no faster on GEMM cores."""

Effects = tuple[tuple[str, tuple[int, ...], tuple[int, ...] | None], ...]
"""Per external function: its name, and the positions of the memrefs that its kernel reads and writes."""


@dataclass(frozen=True)
class Native:
    """Native code of a program. `sites` and `regions` refer to operations by their place in the program's pre-order."""

    entry: int
    sites: tuple[tuple[int, str], ...]
    regions: tuple[tuple[int, Region], ...]
    kernels: tuple[Signature, ...]
    stack_bytes: int
    engine: Any


class Refused(Exception):
    """An operation cannot be compiled: its place in the program's pre-order, and the error."""

    def __init__(self, place: int, error: DiagnosticError):
        self.place, self.error = place, error
        super().__init__(str(error))


class _Places:
    """The place in pre-order of the operation that a location of the parsed text belongs to."""

    def __init__(self, module: Any):
        self._by_line: dict[int, int] = {}
        place = 0

        def visit(op: Any) -> Any:
            nonlocal place
            self._by_line.setdefault(position(op.location)[1], place)
            place += 1
            return ir.WalkResult.ADVANCE

        module.walk(visit, ir.WalkOrder.PRE_ORDER)

    def of(self, line: int) -> int:
        """The operation on `line`."""
        return self._by_line.get(line, 0)


@lru_cache(maxsize=128)
def compile_program(text: str, arch: str, effects: Effects, symbols: tuple[tuple[str, int], ...]) -> Native:
    """Compiles `text` (`Program.text`) for a device of `arch`; raises Refused."""
    with new_context() as context:
        dialects.load(context, ("aie",))
        module = ir.Module.parse(text)
        places = _Places(module.operation)
        try:
            with ir.Location.unknown():
                return _compile(module, places, arch, effects, symbols)
        except DiagnosticError as error:
            raise Refused(places.of(error.diagnostics[0].line), error) from None
        except ir.MLIRError as error:
            found = translate(error)
            line = next((d.line for d in found.diagnostics if d.line), 0)
            raise Refused(places.of(line), found) from None


def _compile(module: Any, places: _Places, arch: str, effects: Effects, symbols: tuple[tuple[str, int], ...]) -> Native:
    prepare(module.operation)
    sites: dict[tuple[int, str], int] = {}
    calls = Calls(module.operation)
    timer = Timer(arch, lambda op: places.of(position(op.location)[1]))
    kernels: list[Signature] = []
    for function in walk_named(module.operation, "func.func"):
        if not function.regions[0].blocks:
            continue
        block = function.regions[0].blocks[0]
        bases = bases_of(function)

        def site(op: Any, bases: Any = bases) -> Any:
            number = sites.setdefault((places.of(position(op.location)[1]), op.name), len(sites))
            return arith.addi(bases[0], i32(number))

        timed = timer.plan(function)
        Instrumenter(calls, site).run(function)
        timer.insert(timed, calls, bases[1])
        lowering = Lowering(calls, block, site, bases[2], kernels)
        lowering.effects = {name: Kernel(_nothing, reads, writes) for name, reads, writes in effects}
        lower_device_ops(function, lowering)
        lower_contracts(function, arch)
        flatten_vectors(function)
    lower(module.operation)
    stack = settle_stack(module.operation)
    engine = execution_engine.ExecutionEngine(module, opt_level=OPT_LEVEL, enable_object_dump=False)
    for name, address in symbols:
        engine.raw_register_runtime(name, ctypes.c_void_p(address))
    engine.initialize()
    return Native(engine.raw_lookup(ENTRY), tuple(sites), timer.regions, tuple(kernels), stack, engine)


def _nothing() -> None:
    """Stands for the kernel's function, which compiled code does not depend on."""
