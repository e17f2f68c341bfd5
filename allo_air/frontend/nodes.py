"""Compiles expressions of the syntax tree: each kind of node by its registered rule."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from allo_air.frontend.arithmetic import Scalar
from allo_air.frontend.errors import KernelError
from allo_air.frontend.numbers import Number, truth
from allo_air.frontend.places import scalar_place
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, evaluate
from allo_air.frontend.values import Buffer, Record, StreamValue, shape_text
from allo_air.mlir import ir

Rule = Callable[[State, Any, "Buffer | None"], Any]
"""The state, the node, and a buffer that a tensor may be put into, to the node's value."""

_RULES: dict[type[ast.AST], Rule] = {}


def compiles(*kinds: type[ast.AST]) -> Callable[[Rule], Rule]:
    """Registers a function as the rule for kinds of nodes."""

    def register(rule: Rule) -> Rule:
        _RULES.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def expression(state: State, node: ast.AST, target: Buffer | None = None) -> Any:
    """The value of an expression: a Python object, a number, a buffer; a tensor may be written to `target`."""
    found = evaluate(state, node)
    if found is not UNKNOWN:
        return found
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
    """An expression that must be a number."""
    return as_scalar(state, node, expression(state, node))


def as_scalar(state: State, node: ast.AST, found: object) -> Scalar:
    """The value of an expression, which must be a number."""
    if isinstance(found, Buffer) and found.shape == ():
        return scalar_place(found).load()
    if isinstance(found, (Number, int, float)):
        return found
    if hasattr(found, "item") and getattr(found, "ndim", 0) == 0:
        return found.item()
    raise state.error(node, f"a number is wanted here, found {describe(found)}")


def describe(found: object) -> str:
    """A description of a value for messages."""
    if isinstance(found, Buffer):
        return f"a tensor {found.element}{shape_text(found.shape)}"
    if isinstance(found, Record):
        return f"a struct with {', '.join(found.fields)}"
    if isinstance(found, StreamValue):
        return f"stream '{found.symbol}'"
    if isinstance(found, Number):
        return f"a number {found.type}"
    if isinstance(found, tuple):
        return f"{len(found)} values: {', '.join(map(describe, found))}"
    return f"{type(found).__name__} {found!r}"


def condition(state: State, node: ast.AST) -> Number | bool:
    """An expression as a truth value."""
    found = scalar(state, node)
    return truth(found) if isinstance(found, Number) else bool(found)
