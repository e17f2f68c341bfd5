"""Calls of functions without a body: operations of streams, prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from allo_air.core.names import function_type_of, sym_name_of
from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp
from allo_air.target.hls.flavors import Flavor
from allo_air.target.hls.function import Function, declaration
from allo_air.target.hls.types import Kind, kind_of
from allo_air.target.hls.values import Array

if TYPE_CHECKING:
    from collections.abc import Callable

    from allo_air.mlir import ir


class UnwrittenError(AlloAirError):
    """Raised for a part of the program that has no C++ form."""


def called(function: Function, op: AnyOp, declared: ir.OpView) -> None:
    """A call of `declared`, which has no body."""
    if "stream" in declared.attributes:
        _stream(function, op, declared)
    elif "prints" in declared.attributes:
        _print(function, op, json.loads(declared.attributes["prints"].value))
    elif "cpp" in declared.attributes:
        _cpp(function, op, sym_name_of(declared))
    else:
        raise UnwrittenError(f"function '{declared.attributes['sym_name'].value}' has no body, and there is no C++ for it")


def _stream(function: Function, op: AnyOp, declared: ir.OpView) -> None:
    """`put`, `get`, `empty` or `full` of a stream; blocks are transferred element by element."""
    name, does = (str(declared.attributes[n].value) for n in ("stream", "does"))
    if does in ("empty", "full"):
        function.define(op.results[0], f"{name}.{does}()", Kind("int", 1, False))
        return
    block = function.array(op.operands[0])
    if "scalar" in declared.attributes:
        _element(function, block.at(["0"] * len(block.shape)), name, does)
        return
    for_each(function, block, lambda indices: _element(function, block.at(indices), name, does))


def _cpp(function: Function, op: AnyOp, name: str) -> None:
    """A call of an external C++ function."""
    arrays = [function.array(v) for v in op.operands]
    function.line(f"{name}({', '.join(a.name for a in arrays)});")


def prototype(op: AnyOp, flavor: Flavor) -> str:
    """The declaration of an external C++ function."""
    signs, inputs = str(op.attributes["itypes"].value), function_type_of(op).inputs
    parameters = []
    for number, (type_, sign) in enumerate(zip(inputs, signs, strict=True)):
        kind = kind_of(type_, sign != "u")
        parameters.append(declaration(f"v{number}", kind, tuple(type_.shape), flavor))
    return f"void {op.attributes['sym_name'].value}({', '.join(parameters)});"


def _element(function: Function, text: str, stream: str, does: str) -> None:
    function.line(f"{stream}.write({text});" if does == "put" else f"{text} = {stream}.read();")


def for_each(function: Function, array: Array, body: Callable[..., object]) -> None:
    """Loops over all elements; `body` gets the subscripts."""
    variables: list[str] = []
    for size in array.shape:
        function.scopes.append(set())
        variables.append(function.fresh())
        head = f"for (int {variables[-1]} = 0; {variables[-1]} < {size}; {variables[-1]}++) {{"
        function.lines.append("  " * (len(function.scopes) - 1) + head)
    body(variables)
    for _ in array.shape:
        function.scopes.pop()
        function.line("}")


_FORMATS = {"int": ("%lld", "long long"), "uint": ("%llu", "unsigned long long"), "float": ("%g", "double")}


def _print(function: Function, op: AnyOp, parts: list[dict[str, Any]]) -> None:
    """`printf` with the output of Python's print; a leading string with % is the format."""
    values = iter(op.operands)
    pairs = [(part, None if "constant" in part else next(values)) for part in parts]
    first = parts[0].get("constant") if parts else None
    if isinstance(first, str) and "%" in first and len(parts) > 1:
        arguments = [_formatted(function, part, value) for part, value in pairs[1:]]
        function.line(f"printf({', '.join([json.dumps(first), *arguments])});")
        return
    for number, (part, value) in enumerate(pairs):
        behind = "\\n" if number == len(pairs) - 1 else " "
        if value is None:
            text = str(part["constant"]).replace("%", "%%")
            function.line(f'printf({json.dumps(text)[:-1]}{behind}");')
        elif "scalar" in part:
            form, type_ = _FORMATS[part["scalar"]]
            function.line(f'printf("{form}{behind}", ({type_}){function.number(value).text});')
        else:
            array = function.array(value)
            form, type_ = _FORMATS["float" if part["tensor"][0] not in ("int", "uint", "index") else "int"]
            for_each(
                function,
                array,
                lambda indices, f=form, t=type_, a=array: function.line(f'printf("{f} ", ({t}){a.at(indices)});'),
            )
            function.line(f'printf("{behind}");')


def _formatted(function: Function, part: Mapping[str, object], value: object) -> str:
    """An argument of a format."""
    if "constant" in part:
        return json.dumps(part["constant"])
    if "scalar" not in part:
        raise AlloAirError("numbers go into a format of print, found a tensor")
    return f"({'double' if part['scalar'] == 'float' else 'int'}){function.number(value).text}"
