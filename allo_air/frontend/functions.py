"""Compiles a Python function to a function of the MLIR module."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import root_of
from allo_air.errors import counted
from allo_air.frontend import tensors
from allo_air.frontend.aliases import alias_or_copy
from allo_air.frontend.annotations import Declared, declared
from allo_air.frontend.arithmetic import emit
from allo_air.frontend.assignments import new_variable, set_variable
from allo_air.frontend.exits import single_exit
from allo_air.frontend.memory import Memory
from allo_air.frontend.nodes import describe
from allo_air.frontend.numbers import Number, mlir_type
from allo_air.frontend.operands import as_operand
from allo_air.frontend.places import scalar_place
from allo_air.frontend.source import Source
from allo_air.frontend.state import Module, State
from allo_air.frontend.statements import statements
from allo_air.frontend.types import StructArrayType, StructType
from allo_air.frontend.values import DYNAMIC, Buffer, Variable, allocate, memref_type
from allo_air.mlir import AnyOp, func, ir

if TYPE_CHECKING:
    from allo_air.frontend.types import ScalarType


@dataclass(frozen=True)
class Compiled:
    """A compiled function, with the types of its parameters and results, including their signs."""

    op: Any
    name: str
    parameters: tuple[Declared, ...]
    results: tuple[Declared, ...]
    names: tuple[str, ...]
    parts: tuple[int | None, ...] = ()
    """For each result, the number of the parameter that it aliases."""


def type_of(kind: Declared) -> Any:
    """The type of a parameter or result in MLIR."""
    return mlir_type(kind.element) if kind.shape is None else memref_type(kind.element, kind.shape)


def compile_function(
    shared: Module, source: Source, template: tuple[ScalarType | int | str, ...] = (), layouts: tuple[object, ...] = ()
) -> Compiled:
    """Compiles the function into the module: each instance of a template once, and once for each memory layout of its tensors.

    `layouts` has the memref type of each parameter that is a part of a tensor, and None for the others.
    """
    key = (id(source.tree) if source.node is not None else source.function, template, layouts)
    if key in shared.functions:
        compiled = shared.functions[key]
        if compiled is None:
            raise source.error(source.tree, f"'{source.name}' calls itself")
        return compiled
    shared.functions[key] = None
    values, instance = _template(source, template)
    inferred = source.tree.returns is None
    name = f"{source.name}_{instance}" if instance else source.name
    state = State(shared, source, shared.unique(name), [values])
    parameters = _parameters(state)
    result = _build(state, parameters, None if inferred else _results(state), layouts)
    shared.functions[key] = result
    shared.origins[result.name] = ((source.file, source.tree.lineno, source.name), template)
    return result


def _template(source: Source, values: tuple[ScalarType | int | str, ...]) -> tuple[dict[str, Any], str]:
    """The names of `def f[Ty, M](...)`, in order, and the instance's name: `f[int32, 4, "name"]`."""
    names = source.template_names
    instance = ""
    if len(values) == len(names) + 1 and isinstance(values[-1], str):
        *values, instance = values  # type: ignore[assignment]
    if values and len(names) < len(values):
        raise source.error(
            source.tree, f"'{source.name}' takes {counted(len(names), 'parameter')} in brackets, found {len(values)}"
        )
    return dict(zip(names, values, strict=False)), instance


def _parameters(state: State) -> dict[str, Declared]:
    parameters: dict[str, Declared] = {}
    arguments = state.source.tree.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        raise state.error(
            state.source.tree,
            f"'{state.source.name}' has *args, **kwargs or keyword-only parameters; declare positional parameters with types",
        )
    for argument in arguments.args:
        if argument.annotation is None:
            raise state.error(
                argument, f"parameter '{argument.arg}' of '{state.source.name}' has no type; write {argument.arg}: int32[4, 4]"
            )
        kind = declared(state, argument.annotation)
        if not isinstance(kind, Declared):
            instead = (
                "; use one parameter for each field of the struct" if isinstance(kind, (StructType, StructArrayType)) else ""
            )
            raise state.error(argument, f"parameter '{argument.arg}' cannot be {ast.unparse(argument.annotation)}{instead}")
        parameters[argument.arg] = kind
    return parameters


def _results(state: State) -> tuple[Declared, ...]:
    node = state.source.tree.returns
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return ()
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = ast.copy_location(ast.parse(node.value, mode="eval").body, node)
    if isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] in ("tuple", "Tuple"):
        node = node.slice
    nodes = node.elts if isinstance(node, ast.Tuple) else [node]
    results = [declared(state, n) for n in nodes]
    for result, result_node in zip(results, nodes, strict=True):
        if isinstance(result, Declared) and DYNAMIC in (result.shape or ()):
            raise state.error(
                result_node, "sizes of results must be known when the kernel is compiled; write to a parameter instead"
            )
    return tuple(f for f in results if isinstance(f, Declared))


