"""Runs a program of kernels in the middle of a pipeline, when its kernels are already control programs or runtime sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.core.functions import declare_function
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.interp import executors
from allo_air.mlir import AnyOp, ir

Runner = Callable[[Any, Any, list[Any]], None]
"""Runs a kernel of a module on arrays, which it changes in place."""


def with_kernels(module: AnyOp, program: ir.Operation, run: Runner) -> tuple[AnyOp, dict[str, Any]]:
    """A module for the interpreter, which executes `program`, and for each called kernel a function on arrays.

    The module is a copy in which kernels that drive a device are only declared; without such kernels, it is `module` itself.
    """
    called = {callee_of(c) for c in walk_named(program, "func.call")}
    sequences = {sym_name_of(s): s for s in walk_named(module, "aie.runtime_sequence")}
    functions = {sym_name_of(f): f for f in walk_named(module, "func.func") if f.parent.name == "builtin.module"}
    driving = {name: functions[name] for name in called if name in functions and executors.drives_device(functions[name])}
    kernels = driving | {name: sequences[name] for name in called if name in sequences}
    if not driving:
        return module, {name: _kernel(module, entry, run) for name, entry in kernels.items()}
    copy = module.operation.clone(ip=False)
    for function in walk_named(copy, "func.func"):
        if sym_name_of(function) in driving:
            _declare(function)
    return copy, {name: _kernel(module, entry, run) for name, entry in kernels.items()}


def _kernel(module: AnyOp, entry: AnyOp, run: Runner) -> Callable[..., None]:
    def kernel(*arrays: object) -> None:
        run(module, entry, list(arrays))

    return kernel


def _declare(function: ir.Operation) -> None:
    with function.location:
        declare_function(sym_name_of(function), function_type_of(function), ip=ir.InsertionPoint(function))
    function.erase()
