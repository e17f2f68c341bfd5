"""Emits a module as a C++ file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allo_air.core.elements import array_of, is_resource
from allo_air.core.names import callee_of, sym_name_of
from allo_air.mlir import AnyOp, PassManager, ir
from allo_air.target.hls import control, memory  # noqa: F401
from allo_air.target.hls.calls import prototype
from allo_air.target.hls.flavors import Flavor
from allo_air.target.hls.function import Function, declaration, function
from allo_air.target.hls.signatures import Signature, is_buffer, signature, with_streams
from allo_air.target.hls.types import kind_of
from allo_air.target.hls.values import Array, literal

_PREPARE = "builtin.module(func.func(linalg-generalize-named-ops,convert-linalg-to-affine-loops))"
_HEAD = """//===------------------------------------------------------------*- C++ -*-===//
//
// Automatically generated file for High-level Synthesis (HLS).
//
//===----------------------------------------------------------------------===//
"""


def emit(module: ir.Module, top: str, flavor: Flavor, threads: bool = False) -> str:
    """The C++ of a module, whose function `top` comes last; linalg becomes loops in it.

    With `threads`, the calls of a dataflow function run concurrently, for simulation on the host.
    """
    PassManager.parse(_PREPARE).run(module.operation)
    bodies, declared, signatures = _functions(module, top)
    arrays: dict[str, Array] = {}
    lines = [_head(flavor), *(prototype(op, flavor) for op in declared.values() if "cpp" in op.attributes)]
    lines += ['extern "C" {', ""] if flavor.pragmas.get("port") else []
    for op in module.body.operations:
        if op.operation.name == "memref.global":
            lines += _global(op.operation, arrays, flavor)
    for name in signatures:
        result = Function(signatures[name], signatures, arrays, flavor, threads, declared)
        _pragmas(result, bodies[name], signatures[name])
        lines += function(bodies[name], result)
    return "\n".join([*lines, *(['} // extern "C"'] if flavor.pragmas.get("port") else [])]) + "\n"


def signature_of(module: ir.Module, name: str) -> Signature:
    """The signature of function `name` of an emitted module."""
    return _functions(module, name)[2][name]


def _functions(module: Any, top: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Signature]]:
    """The functions with a body, the functions without, and the signatures of the former, callees first."""
    functions = {sym_name_of(op): op.operation for op in module.body.operations if op.operation.name == "func.func"}
    bodies = {name: op for name, op in functions.items() if len(op.regions[0].blocks)}
    declared = {name: op for name, op in functions.items() if name not in bodies}
    signatures = {name: signature(bodies[name], name == top) for name in ordered(bodies)}
    with_streams(signatures, bodies, declared)
    return bodies, declared, signatures


def _head(flavor: Flavor) -> str:
    return "\n".join([_HEAD.rstrip(), *(f"#include <{header}>" for header in flavor.headers), "using namespace std;"])


def _pragmas(new: Function, op: AnyOp, item: Signature) -> None:
    """The pragmas of a function and of its parameters."""
    if "dataflow" in op.attributes:
        new.pragma("dataflow")
    if "inline" in op.attributes:
        new.pragma("inline")
    if item.is_top and new.flavor.host:
        for number, parameter in enumerate(item.parameters):
            if is_buffer(parameter):
                new.pragma("port", name=parameter.name, number=number)
    for number, parameter in enumerate(item.arguments):
        memory.array_pragmas(new, op, parameter.name, len(parameter.shape or ()), f".{number}")


def ordered(functions: Mapping[str, AnyOp]) -> list[str]:
    """Functions in an order in which callees come first."""
    from allo_air.core.walking import walk_named

    results: list[str] = []

    def visit(name: str) -> None:
        if name in results:
            return
        for call in walk_named(functions[name], "func.call"):
            callee = callee_of(call)
            if callee in functions:
                visit(callee)
        results.append(name)

    for name in functions:
        visit(name)
    return results


def _global(op: AnyOp, arrays: dict[str, Array], flavor: Flavor) -> list[str]:
    name, type_ = sym_name_of(op), op.attributes["type"].value
    kind, shape = kind_of(type_), tuple(type_.shape)
    arrays[name] = Array.of(name, kind, shape)
    value = op.attributes.get("initial_value", None)
    constant = "const " if "constant" in op.attributes else "static "
    if value is None or isinstance(value, ir.UnitAttr):
        return [f"{constant}{declaration(name, kind, shape, flavor)};", ""]
    numbers = [literal(n, kind, flavor) for n in _elements(value)]
    text = _nested(numbers, shape) if shape else numbers[0]
    return [f"{constant}{declaration(name, kind, shape, flavor)} = {text};", ""]


def _elements(value: Any) -> list[Any]:
    if is_resource(value):
        return list(array_of(value).reshape(-1).tolist())
    if value.is_splat:
        splat = value.get_splat_value()
        count = 1
        for size in value.type.shape:
            count *= size
        return [_number(splat)] * count
    element = value.type.element_type
    if isinstance(element, (ir.IntegerType, ir.IndexType)):
        return [int(n) for n in value]
    return [float(n) for n in value]


def _number(attribute: object) -> Any:
    if isinstance(attribute, ir.FloatAttr):
        return float(attribute.value)
    text = str(attribute).partition(" : ")[0]
    return {"true": 1, "false": 0}[text] if text in ("true", "false") else int(text)


def _nested(numbers: list[str], shape: tuple[int, ...]) -> str:
    if len(shape) == 1:
        return "{" + ", ".join(numbers) + "}"
    size = len(numbers) // shape[0]
    return "{" + ", ".join(_nested(numbers[n * size : (n + 1) * size], shape[1:]) for n in range(shape[0])) + "}"