def _build(
    state: State, parameters: dict[str, Declared], results: tuple[Declared, ...] | None, layouts: tuple[object, ...]
) -> Compiled:
    tree = state.source.tree
    with ir.InsertionPoint(_module_body()), state.at(tree):
        types = [type_of(p) for p in parameters.values()]
        for number, layout in enumerate(layouts):
            types[number] = types[number] if layout is None else layout
        op = func.FuncOp(state.symbol, ir.FunctionType.get(types, []))
        op.attributes["itypes"] = ir.StringAttr.get("".join("s" if p.element.signed else "u" for p in parameters.values()))
        op.attributes["arg_names"] = ir.ArrayAttr.get([ir.StringAttr.get(name) for name in parameters])
        block = op.add_entry_block()
    state.body = block
    with ir.InsertionPoint(block), state.at(tree):
        for (name, declared_), argument in zip(parameters.items(), block.arguments, strict=True):
            state.names[0][name] = _parameter(state, name, declared_, argument)
        if state.shared.rebinds:
            for parameter in tree.args.args:
                if isinstance(value := state.names[0][parameter.arg], Buffer):
                    state.names[0][parameter.arg] = alias_or_copy(state, parameter, value)
        state.results = results
        statements(state, single_exit(state.source, tree.body))
        returned = state.returned or ()
        if results is None:
            results = tuple(_result_type(state, r) for r in returned)
        if len(returned) != len(results):
            last = tree.body[-1]
            raise state.error(
                last, f"'{state.source.name}' returns {counted(len(returned), 'value')}, its annotation has {len(results)}"
            )
        new_values = [_result(state, r, v) for r, v in zip(results, returned, strict=True)]
        func.ReturnOp([m.value for m in new_values])
    _mark_fixed(op, "fixed", tuple(parameters.values()))
    for number, kind in enumerate(parameters.values()):
        if isinstance(kind.mark, Memory):
            op.attributes[f"memory.{number}"] = ir.StringAttr.get(kind.mark.storage)
    _mark_fixed(op, "fixed_result", results)
    op.attributes["otypes"] = ir.StringAttr.get("".join("s" if r.element.signed else "u" for r in results))
    op.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, [type_of(r) for r in results]))
    arguments = list(block.arguments)
    origins = [m.origin if isinstance(m, Buffer) else m.value for m in new_values]
    parts = tuple(arguments.index(o) if o in arguments else None for o in origins)
    return Compiled(op, state.symbol, tuple(parameters.values()), results, tuple(parameters), parts)


def _module_body() -> ir.Block:
    return root_of(ir.InsertionPoint.current.block.owner).opview.body


def _parameter(state: State, name: str, kind: Declared, argument: ir.Value) -> Any:
    if kind.shape is not None:
        return Buffer(argument, kind.element)
    if not _is_set(state.source.tree, name):
        return Number(argument, kind.element)
    variable: Variable = new_variable(state, kind.element, name)
    set_variable(variable, Number(argument, kind.element))
    return variable


def _is_set(tree: ast.FunctionDef, name: str) -> bool:
    """Whether the function assigns to this scalar parameter."""
    return any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(tree)) or any(
        isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store) and isinstance(n.value, ast.Name) and n.value.id == name
        for n in ast.walk(tree)
    )


def _mark_fixed(op: AnyOp, name: str, kinds: tuple[Declared, ...]) -> None:
    """Records the fractional bits of fixed-point parameters or results in an attribute, since MLIR's types do not have them."""
    for number, kind in enumerate(kinds):
        if kind.element.fixed:
            op.attributes[f"{name}.{number}"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), kind.element.fracs)


def _result_type(state: State, value: Buffer) -> Declared:
    """The type of a returned value of a function without a return annotation."""
    result = as_operand(value)
    if isinstance(result, Buffer):
        return Declared(result.element, result.shape or None)
    if isinstance(result, Number):
        return Declared(result.type)
    raise state.error(
        state.source.tree.body[-1], f"returns {describe(result)}; annotate the type of the result, as in -> int32"
    )


def _result(state: State, kind: Declared, result: Number | Buffer) -> Any:
    result = as_operand(result)
    last = state.source.tree.body[-1]
    if kind.shape is None:
        if isinstance(result, Buffer) and result.shape == ():
            result = scalar_place(result).load()
        if not isinstance(result, (Number, int, float)):
            raise state.error(last, f"must return {kind}, found {describe(result)}")
        return emit(result, kind.element)
    if not isinstance(result, Buffer) or result.shape != kind.shape:
        raise state.error(last, f"must return {kind}, found {describe(result)}")
    if result.element == kind.element and result.value.type == type_of(kind):
        return result
    copied = allocate(kind.element, kind.shape)
    tensors.copy(result, copied)
    return copied
