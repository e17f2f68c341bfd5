"""Compile-time values: Python objects, and arithmetic on them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any

from allo_air.frontend.arithmetic import FOLDS
from allo_air.frontend.numbers import Number
from allo_air.frontend.state import State
from allo_air.frontend.values import DYNAMIC, Buffer, LoopIndex, Record, StreamValue, Variable

if TYPE_CHECKING:
    from allo_air.frontend.values import Pid

UNKNOWN = object()
"""The result of `evaluate` for values that are known only at run time."""

_OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow",
    ast.LShift: "shl", ast.RShift: "shr", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.MatMult: "matmul",
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip


def operator_name(op: ast.AST) -> str:
    """`add` for `ast.Add`; empty for an unsupported operator."""
    return _OPERATORS.get(type(op), "")


def is_static(value: object) -> bool:
    """Whether a value is a Python object, known at compile time."""
    return not isinstance(value, (Number, Buffer, Variable, LoopIndex, StreamValue, Record))


def static_value(state: State, node: ast.AST) -> Any:
    """The number that an expression has at compile time, or None."""
    result = evaluate(state, node)
    return None if result is UNKNOWN else result


def evaluate(state: State, node: ast.AST) -> Any:
    """The Python object that an expression has at compile time, or UNKNOWN. Emits nothing."""
    result, decisions = value_of(state, node), state.shared.decisions
    return result if decisions is None else decisions.value(state, node, result)


def value_of(state: State, node: ast.AST) -> Any:
    """Like `evaluate`, but the result is not recorded as a decision: no statement depends on it."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            try:
                result = state.find(name)
            except KeyError:
                return UNKNOWN
            return result if is_static(result) else UNKNOWN
        case ast.Attribute(value=ast.Name(id=name), attr="shape") if isinstance(state.variable(name), Buffer):
            shape: tuple[int, ...] = getattr(state.variable(name), "shape", ())
            return UNKNOWN if DYNAMIC in shape else shape
        case ast.Attribute(value=inner, attr=attr):
            return attribute(value_of(state, inner), attr)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            values = [value_of(state, p) for p in parts]
            return UNKNOWN if any(v is UNKNOWN for v in values) else tuple(values)
        case ast.UnaryOp(op=op, operand=inner):
            return _unary(op, value_of(state, inner))
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(operator_name(op), value_of(state, left), value_of(state, right))
        case ast.Subscript(value=inner, slice=index):
            return _subscript(value_of(state, inner), value_of(state, index))
        case ast.Compare(left=left, ops=ops, comparators=others):
            return _compared([value_of(state, n) for n in (left, *others)], ops)
        case ast.BoolOp(op=op, values=parts):
            return _decided(state, isinstance(op, ast.And), parts)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            result = value_of(state, test)
            return UNKNOWN if result is UNKNOWN else value_of(state, body if result else orelse)
        case ast.Call(func=function, args=args, keywords=keywords):
            callee = value_of(state, function)
            if getattr(callee, "kernel_hook", "") == "get_pid" and "get_pid" in state.hooks:
                return state.hooks["get_pid"](state, node, None)
            arguments = [_fields(state, a) if isinstance(a, ast.Dict) else value_of(state, a) for a in args]
            return _call(callee, arguments, {k.arg or "": value_of(state, k.value) for k in keywords})
    return UNKNOWN


def _fields(state: State, node: ast.Dict) -> Any:
    """`{"x": int32}` as an argument. Elsewhere, braces build a value of a struct."""
    names = [UNKNOWN if key is None else value_of(state, key) for key in node.keys]
    values = [value_of(state, value) for value in node.values]
    return UNKNOWN if UNKNOWN in (*names, *values) else dict(zip(names, values, strict=True))


def attribute(owner: object, name: str) -> Any:
    """`owner.name`; for our own package, the kernel operation of that name."""
    if owner is UNKNOWN:
        return UNKNOWN
    if isinstance(owner, ModuleType) and owner.__name__ == "allo_air":
        from allo_air.frontend import dsl

        if hasattr(dsl, name):
            return getattr(dsl, name)
    return getattr(owner, name, UNKNOWN)


def _unary(op: ast.AST, value: object) -> Any:
    if not isinstance(value, (int, float)):
        return UNKNOWN
    if isinstance(op, ast.USub):
        return -value
    if isinstance(op, ast.Not):
        return not value
    if isinstance(op, ast.Invert):
        return ~value if isinstance(value, int) else UNKNOWN
    return value


def _binary(name: str, left: object, right: object) -> Any:
    if left is UNKNOWN or right is UNKNOWN or not name:
        return UNKNOWN
    if name == "matmul":
        return left @ right if hasattr(left, "__matmul__") else UNKNOWN
    if not all(isinstance(v, (int, float)) or hasattr(v, "__index__") for v in (left, right)):
        return left == right if name == "eq" else left != right if name == "ne" else UNKNOWN
    try:
        return FOLDS[name](left, right)
    except ZeroDivisionError:
        return UNKNOWN


def _compared(values: list[Pid | int | tuple[int, ...]], ops: list[ast.cmpop]) -> Any:
    """Evaluates `a < b <= c`, `a in (b, c)`, `a is None` for compile-time values."""
    results = []
    for (left, right), op in zip(pairwise(values), ops, strict=True):
        if isinstance(op, (ast.In, ast.NotIn)):
            results.append(_contains(left, right, isinstance(op, ast.In)))
        elif isinstance(op, (ast.Is, ast.IsNot)):
            none = left is None or right is None
            same = left is right if none or UNKNOWN not in (left, right) else UNKNOWN
            results.append(same if same is UNKNOWN else same == isinstance(op, ast.Is))
        else:
            results.append(_binary(operator_name(op), left, right))
    if False in [r for r in results if r is not UNKNOWN]:
        return False
    return UNKNOWN if any(r is UNKNOWN for r in results) else results[0] if len(results) == 1 else all(results)


def _contains(left: object, right: object, expected: bool) -> Any:
    if left is UNKNOWN or not isinstance(right, (tuple, list, set, frozenset, dict, range, str)):
        return UNKNOWN
    return (left in right) == expected


def _decided(state: State, is_and: bool, parts: list[ast.expr]) -> Any:
    """Evaluates `and` and `or` at compile time. Like in Python, the right side is evaluated only if it matters."""
    value: Any = UNKNOWN
    for part in parts:
        value = value_of(state, part)
        if value is UNKNOWN or bool(value) != is_and:
            return value
    return value


def _subscript(owner: Any, index: object) -> Any:
    if owner is UNKNOWN or index is UNKNOWN:
        return UNKNOWN
    try:
        return owner[index]
    except (TypeError, KeyError, IndexError):
        return UNKNOWN


_PURE = (len, min, max, abs, int, float, round, sum, pow, bool, range, tuple, list)
_ITERATORS = (enumerate, zip, reversed)


def _call(function: Any, args: Sequence[Pid | float], named: dict[str, Any]) -> Any:
    if function is UNKNOWN or any(a is UNKNOWN for a in (*args, *named.values())):
        return UNKNOWN
    if "" in named or (named and not _makes_type(function)):
        return UNKNOWN
    pure = (
        function in (*_PURE, *_ITERATORS) or getattr(function, "__module__", "") in ("math", "numpy") or _makes_type(function)
    )
    if not pure:
        return UNKNOWN
    try:
        return tuple(function(*args)) if function in _ITERATORS else function(*args, **named)
    except (TypeError, ValueError):
        return UNKNOWN


def _makes_type(function: object) -> bool:
    return getattr(function, "__module__", "") in ("allo_air.frontend.types", "allo_air.frontend.memory")
