"""Compiles expressions of kernels."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import Any

from allo_air.frontend import indexing, library, records, tensors
from allo_air.frontend.arithmetic import apply, emit, type_of
from allo_air.frontend.errors import KernelError
from allo_air.frontend.nodes import compiles, condition, describe, expression, scalar
from allo_air.frontend.numbers import BOOL, WORD, Number, binary, cast, constant, mlir_type, negate, select, truth
from allo_air.frontend.operands import as_operand, can_write_to, tensor_binary
from allo_air.frontend.places import scalar_place
from allo_air.frontend.rules import common
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, attribute, operator_name
from allo_air.frontend.types import index as index_type
from allo_air.frontend.values import Buffer, LoopIndex, Record, StreamValue, Variable
from allo_air.mlir import arith, ir, memref, scf


@compiles(ast.BinOp)
def _binary_operation(state: State, node: ast.BinOp, target: Buffer | None) -> Any:
    left, right = as_operand(expression(state, node.left)), as_operand(expression(state, node.right))
    name = operator_name(node.op)
    if name == "matmul":
        return library.matmul(state, [left, right], target)
    for side in (left, right):
        if not isinstance(side, (Buffer, Number, int, float)):
            raise state.error(node, f"arithmetic on {describe(side)}")
    if not name:
        raise state.error(node, "this operator is not part of the language of kernels")
    if isinstance(left, Buffer) or isinstance(right, Buffer):
        return tensor_binary(state, name, left, right, target)
    if state.rules == "cpp-style" and name in ("add", "sub", "mul"):
        left, right = _widened_for_literal(left, right), _widened_for_literal(right, left)
    return apply(name, left, right, state.rules)


def _widened_for_literal(number: ir.Value, partner: object) -> Any:
    """A number in at least 32 bits, the size of C's integer literals, if `partner` is a literal."""
    literal = isinstance(partner, int) and not isinstance(partner, bool)
    if literal and isinstance(number, Number) and number.type.integral and number.type.bits < WORD.bits and number.type != BOOL:
        return cast(number, WORD)
    return number


@compiles(ast.Name)
def _name(state: State, node: ast.Name, target: Buffer | None) -> Any:
    try:
        name = state.find(node.id)
    except KeyError:
        raise state.error(node, f"name '{node.id}' is not defined{state.offered(node.id)}") from None
    if isinstance(name, Variable):
        return Number(memref.load(name.value, []), name.type)
    if isinstance(name, LoopIndex):
        return Number(name.value, index_type)
    return name


@compiles(ast.UnaryOp)
def _unary(state: State, node: ast.UnaryOp, target: Buffer | None) -> Any:
    op, inner = node.op, as_operand(expression(state, node.operand))
    if isinstance(op, ast.UAdd):
        return inner
    if isinstance(inner, Buffer):
        compute = _UNARY[type(op)]
        usable = target if target is not None and can_write_to([inner], target) else None
        return tensors.elementwise([inner], lambda x: compute(x[0]), inner.element, usable)
    if not isinstance(inner, Number):
        raise state.error(node, f"arithmetic on {describe(inner)}")
    if isinstance(op, ast.USub):
        return negate(inner)
    return _invert(truth(inner)) if isinstance(op, ast.Not) else _invert(inner)


def _invert(number: Number) -> Number:
    return binary("xor", number, constant(-1, number.type))


_UNARY: dict[type[ast.AST], Any] = {ast.USub: negate, ast.Not: lambda x: _invert(truth(x)), ast.Invert: _invert}


@compiles(ast.Compare)
def _compare(state: State, node: ast.Compare, target: Buffer | None) -> Any:
    values = [as_operand(expression(state, n)) for n in (node.left, *node.comparators)]
    results: list[Any] = []
    for right, op, (a, b) in zip(node.comparators, node.ops, pairwise(values), strict=True):
        name = operator_name(op)
        if isinstance(op, (ast.In, ast.NotIn)) and isinstance(a, (Number, int, float)) and isinstance(b, tuple):
            results.append(_is_one_of(state, a, b, isinstance(op, ast.In)))
            continue
        if not name:
            raise state.error(right, "this comparison is not part of the language of kernels")
        if isinstance(a, Buffer) or isinstance(b, Buffer):
            results.append(tensor_binary(state, name, a, b, None))
        else:
            results.append(apply(name, a, b, state.rules))
    if len(results) == 1:
        return results[0]
    return _all(results)


