"""Compiles `with allo.meta_if(...)`, `meta_elif`, `meta_else` and `meta_for`, which are evaluated at compile time."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from allo_air.frontend import dsl
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, evaluate
from allo_air.frontend.values import KnownInt


def meta(state: State, node: ast.With, body: Callable[[], None]) -> None:
    """Compiles a `with` statement of meta functions. `body` compiles its statements. Several items are nested, the first one
    outermost.
    """
    for item in reversed(node.items[1:]):
        body = partial(_item, state, node, item, body)
    _item(state, node, node.items[0], body)


def _item(state: State, node: ast.With, item: ast.withitem, body: Callable[[], None]) -> None:
    call = item.context_expr
    if not isinstance(call, ast.Call):
        raise state.error(node, "'with' takes allo.meta_if, meta_elif, meta_else or meta_for")
    function = evaluate(state, call.func)
    arguments = [evaluate(state, a) for a in call.args]
    if any(a is UNKNOWN for a in arguments):
        unknown = call.args[next(i for i, a in enumerate(arguments) if a is UNKNOWN)]
        raise state.error(unknown, f"'{ast.unparse(unknown)}' must be known when the kernel is compiled")
    if function is dsl.meta_for:
        _repeat(state, node, item, arguments, body)
    elif function is dsl.meta_if:
        state.branch_taken = _branch(bool(arguments[0]), body)
    elif function in (dsl.meta_elif, dsl.meta_else):
        if state.branch_taken is None:
            raise state.error(node, f"'{function.__name__}' must directly follow 'meta_if' or 'meta_elif'")
        is_taken = not state.branch_taken and (function is dsl.meta_else or bool(arguments[0]))
        state.branch_taken = _branch(is_taken, body) or state.branch_taken
    else:
        raise state.error(node, "'with' takes allo.meta_if, meta_elif, meta_else or meta_for")


def _branch(is_taken: bool, body: Callable[[], None]) -> bool:
    if is_taken:
        body()
    return is_taken


def _repeat(state: State, node: ast.With, item: ast.withitem, bounds: list[int], body: Callable[[], None]) -> None:
    variable = item.optional_vars
    if variable is not None and not isinstance(variable, ast.Name):
        raise state.error(node, "a meta_for has one variable")
    for number in range(*bounds):
        with state.scope() as names:
            if variable is not None:
                names[variable.id] = KnownInt(number)
            body()
