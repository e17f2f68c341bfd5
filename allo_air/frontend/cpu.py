"""Runs compiled functions on the CPU, by MLIR's JIT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from allo_air.errors import ArgumentError, counted
from allo_air.frontend import tensors
from allo_air.frontend.annotations import Declared
from allo_air.frontend.arrays import empty_result, from_memory, to_memory
from allo_air.frontend.functions import Compiled, type_of
from allo_air.frontend.ip import cpp_callbacks
from allo_air.frontend.printing import callbacks
from allo_air.frontend.values import Buffer, memref_type
from allo_air.interp.kernel import describe_array, invoke, jitted
from allo_air.mlir import PassManager, func, ir, memref

_LOOPS = "builtin.module(func.func(linalg-generalize-named-ops,convert-linalg-to-loops),lower-affine)"
_ENTRY = "__entry"
_LAYOUT = "e-i64:64-i128:128"
"""The data layout of x86-64 and AArch64, for the sizes of allocations. LLVM's default layout has fewer bytes for integers
of more than 64 bits."""


def _wrap(module: ir.Module, compiled: Compiled) -> None:
    """Adds an entry function for the JIT. Its scalar parameters are memrefs of rank 0, and results are written to further
    memrefs.
    """
    outs = [Declared(r.element, r.shape if r.shape is not None else ()) for r in compiled.results]
    with ir.InsertionPoint(module.body), ir.Location.unknown():
        inputs = [_boxed(p) for p in compiled.parameters]
        entry = func.FuncOp(_ENTRY, ir.FunctionType.get([*inputs, *map(type_of, outs)], []))
        entry.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
        block = entry.add_entry_block()
        with ir.InsertionPoint(block):
            count = len(inputs)
            values = [_unboxed(p, a) for p, a in zip(compiled.parameters, block.arguments, strict=False)]
            call = func.CallOp([type_of(r) for r in compiled.results], compiled.name, values)
            for result, value, out in zip(compiled.results, call.results, list(block.arguments)[count:], strict=True):
                if result.shape is None:
                    memref.store(value, out, [])
                else:
                    tensors.copy(Buffer(value, result.element), Buffer(out, result.element))
            func.ReturnOp([])


def _boxed(kind: Declared) -> Any:
    """The type of a parameter of the entry function."""
    return memref_type(kind.element, ()) if kind.shape is None else type_of(kind)


def _unboxed(kind: Declared, argument: ir.Value) -> Any:
    """The argument of the compiled function, from that of the entry function."""
    return memref.load(argument, []) if kind.shape is None else argument


@dataclass
class CpuModule:
    """A compiled function on numpy arrays. It changes arrays of its parameters in place and returns its results."""

    name: str
    parameters: tuple[Declared, ...]
    results: tuple[Declared, ...]
    text: str
    _kernel: Any = field(repr=False)

    @property
    def module(self) -> str:
        """The function as MLIR, before it was compiled."""
        return self.text

    def __call__(self, *args: Any) -> Any:
        """Runs the function on one array or number for each parameter; further arrays, if any, receive copies of the results.

        An array whose type or layout differs from the parameter's is converted before the call and written back after it.
        Raises ArgumentError if the number, a shape or a type of the arguments is wrong.
        """
        count = len(self.parameters)
        if len(args) not in (count, count + len(self.results)):
            raise ArgumentError(f"'{self.name}' takes {counted(count, 'argument')}, found {len(args)}")
        outs = args[count:]
        buffers = [to_memory(a, k, f"argument {i}") for i, (a, k) in enumerate(zip(args[:count], self.parameters, strict=True))]
        result_buffers = [empty_result(r) for r in self.results]
        self._run([*buffers, *result_buffers])
        for array, buffer, kind in zip(args, buffers, self.parameters, strict=False):
            if kind.shape is not None and isinstance(array, np.ndarray) and not np.shares_memory(array, buffer):
                array[...] = from_memory(buffer, kind, array.dtype)
        results = [from_memory(a, r, None) for a, r in zip(result_buffers, self.results, strict=True)]
        for out, result in zip(outs, results, strict=False):
            out[...] = result
        returned = [r.item() if k.shape is None else r for r, k in zip(results, self.results, strict=True)]
        return None if not returned else returned[0] if len(returned) == 1 else tuple(returned)

    def _run(self, arrays: Sequence[np.ndarray]) -> None:
        """Calls the compiled code on the arguments, followed by the results."""
        invoke(self._kernel, [describe_array(a) for a in arrays])


def build(text: str, compiled: Compiled) -> CpuModule:
    """Compiles the module with text `text`, whose function `compiled` describes."""
    from allo_air.mlir import new_context

    context = new_context(for_kernel=True)
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        _wrap(module, compiled)
        PassManager.parse(_LOOPS).run(module.operation)
        module.operation.attributes["llvm.data_layout"] = ir.StringAttr.get(_LAYOUT)
        kernel = jitted(module, _ENTRY, opt_level=3, runtime={**callbacks(module), **cpp_callbacks(module)})
    return CpuModule(compiled.name, compiled.parameters, compiled.results, text, kernel)
