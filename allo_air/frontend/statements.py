"""Compiles statements."""

from __future__ import annotations

import ast
from typing import Any

from allo_air.errors import counted
from allo_air.frontend import tensors
from allo_air.frontend.assignments import assign, augment, fill_from, new_variable, set_variable
from allo_air.frontend.calls import Nested
from allo_air.frontend.declarations import declare
from allo_air.frontend.errors import KernelError
from allo_air.frontend.jumps import remove_jumps
from allo_air.frontend.loops import for_loop, while_loop
from allo_air.frontend.meta import meta
from allo_air.frontend.nodes import condition, describe, expression
from allo_air.frontend.numbers import Number, natural
from allo_air.frontend.operands import as_operand
from allo_air.frontend.source import Source
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, evaluate, is_static
from allo_air.frontend.values import DYNAMIC, Buffer, Variable, allocate
from allo_air.mlir import ir, memref, scf


def statements(state: State, nodes: list[ast.stmt]) -> None:
    """Compiles statements in order."""
    for node in nodes:
        if state.returned is not None:
            raise state.error(node, "statements after a return are never run; remove them")
        try:
            with state.at(node):
                statement(state, node)
        except KernelError as error:
            raise error if error.line else state.error(node, error.message) from None
        except ir.MLIRError as error:
            raise state.error(node, f"MLIR refuses this: {error}") from None


def statement(state: State, node: ast.stmt) -> None:
    """Compiles one statement."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Pass():
            return
        case ast.Expr(value=value):
            expression(state, value)
        case ast.Assign(targets=[target], value=value):
            assign(state, target, value)
        case ast.Assign(targets=[*others, ast.Name() as first], value=value):
            assign(state, first, value)
            for target in others:
                assign(state, target, ast.copy_location(ast.Name(first.id, ast.Load()), first))
        case ast.AnnAssign():
            declare(state, node)
        case ast.AugAssign():
            augment(state, node)
        case ast.For():
            loop = remove_jumps(state, node)
            for_loop(state, loop, lambda: statements(state, loop.body))
        case ast.While():
            repeated = remove_jumps(state, node)
            while_loop(state, repeated, lambda: statements(state, repeated.body))
        case ast.If():
            branch(state, node)
        case ast.With():
            meta(state, node, lambda: statements(state, node.body))
        case ast.Return():
            return_statement(state, node)
        case ast.FunctionDef(name=name):
            state.names[-1][name] = Nested(
                Source(state.source.function, (_known_names(state), *state.source.frame_names), node)
            )
        case ast.Assert():
            _check_assertion(state, node)
        case ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal():
            raise state.error(node, f"'{type(node).__name__.lower()}' is not part of the language of kernels")
        case _:
            raise state.error(node, f"{type(node).__name__} is not part of the language of kernels")


def _known_names(state: State) -> dict[str, Any]:
    return {name: value for names in state.names for name, value in names.items() if is_static(value)}


def _check_assertion(state: State, node: ast.Assert) -> None:
    """Checks an `assert` about compile-time values."""
    result = evaluate(state, node.test)
    if result is UNKNOWN:
        raise state.error(
            node, f"the condition of assert must be known when the kernel is compiled; {ast.unparse(node.test)} is not"
        )
    if not result:
        message = evaluate(state, node.msg) if node.msg is not None else UNKNOWN
        raise state.error(node, f"{ast.unparse(node.test)} does not hold{'' if message is UNKNOWN else f': {message}'}")


def branch(state: State, node: ast.If) -> None:
    """Compiles `if`. A compile-time condition selects one branch."""
    decided = condition(state, node.test)
    if isinstance(decided, bool):
        statements(state, node.body if decided else node.orelse)
        return
    op = scf.IfOp(decided.value, has_else=bool(node.orelse))
    slots = None
    values = []
    for block, body in ((op.then_block, node.body), (op.else_block if node.orelse else None, node.orelse)):
        if block is None:
            continue
        with ir.InsertionPoint(block), state.scope() as names:
            values.append((block, names))
            statements(state, body)
            if state.returned is not None:
                slots = _merge_returns(state, body[-1], slots)
            scf.YieldOp([])
    if len(values) == 2:
        _joined(state, *values)
    if slots is not None:
        loaded = (Number(memref.load(s.value, []), s.type) if isinstance(s, Variable) else s for s in slots)
        state.returned = tuple(loaded)


def _joined(state: State, first: tuple[Any, dict[str, Any]], second: tuple[Any, dict[str, Any]]) -> None:
    """Gives each name that both branches bind first, as tensors of one type and shape, the value of the executed branch."""
    for name in first[1].keys() & second[1].keys():
        values = first[1][name], second[1][name]
        if not all(isinstance(v, Buffer) for v in values):
            continue
        if len({(v.element, v.shape) for v in values}) > 1 or DYNAMIC in values[0].shape:
            state.ended[name] = f"it is {describe(values[0])} in one branch, {describe(values[1])} in the other"
            continue
        with ir.InsertionPoint.at_block_begin(state.body):
            slot = allocate(values[0].element, values[0].shape, name)
        for (block, _), value in zip((first, second), values, strict=True):
            with ir.InsertionPoint.at_block_terminator(block):
                tensors.copy(value, slot)
        state.names[-1][name] = slot


def _merge_returns(state: State, node: ast.stmt, slots: tuple[Any, ...] | None) -> tuple[Any, ...]:
    """Makes both branches write their returned value to the same buffer, which the function returns."""
    results = tuple(as_operand(value) for value in state.returned)
    state.returned = None
    if slots is None:
        kinds = state.results or [None] * len(results)
        slots = tuple(_slot(state, value, kind) for value, kind in zip(results, kinds, strict=False))
    if len(slots) != len(results):
        raise state.error(node, f"this returns {counted(len(results), 'value')}, another return {len(slots)}; make them equal")
    for slot, value in zip(slots, results, strict=True):
        if isinstance(slot, Variable) and isinstance(value, Buffer):
            raise state.error(node, "a tensor is returned here, a number elsewhere; return the same kind in each branch")
        if isinstance(slot, Variable):
            set_variable(slot, value)
        else:
            fill_from(state, node, slot, value)
    return slots


def _slot(state: State, value: ir.Value, kind: Any) -> Buffer | Variable:
    if isinstance(value, Buffer) and value.shape:
        with ir.InsertionPoint.at_block_begin(state.body):
            return allocate(kind.element if kind is not None else value.element, value.shape)
    natural_type = value.element if isinstance(value, Buffer) else value.type if isinstance(value, Number) else natural(value)
    return new_variable(state, kind.element if kind is not None else natural_type, "returned")


def return_statement(state: State, node: ast.Return) -> None:
    """Compiles `return`."""
    if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
        state.returned = ()
        return
    nodes = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    state.returned = tuple(expression(state, n) for n in nodes)
