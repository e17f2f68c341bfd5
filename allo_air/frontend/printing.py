"""`print` in functions for the CPU, as a call back to Python at run time. Kernels on the array print nothing."""

from __future__ import annotations

import ast
import ctypes
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from allo_air.core.names import callee_of
from allo_air.core.walking import root_of, walk_named
from allo_air.frontend import tensors
from allo_air.frontend.annotations import Declared
from allo_air.frontend.arrays import from_memory
from allo_air.frontend.constants import storage
from allo_air.frontend.nodes import describe, expression
from allo_air.frontend.numbers import Number, cast
from allo_air.frontend.operands import as_operand
from allo_air.frontend.state import State
from allo_air.frontend.types import Int, ScalarType, UInt, float64
from allo_air.frontend.values import Buffer, allocate, memref_type
from allo_air.mlir import func, ir

_ATTRIBUTE = "prints"
"""Attribute of the function that a `print` calls: the Python arguments of `print`, as JSON."""


def emit_print(state: State, node: ast.Call) -> None:
    """Emits `print(x, A)` or `print("%d of %d", i, n)` as a call of a function that the host provides (`callbacks`)."""
    if not state.shared.prints:
        return
    parts: list[dict[str, Any]] = []
    values = []
    for argument in node.args:
        result = as_operand(expression(state, argument))
        if isinstance(result, Buffer) and result.shape:
            result = _row_major(result)
            parts.append({"tensor": [result.element.kind, result.element.bits, result.element.fracs, result.element.brain]})
            parts[-1]["shape"] = list(result.shape)
            values.append(result.value)
        elif isinstance(result, Number):
            number = _printable(state, argument, result)
            parts.append({"scalar": number.type.kind})
            values.append(number.value)
        elif isinstance(result, (str, int, float)):
            parts.append({"constant": result})
        else:
            raise state.error(argument, f"print takes numbers, tensors and text, found {describe(result)}")
    name = state.shared.unique(f"print_{state.symbol}")
    with ir.InsertionPoint(root_of(state.body.owner).opview.body), state.at(node):
        op = func.FuncOp(name, ir.FunctionType.get([v.type for v in values], []), visibility="private")
        op.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
        op.attributes[_ATTRIBUTE] = ir.StringAttr.get(json.dumps(parts))
    func.CallOp(op, values)


def _row_major(buffer: Buffer) -> Buffer:
    """The tensor, copied to row-major order if necessary."""
    if buffer.value.type == memref_type(buffer.element, buffer.shape):
        return buffer
    fresh = allocate(buffer.element, buffer.shape)
    tensors.copy(buffer, fresh)
    return fresh


def _printable(state: State, node: ast.AST, number: Number) -> Number:
    """The number as a 64-bit one."""
    if number.type.floating or number.type.fixed:
        return cast(number, float64)
    if number.type.bits > 64:
        raise state.error(node, f"numbers of {number.type} cannot be printed; convert them to 64 bits")
    return cast(number, Int(64) if number.type.signed else UInt(64))


def remove_prints(module: ir.Module) -> None:
    """Removes all calls of `print` from a module."""
    printers = {op.name.value for op in _printers(module)}
    for call in walk_named(module.operation, "func.call"):
        if callee_of(call) in printers:
            call.erase()
    for op in _printers(module):
        op.operation.erase()


def _printers(module: ir.Module) -> list[Any]:
    return [op for op in module.body.operations if isinstance(op, func.FuncOp) and _ATTRIBUTE in op.attributes]


def callbacks(module: ir.Module) -> dict[str, Any]:
    """For each `print` of a module, a C function that prints by Python."""
    return {op.name.value: _callback(json.loads(ir.StringAttr(op.attributes[_ATTRIBUTE]).value)) for op in _printers(module)}


def _callback(parts: list[dict[str, Any]]) -> Any:
    kinds: dict[str, Any] = {"int": ctypes.c_int64, "uint": ctypes.c_uint64, "float": ctypes.c_double}
    types = [kinds[part["scalar"]] if "scalar" in part else ctypes.c_void_p for part in parts if "constant" not in part]

    def print_parts(*arguments: object) -> None:
        values = iter(arguments)
        _print([part["constant"] if "constant" in part else _reader(part)(next(values)) for part in parts])

    return ctypes.CFUNCTYPE(None, *types)(print_parts)


def _reader(part: dict[str, Any]) -> Callable[[Any], Any]:
    if "scalar" in part:
        return lambda value: value
    kind = Declared(ScalarType(*part["tensor"]), tuple(part["shape"]))
    return lambda address: _array(address, kind)


def _array(address: int, kind: Declared) -> Any:
    """The tensor whose memref descriptor is at `address`: allocated, aligned, offset, ..."""
    dtype, shape = storage(kind.element), kind.shape or ()
    size = int(np.prod(shape)) * dtype.itemsize
    aligned, offset = (ctypes.c_int64.from_address(address + field_offset).value for field_offset in (8, 16))
    data = (ctypes.c_char * size).from_address(aligned + offset * dtype.itemsize)
    return from_memory(np.frombuffer(bytes(data), dtype).reshape(shape), kind, None)


def _print(values: Sequence[object]) -> None:
    """Prints like Python's print. A text with % that precedes values is a format, as in C's printf."""
    if len(values) > 1 and isinstance(values[0], str) and "%" in values[0]:
        print(values[0] % tuple(values[1:]), end="")
    else:
        print(*values)
