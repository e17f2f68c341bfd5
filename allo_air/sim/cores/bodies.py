"""Kernels written in MLIR: functions with a body that implement external functions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allo_air import asm
from allo_air.core.diagnostics import error_at
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.texts import read_bytes
from allo_air.errors import AlloAirError
from allo_air.mlir import ir, memref


@dataclass(frozen=True)
class Body:
    """A function with a body; `symbols` has the other functions and globals of its file by name."""

    function: Any
    symbols: dict[str, Any]
    module: Any


def is_mlir(kernel: object) -> bool:
    """Whether a value of `kernels=` is MLIR: text, a path that is not that of a C++ file, or a module."""
    from allo_air.aie_api.kernel import is_cpp

    return (isinstance(kernel, str | os.PathLike) and not is_cpp(kernel)) or hasattr(kernel, "operation")


def read_bodies(kernels: Mapping[str, object]) -> dict[str, Body]:
    """The bodies among `kernels`, parsed in the active context.

    Raises AlloAirError for a file that does not define its kernel.
    """
    results: dict[str, Body] = {}
    parsed: dict[str, Any] = {}
    for name, kernel in kernels.items():
        if not is_mlir(kernel):
            continue
        text, file = _text(name, kernel)
        if text not in parsed:
            parsed[text] = asm.read(text, file)
        beside = symbols(parsed[text].operation.regions[0].blocks[0])
        function = beside.get(name)
        if function is None or function.name != "func.func" or not function.regions[0].blocks:
            bodies = [f"@{n}" for n, op in beside.items() if op.name == "func.func" and op.regions[0].blocks]
            there = f"; it has {', '.join(bodies)}" if bodies else ""
            raise AlloAirError(f"kernels['{name}']: {file} has no func.func @{name} with a body{there}")
        results[name] = Body(function, beside, parsed[text])
    return results


def _text(name: str, kernel: Any) -> tuple[str, str]:
    """The MLIR of a kernel, and its name in messages."""
    if hasattr(kernel, "operation"):
        return asm.write(kernel.operation), f"<kernel {name}>"
    if isinstance(kernel, str) and ("\n" in kernel or "{" in kernel):
        return kernel, f"<kernel {name}>"
    path = Path(kernel)
    try:
        return read_bytes(path).decode("utf-8"), str(path)
    except (OSError, UnicodeDecodeError) as why:
        raise AlloAirError(f"kernels['{name}']: cannot read '{path}': {why}; give a path, MLIR text or a function") from None


def symbols(*blocks: ir.Block) -> dict[str, Any]:
    """Functions and globals of several blocks by name; the first block has priority."""
    ops: dict[str, ir.Operation] = {}
    for block in blocks:
        for op in block.operations:
            if op.operation.name in ("func.func", "memref.global"):
                ops.setdefault(sym_name_of(op.operation), op.operation)
    return ops


def cast_arguments(call: ir.Operation, function: ir.Operation) -> None:
    """Casts the arguments of the `func.call` operation `call` to the parameters of `function`; raises DiagnosticError if that
    is impossible.
    """
    kind = function_type_of(function)
    argument_types, parameter_types = [v.type for v in call.operands], list(kind.inputs)
    results = [r.type for r in call.results]
    if (
        len(argument_types) != len(parameter_types)
        or results != list(kind.results)
        or not all(map(_castable, argument_types, parameter_types))
    ):
        name = callee_of(call)
        raise error_at(
            call,
            f"calls '{name}' as {_signature(argument_types, results)}; "
            f"the kernel given is {_signature(parameter_types, kind.results)}",
        )
    for number, (value, to) in enumerate(zip(list(call.operands), parameter_types, strict=True)):
        if value.type != to:
            call.operands[number] = memref.cast(to, value, loc=call.location, ip=ir.InsertionPoint(call))


def _castable(type_: ir.Type, parameter: ir.Type) -> bool:
    """Whether a value has type `parameter`, or is a memref and `parameter` only differs in having dynamic sizes or strides."""
    if type_ == parameter:
        return True
    if not (isinstance(type_, ir.MemRefType) and isinstance(parameter, ir.MemRefType)):
        return False
    if type_.element_type != parameter.element_type or type_.rank != parameter.rank:
        return False
    sizes = all(parameter.is_dynamic_dim(i) or parameter.shape[i] == type_.shape[i] for i in range(parameter.rank))
    (own, offset), (steps, start) = type_.get_strides_and_offset(), parameter.get_strides_and_offset()
    pairs = [*zip(own, steps, strict=True), (offset, start)]
    return sizes and all(parameter.is_dynamic_stride_or_offset(b) or a == b for a, b in pairs)


def _signature(inputs: Any, results: Any) -> str:
    return f"({', '.join(map(str, inputs))}) -> ({', '.join(map(str, results))})"
