"""Compiles functions with untyped parameters: each call's argument types make an instance, and Python values become
constants.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from allo_air.frontend.nodes import describe
from allo_air.frontend.numbers import Number
from allo_air.frontend.operands import as_operand
from allo_air.frontend.source import Source
from allo_air.frontend.state import State
from allo_air.frontend.static import is_static
from allo_air.frontend.types import TensorType
from allo_air.frontend.values import DYNAMIC, Buffer

if TYPE_CHECKING:
    from allo_air.mlir import ir

MOST = 100
"""Largest number of instances of one function in a module. Endless recursion would create ever more."""


def with_types(source: Source, kinds: Mapping[str, TensorType], fixed: Mapping[str, object]) -> Source:
    """The function with types `kinds` for its untyped parameters; those in `fixed` become constants with these values."""
    tree = copy.deepcopy(source.tree)
    names = dict(source.frame_names[0]) if source.node is not None and source.frame_names else {}
    for argument in tree.args.args:
        if argument.annotation is None and argument.arg in kinds:
            name = f"type of {argument.arg}"  # a name with spaces, which no Python program can contain
            names[name] = kinds[argument.arg]
            argument.annotation = ast.copy_location(ast.Name(name, ast.Load()), argument)
    tree.decorator_list, tree.args.defaults = [], []
    tree.args.args = [a for a in tree.args.args if a.arg not in fixed]
    return replace(source, frame_names=({**names, **fixed}, *source.frame_names), node=tree)


def called(state: State, node: ast.Call, source: Source, buffers: Sequence[Buffer]) -> tuple[Source, list[int]]:
    """The instance of a function for a call with the values `buffers`, in parameter order.

    Also returns the positions of those values that the instance has as parameters; the others are constants.
    """
    parameters = source.tree.args.args
    if len(buffers) != len(parameters) or all(p.annotation is not None for p in parameters):
        return source, list(range(len(buffers)))
    kinds: dict[str, Any] = {}
    fixed: dict[str, Any] = {}
    for parameter, value in zip(parameters, buffers, strict=True):
        if parameter.annotation is not None:
            continue
        if _is_of_python(value):
            fixed[parameter.arg] = value
        else:
            kinds[parameter.arg] = _kind(state, node, value)
    instances = state.shared.instances.setdefault(_identity(source), {})
    key = (tuple(kinds.items()), tuple((name, _key(value)) for name, value in fixed.items()))
    if key not in instances:
        if len(instances) == MOST:
            raise state.error(node, f"'{source.name}' is called with more than {MOST} sets of types and numbers")
        instances[key] = with_types(source, kinds, fixed), source, fixed
    return instances[key][0], [n for n, p in enumerate(parameters) if p.arg not in fixed]


def _identity(source: Source) -> Any:
    """A key that is equal for the same function."""
    return source.function if source.node is None else id(source.node)


def _key(value: ir.Value) -> Any:
    """A key of a constant. Unlike the values, the keys of 2 and 2.0 differ."""
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    return (type(value), repr(value)) if isinstance(value, int | float | str | type(None)) else id(value)


def _is_of_python(value: object) -> bool:
    """Whether a value is known at compile time, and so are all elements of a tuple or list."""
    return all(map(_is_of_python, value)) if isinstance(value, tuple | list) else is_static(value)


def _kind(state: State, node: ast.Call, value: object) -> Any:
    """The type of an argument."""
    result = as_operand(value)
    if isinstance(result, Buffer):
        sizes = tuple(... if n == DYNAMIC else n for n in result.shape)
        return TensorType(result.element, sizes) if sizes else result.element
    if isinstance(result, Number):
        return result.type
    raise state.error(
        node, f"{describe(result)} cannot be the argument of a parameter without a type; write the type, or pass its elements"
    )
