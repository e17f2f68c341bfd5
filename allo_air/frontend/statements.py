"""Compiles statements."""

from __future__ import annotations

import ast
from typing import Any

from allo_air.frontend.assignments import assign, augment
from allo_air.frontend.calls import Nested
from allo_air.frontend.declarations import declare
from allo_air.frontend.errors import KernelError
from allo_air.frontend.loops import for_loop, while_loop
from allo_air.frontend.meta import meta
from allo_air.frontend.nodes import condition, expression
from allo_air.frontend.source import Source
from allo_air.frontend.state import State
from allo_air.frontend.static import known
from allo_air.mlir import ir, scf


def statements(state: State, nodes: list[ast.stmt]) -> None:
    """Statements in order."""
    for node in nodes:
        if state.returned is not None:
            raise state.error(node, "statements behind a return")
        try:
            with state.at(node):
                statement(state, node)
        except KernelError as error:
            raise error if error.line else state.error(node, error.message) from None
        except ir.MLIRError as error:
            raise state.error(node, f"MLIR refuses this: {error}") from None


def statement(state: State, node: ast.stmt) -> None:
    """One statement."""
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
            for_loop(state, node, lambda: statements(state, node.body))
        case ast.While():
            while_loop(state, node, lambda: statements(state, node.body))
        case ast.If():
            branch(state, node)
        case ast.With():
            meta(state, node, lambda: statements(state, node.body))
        case ast.Return():
            leave(state, node)
        case ast.FunctionDef(name=name):
            state.names[-1][name] = Nested(
                Source(state.source.function, (_known_names(state), *state.source.frame_names), node)
            )
        case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal():
            raise state.error(node, f"'{type(node).__name__.lower()}' is not part of the language of kernels")
        case ast.Break() | ast.Continue():
            word = type(node).__name__.lower()
            instead = "a while loop whose condition says when to end" if word == "break" else "an if around what is left out"
            raise state.error(node, f"'{word}' is not part of the language of kernels; write {instead}")
        case _:
            raise state.error(node, f"{type(node).__name__} is not part of the language of kernels")


def _known_names(state: State) -> dict[str, Any]:
    return {name: value for names in state.names for name, value in names.items() if known(value)}


def branch(state: State, node: ast.If) -> None:
    """`if`; a condition that is known now leaves one branch."""
    decided = condition(state, node.test)
    if isinstance(decided, bool):
        statements(state, node.body if decided else node.orelse)
        return
    made = scf.IfOp(decided.value, has_else=bool(node.orelse))
    for block, body in ((made.then_block, node.body), (made.else_block if node.orelse else None, node.orelse)):
        if block is None:
            continue
        with ir.InsertionPoint(block), state.scope():
            statements(state, body)
            if state.returned is not None:
                raise state.error(body[-1], "a return inside of a branch; set a variable and return it at the end")
            scf.YieldOp([])


def leave(state: State, node: ast.Return) -> None:
    """`return`."""
    if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
        state.returned = ()
        return
    nodes = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    state.returned = tuple(expression(state, n) for n in nodes)
