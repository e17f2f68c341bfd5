"""Implementations of the external functions that cores call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.names import callee_of
from allo_air.core_model.machine import Machine, machine_of
from allo_air.errors import AlloAirError, DiagnosticError, nearest, suggestion, with_article
from allo_air.mlir import ir
from allo_air.sim.cores.kernel import Kernel, Signature
from allo_air.sim.cores.ports import ports_of
from allo_air.sim.cores.program import Program

if TYPE_CHECKING:
    from allo_air.aie_api.kernel import CppKernel
    from allo_air.sim.cores.code_size import KernelSize


_SHARED: ContextVar[dict[tuple[str, ...], _Compiled] | None] = ContextVar("shared kernels", default=None)


@contextmanager
def shared_kernels() -> Iterator[None]:
    """Within the context, several predictions share the compiled C++ kernels and their prices. Their files must not change."""
    token = _SHARED.set({})
    try:
        yield
    finally:
        _SHARED.reset(token)


def given_kernels(kernels: Mapping[str, object], arch: str) -> dict[str, Any]:
    """Returns `kernels`; C++ kernels are compiled at their first use."""
    if not kernels:
        return {}
    from allo_air.aie_api.kernel import is_cpp, kernel_of

    shared = _SHARED.get()

    def compiled(name: str, source: CppKernel) -> _Compiled:
        kernel = _Compiled(name, source, arch)
        return kernel if shared is None else shared.setdefault((name, arch, repr(source)), kernel)

    return {n: compiled(n, kernel_of(k)) if is_cpp(k) else k for n, k in kernels.items()}


def used_kernels(
    program: Program,
    values: Mapping[str, Kernel | Callable[..., Any]],
    machine: Machine,
    objects: Mapping[str, str] | None = None,
) -> dict[str, Kernel]:
    """The kernels of the program's external calls; `objects` are the object files that define functions, for messages."""
    kernels: dict[str, Kernel] = {}
    if not program.externals:
        return kernels
    from allo_air.sim.cores.external import signature_of
    from allo_air.sim.cores.library import find

    for call in program.externals:
        with call.context, call.location:
            signature = signature_of(call)
        if signature.name in values:
            kernels[signature.name] = _user_kernel(call, values[signature.name], signature)
        elif (built_in := find(signature, machine)) is not None:
            kernels[signature.name] = replace(built_in, built_in=True)
        else:
            raise _missing(call, signature, values, (objects or {}).get(signature.name))
    return kernels


def sizes_of(program: Program, values: Mapping[str, object]) -> tuple[tuple[str, KernelSize], ...]:
    """The names and sizes of the C++ kernels that a program calls."""
    names = dict.fromkeys(callee_of(call) for call in program.externals)
    return tuple((name, kernel.size) for name in names if isinstance(kernel := values.get(name), _Compiled))


def _user_kernel(call: ir.Operation, kernel: object, signature: Signature) -> Kernel:
    """The user's kernel for a call; raises DiagnosticError if it is not a function that takes the call's arguments."""
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, _Compiled):
        try:
            kernel = kernel.function
        except AlloAirError as why:
            raise error_at(call, f"calls '{signature.name}': {why}") from None
    if not callable(kernel):
        name = with_article(type(kernel).__name__)
        raise error_at(call, f"calls '{signature.name}', for which kernels= has {name}; expected {_stand_in_text(signature)}")
    try:
        ports = ports_of(kernel, len(signature.arguments))
        inspect.signature(kernel).bind(*signature.arguments, **dict.fromkeys(ports))
    except TypeError as why:
        raise error_at(
            call,
            f"calls '{signature.name}', and the function in kernels= does not fit ({why}); expected "
            f"{_stand_in_text(signature)}",
        ) from None
    except ValueError:  # a C function without a signature
        pass
    return Kernel(kernel)


@dataclass(frozen=True)
class _Compiled:
    """A kernel in C++, compiled when a core first calls it."""

    name: str
    source: CppKernel
    arch: str

    @cached_property
    def size(self) -> KernelSize:
        """The size of its code, of the calls that were recorded."""
        from allo_air.sim.cores.code_size import KernelSize

        return KernelSize(machine_of(self.arch))

    @cached_property
    def function(self) -> Callable[..., Any]:
        from allo_air.sim.cores.cpp_events import Event
        from allo_air.sim.cores.cpp_time import cycles

        machine, cycles_of = machine_of(self.arch), dict[tuple[tuple[int, ...], ...], int]()

        def price(events: list[list[int]]) -> float:
            """Cycles of a call; calls for other numbers often issue the same."""
            issued = tuple(map(tuple, events))
            if issued not in cycles_of:
                operations = [Event(*e) for e in issued]
                cycles_of[issued] = cycles(operations, machine)
                self.size.add(operations)
            return cycles_of[issued]

        return self.source.function(self.name, self.arch, price)


def _missing(
    call: ir.Operation, signature: Signature, values: Mapping[str, object], object_file: str | None
) -> DiagnosticError:
    hint = suggestion(nearest(signature.name, values)) if values else ""
    if object_file is not None:
        hint += (
            f"; its object file '{object_file}' is missing, or has no source for the simulator: compile it under allo-env, "
            f"or put the C++ file '{PurePath(object_file).stem}.cc' beside the program"
        )
    return error_at(
        call,
        f"calls '{signature.name}', which has no body, and no kernel replaces it{hint}; {'or ' * bool(object_file)}give one: "
        f"simulate(..., kernels={{'{signature.name}': f}}) with {_stand_in_text(signature)}",
    )


def _stand_in_text(signature: Signature) -> str:
    """A text that describes a Python function to write for an external function."""
    names = [f"{'number' if a.kind == 'scalar' else a.kind}{i}" for i, a in enumerate(signature.arguments)]
    kinds = [
        f"{name} a numpy view of {'x'.join('?' if n < 0 else str(n) for n in a.shape)}{'x' if a.shape else ''}{a.element}"
        for name, a in zip(names, signature.arguments, strict=True)
        if a.kind == "memref"
    ]
    written = ", written in place" if kinds else ""
    result = f"returns the {signature.results[0]}" if signature.results else "returns its cycles or None"
    return "; ".join([f"f({', '.join(names)})", *([", ".join(kinds) + written] if kinds else []), result])
