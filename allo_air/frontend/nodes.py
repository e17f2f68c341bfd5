"""Compiles expressions of Python's syntax tree, by a rule that is registered for each kind of node."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from allo_air.errors import counted
from allo_air.frontend.arithmetic import Scalar
from allo_air.frontend.errors import KernelError
from allo_air.frontend.numbers import Number, truth
from allo_air.frontend.places import scalar_place
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, evaluate
from allo_air.frontend.values import Buffer, Record, StreamValue, shape_text
from allo_air.mlir import ir

Rule = Callable[[State, Any, "Buffer | None"], Any]
"""A rule maps the state, the node, and a buffer for a tensor result (or None) to the node's value."""

_RULES: dict[type[ast.AST], Rule] = {}


def compiles(*kinds: type[ast.AST]) -> Callable[[Rule], Rule]:
    """Registers a function as the rule for kinds of nodes."""

    def register(rule: Rule) -> Rule:
        _RULES.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def expression(state: State, node: ast.AST, target: Buffer | None = None) -> Any:
    """The value of an expression: a Python object, a number, a buffer; a tensor may be written to `target`."""
    result = evaluate(state, node)
    if result is not UNKNOWN:
        return result
    try:
        with state.at(node):
            rule = _RULES.get(type(node))
            if rule is None:
                raise state.error(node, f"{type(node).__name__} is not part of the language of kernels")
            return rule(state, node, target)
    except KernelError as error:
        raise error if error.line else state.error(node, error.message) from None
    except ir.MLIRError as error:
        raise state.error(node, f"MLIR refuses this: {error}") from None


def scalar(state: State, node: ast.AST) -> Scalar:
    """The value of an expression, which must be a number."""
    return as_scalar(state, node, expression(state, node))


def as_scalar(state: State, node: ast.AST, item: object) -> Scalar:
    """`item` as a number; raises an error if it is not one."""
    if isinstance(item, Buffer) and item.shape == ():
        return scalar_place(item).load()
    if isinstance(item, (Number, int, float)):
        return item
    if hasattr(item, "item") and getattr(item, "ndim", 0) == 0:
        return item.item()
    raise state.error(node, f"expected a number, found {describe(item)}")


def describe(item: object) -> str:
    """A description of a value for messages."""
    if isinstance(item, Buffer):
        return f"a tensor {item.element}{shape_text(item.shape)}"
    if isinstance(item, Record):
        return f"a struct with {', '.join(item.fields)}"
    if isinstance(item, StreamValue):
        return f"stream '{item.symbol}'"
    if isinstance(item, Number):
        return f"a number {item.type}"
    if isinstance(item, tuple):
        return f"{counted(len(item), 'value')}: {', '.join(map(describe, item))}"
    return f"{type(item).__name__} {item!r}"


def condition(state: State, node: ast.AST) -> Number | bool:
    """The value of an expression as a truth value."""
    result = scalar(state, node)
    return truth(result) if isinstance(result, Number) else bool(result)
