"""Reads MLIR functions: the types of their parameters and results, as calls need them."""

from __future__ import annotations

from typing import Any

from allo_air.core.contexts import reused_context
from allo_air.core.diagnostics import translate
from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.frontend.annotations import Declared
from allo_air.frontend.functions import Compiled
from allo_air.frontend.types import Float, Int, ScalarType, UInt, bfloat16, index
from allo_air.mlir import func, ir


def function_in(text: str, name: str) -> Compiled:
    """Function `name` of a module's text. Raises DiagnosticError if the text is not valid MLIR."""
    with reused_context(text), ir.Location.unknown():
        try:
            module = ir.Module.parse(text)
        except ir.MLIRError as error:
            raise translate(error) from None
        function = function_of(module, name)
        if not any(
            op.regions[0].blocks for op in module.body.operations if isinstance(op, func.FuncOp) and op.name.value == name
        ):
            raise AlloAirError(
                f"function '{name}' has no body, and only functions with a body can be called; call a function that calls it"
            )
        return function


def function_of(module: ir.Module, name: str) -> Compiled:
    """Function `name` of a module; `itypes` and `otypes` give its signs, `arg_names` its names."""
    functions = {op.name.value: op for op in module.body.operations if isinstance(op, func.FuncOp)}
    if name not in functions:
        raise UnknownNameError("function", name, functions)
    op = functions[name]
    signs = [str(op.attributes[n].value) if n in op.attributes else "" for n in ("itypes", "otypes")]
    names = tuple(str(n.value) for n in op.attributes["arg_names"]) if "arg_names" in op.attributes else ()
    if wrong := next((t for t in (*op.type.inputs, *op.type.results) if not _is_passable(t)), None):
        raise AlloAirError(
            f"function '{name}' has a parameter or result {wrong}; parameters and results must be numbers or memrefs of numbers"
        )
    inputs, results = (
        tuple(_declared(t, sign[n : n + 1] != "u") for n, t in enumerate(types))
        for types, sign in zip((op.type.inputs, op.type.results), signs, strict=True)
    )
    return Compiled(None, name, inputs, results, names or tuple(f"arg{n}" for n in range(len(inputs))))


def _is_passable(type_: ir.Type) -> bool:
    element = ir.MemRefType(type_).element_type if isinstance(type_, ir.MemRefType) else type_
    return isinstance(element, (ir.IndexType, ir.IntegerType, ir.FloatType))


def _declared(type_: ir.ShapedType, signed: bool) -> Declared:
    shape = tuple(type_.shape) if isinstance(type_, ir.MemRefType) else None
    element = type_.element_type if shape is not None else type_
    return Declared(_scalar(element, signed), shape)


def _scalar(type_: Any, signed: bool) -> ScalarType:
    if isinstance(type_, ir.IndexType):
        return index
    if isinstance(type_, ir.IntegerType):
        return Int(type_.width) if signed and type_.width > 1 else UInt(type_.width)
    return bfloat16 if isinstance(type_, ir.BF16Type) else Float(type_.width)
