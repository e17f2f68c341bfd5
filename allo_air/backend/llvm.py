"""Modules of MLIR on the CPU, under the name that Allo's programs import."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.frontend.annotations import Declared
from allo_air.frontend.cpu import CpuModule, build
from allo_air.frontend.functions import Compiled
from allo_air.frontend.types import Float, Int, ScalarType, UInt, bfloat16, index
from allo_air.ir.transform import find_func_in_module
from allo_air.mlir import ir, new_context


def LLVMModule(module: Any, top_func_name: str, ext_libs: Sequence[Any] = ()) -> CpuModule:
    """Function `top_func_name` of a module, of MLIR or its text, as a callable on numpy arrays."""
    del ext_libs
    context = new_context()
    with context, ir.Location.unknown():
        op = find_func_in_module(ir.Module.parse(str(module)), top_func_name)
        signs = [str(op.attributes[n].value) if n in op.attributes else "" for n in ("itypes", "otypes")]
        names = tuple(str(n.value) for n in op.attributes["arg_names"]) if "arg_names" in op.attributes else ()
        inputs, results = (
            tuple(_declared(t, sign[n : n + 1] != "u") for n, t in enumerate(types))
            for types, sign in zip((op.type.inputs, op.type.results), signs, strict=True)
        )
    names = names or tuple(f"arg{n}" for n in range(len(inputs)))
    return build(str(module), Compiled(None, top_func_name, inputs, results, names))


def _declared(type_: Any, signed: bool) -> Declared:
    shape = tuple(type_.shape) if isinstance(type_, ir.MemRefType) else None
    element = type_.element_type if shape is not None else type_
    return Declared(_scalar(element, signed), shape)


def _scalar(type_: Any, signed: bool) -> ScalarType:
    if isinstance(type_, ir.IndexType):
        return index
    if isinstance(type_, ir.IntegerType):
        return Int(type_.width) if signed and type_.width > 1 else UInt(type_.width)
    return bfloat16 if isinstance(type_, ir.BF16Type) else Float(type_.width)