def _is_one_of(state: State, number: Any, choices: tuple[Any, ...], is_in: bool) -> Any:
    """`x in (0, 7)`, `x not in {1, 2}`."""
    result = constant(False, BOOL)
    for choice in choices:
        result = binary("or", result, emit(apply("eq", number, choice, state.rules), BOOL))
    return result if is_in else _invert(result)


def _all(results: list[Any]) -> Any:
    match = emit(results[0], BOOL)
    for result in results[1:]:
        match = binary("and", match, emit(result, BOOL))
    return match


@compiles(ast.BoolOp)
def _bool_operation(state: State, node: ast.BoolOp, target: Buffer | None) -> Any:
    return _bool(state, node.op, node.values)


def _bool(state: State, op: ast.AST, values: list[ast.expr]) -> Any:
    """`and`, `or`. The right side is evaluated only if it matters, since the left side may guard a subscript."""
    first, rest = condition(state, values[0]), values[1:]
    if not rest:
        return first
    is_and = isinstance(op, ast.And)
    if isinstance(first, bool):
        return first if first != is_and else _bool(state, op, rest)
    result = scf.IfOp(first.value, [ir.IntegerType.get_signless(1)], has_else=True)
    decided, undecided = (result.else_block, result.then_block) if is_and else (result.then_block, result.else_block)
    with ir.InsertionPoint(decided):
        scf.YieldOp([constant(not is_and, BOOL).value])
    with ir.InsertionPoint(undecided):
        scf.YieldOp([emit(_bool(state, op, rest), BOOL).value])
    return Number(result.results[0], BOOL)


@compiles(ast.IfExp)
def _choice(state: State, node: ast.IfExp, target: Buffer | None) -> Any:
    decided = condition(state, node.test)
    if isinstance(decided, bool):
        return expression(state, node.body if decided else node.orelse)
    a, b = scalar(state, node.body), scalar(state, node.orelse)
    kind = common(type_of(a, type_of(b)), type_of(b, type_of(a)))
    return select(decided, emit(a, kind), emit(b, kind))


@compiles(ast.Subscript)
def _subscript(state: State, node: ast.Subscript, target: Buffer | None) -> Any:
    owner, subscript = as_operand(expression(state, node.value)), node.slice
    if isinstance(owner, Record):
        result = records.field(state, owner, subscript)
        return result if isinstance(result, Record) else records.loaded(result)
    if isinstance(owner, Buffer):
        if owner.shape == ():
            return indexing.bits(state, scalar_place(owner).load(), subscript)
        if indexing.is_view(owner, subscript):
            return indexing.view(state, owner, subscript)
        return indexing.element_of(state, owner, subscript).load()
    if isinstance(owner, Number):
        return indexing.bits(state, owner, subscript)
    if isinstance(owner, StreamValue):
        return state.hooks["stream"](state, owner, subscript)
    raise state.error(subscript, f"a subscript of {describe(owner)}")


@compiles(ast.Attribute)
def _attribute(state: State, node: ast.Attribute, target: Buffer | None) -> Any:
    owner, attr = expression(state, node.value), node.attr
    if isinstance(owner, Buffer):
        if attr == "T":
            return tensors.transpose(owner, range(len(owner.shape))[::-1])
        if attr == "shape":
            return owner.shape
    result = attribute(owner, attr)
    if result is UNKNOWN:
        raise state.error(node, f"{describe(owner)} has no attribute '{attr}'")
    return result


@compiles(ast.Tuple, ast.List, ast.Set)
def _items(state: State, node: ast.Tuple | ast.List | ast.Set, target: Buffer | None) -> Any:
    return tuple(expression(state, i) for i in node.elts)


def reinterpret(number: Number, to: Any) -> Number:
    """The bits of a number as a number of another type of the same width."""
    if number.type.bits != to.bits:
        raise KernelError(f"the bits of {number.type} as {to}: the widths differ")
    source = mlir_type(number.type)
    return Number(number.value if source == mlir_type(to) else arith.bitcast(mlir_type(to), number.value), to)
