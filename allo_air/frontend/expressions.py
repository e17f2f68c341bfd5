"""Compiles expressions."""

from __future__ import annotations

import ast
from typing import Any

from allo_air.frontend import indexing, tensors
from allo_air.frontend.arithmetic import Scalar, apply, emit, type_of
from allo_air.frontend.errors import KernelError
from allo_air.frontend.numbers import BOOL, Number, binary, constant, negate, select, truth
from allo_air.frontend.rules import accumulator, common
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, attribute, evaluate, operator_name
from allo_air.frontend.types import index as index_type
from allo_air.frontend.values import Buffer, LoopIndex, StreamValue, Variable
from allo_air.mlir import arith, ir, memref, scf


def expression(state: State, node: ast.AST, target: Buffer | None = None) -> Any:
    """The value of an expression: a Python object, a number, a buffer; a tensor may be put into `target`."""
    found = evaluate(state, node)
    if found is not UNKNOWN:
        return found
    try:
        with state.at(node):
            return _compile(state, node, target)
    except KernelError as error:
        raise error if error.line else state.error(node, error.message) from None
    except ir.MLIRError as error:
        raise state.error(node, f"MLIR refuses this: {error}") from None


def scalar(state: State, node: ast.AST) -> Scalar:
    """An expression that must be a number."""
    found = expression(state, node)
    if isinstance(found, Buffer) and found.shape == ():
        return indexing.scalar_place(found).load()
    if isinstance(found, (Number, int, float)):
        return found
    if hasattr(found, "item") and getattr(found, "ndim", 0) == 0:
        return found.item()
    raise state.error(node, f"a number is wanted here, found {describe(found)}")


def describe(found: Any) -> str:
    """A value in words."""
    if isinstance(found, Buffer):
        return f"a tensor {found.element}[{', '.join(map(str, found.shape))}]"
    if isinstance(found, StreamValue):
        return f"stream '{found.symbol}'"
    return f"{type(found).__name__} {found!r}"


def condition(state: State, node: ast.AST) -> Number | bool:
    """An expression as a truth value."""
    found = scalar(state, node)
    return truth(found) if isinstance(found, Number) else bool(found)


def _compile(state: State, node: ast.AST, target: Buffer | None) -> Any:
    match node:
        case ast.Name():
            return _name(state, node)
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(state, node, operator_name(op), expression(state, left), expression(state, right), target)
        case ast.UnaryOp(op=op, operand=inner):
            return _unary(state, node, op, expression(state, inner), target)
        case ast.Compare(left=left, ops=ops, comparators=rest):
            return _compare(state, left, ops, rest)
        case ast.BoolOp(op=op, values=values):
            return _bool(state, op, values)
        case ast.IfExp(test=test, body=body, orelse=other):
            return _choice(state, test, body, other)
        case ast.Subscript(value=inner, slice=at):
            return subscript(state, expression(state, inner), at)
        case ast.Attribute(value=inner, attr=attr):
            return _attribute(state, node, expression(state, inner), attr)
        case ast.Call():
            from allo_air.frontend.calls import call

            return call(state, node, target)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return tuple(expression(state, i) for i in items)
    raise state.error(node, f"{type(node).__name__} is not part of the language of kernels")


def _name(state: State, node: ast.Name) -> Any:
    try:
        found = state.find(node.id)
    except KeyError:
        raise state.error(node, f"name '{node.id}' is not defined") from None
    if isinstance(found, Variable):
        return Number(memref.load(found.value, []), found.type)
    if isinstance(found, LoopIndex):
        return Number(found.value, index_type)
    return found


def as_operand(value: Any) -> Any:
    """A value that takes part in arithmetic: constant arrays become buffers, everything else stays."""
    if hasattr(value, "ndim") and hasattr(value, "dtype") and not isinstance(value, Buffer):
        if value.ndim == 0:
            return value.item()
        from allo_air.frontend.constants import constant_buffer

        return constant_buffer(value)
    return value


def _binary(state: State, node: ast.AST, name: str, left: Any, right: Any, target: Buffer | None) -> Any:
    left, right = as_operand(left), as_operand(right)
    if name == "matmul":
        from allo_air.frontend.library import matmul

        return matmul(state, [left, right], target)
    for side in (left, right):
        if not isinstance(side, (Buffer, Number, int, float)):
            raise state.error(node, f"arithmetic on {describe(side)}")
    if not name:
        raise state.error(node, "this operator is not part of the language of kernels")
    if isinstance(left, Buffer) or isinstance(right, Buffer):
        return tensor_binary(state, name, left, right, target)
    return apply(name, left, right, state.rules)


def element_type(state: State, name: str, left: Any, right: Any) -> Any:
    """The type of the elements of an operation on tensors: that of both, so that results of sums keep their type."""
    types = [x.element if isinstance(x, Buffer) else None for x in (left, right)]
    beside = types[0] or types[1]
    full = [t or type_of(x, beside) for t, x in zip(types, (left, right), strict=True)]
    if name in ("eq", "ne", "lt", "le", "gt", "ge"):
        return BOOL
    return common(*full)


def tensor_binary(state: State, name: str, left: Any, right: Any, target: Buffer | None) -> Buffer:
    """An operation on the elements of tensors, with broadcasting."""
    kind = element_type(state, name, left, right)
    usable = target if target is not None and _no_hazard([left, right], target) else None
    return tensors.elementwise([left, right], lambda x: apply(name, x[0], x[1], state.rules), kind, usable)


def _no_hazard(operands: list[Any], target: Buffer) -> bool:
    """Whether a result can be put into `target` at once: no operand is another view of its memory."""
    return all(not isinstance(o, Buffer) or o.origin != target.origin or o.value == target.value for o in operands)


def _unary(state: State, node: ast.AST, op: ast.AST, inner: Any, target: Buffer | None) -> Any:
    inner = as_operand(inner)
    if isinstance(op, ast.UAdd):
        return inner
    if isinstance(inner, Buffer):
        compute = _UNARY[type(op)]
        usable = target if target is not None and _no_hazard([inner], target) else None
        return tensors.elementwise([inner], lambda x: compute(x[0]), inner.element, usable)
    if not isinstance(inner, Number):
        raise state.error(node, f"arithmetic on {describe(inner)}")
    if isinstance(op, ast.USub):
        return negate(inner)
    return _invert(truth(inner)) if isinstance(op, ast.Not) else _invert(inner)


def _invert(number: Number) -> Number:
    return binary("xor", number, constant(-1, number.type))


_UNARY: dict[type[ast.AST], Any] = {ast.USub: negate, ast.Not: lambda x: _invert(truth(x)), ast.Invert: _invert}


def _compare(state: State, left: ast.AST, ops: list[ast.cmpop], rest: list[ast.expr]) -> Any:
    values = [as_operand(expression(state, n)) for n in (left, *rest)]
    results: list[Any] = []
    for node, op, a, b in zip(rest, ops, values, values[1:], strict=False):
        name = operator_name(op)
        if not name:
            raise state.error(node, "this comparison is not part of the language of kernels")
        if isinstance(a, Buffer) or isinstance(b, Buffer):
            results.append(tensor_binary(state, name, a, b, None))
        else:
            results.append(apply(name, a, b, state.rules))
    if len(results) == 1:
        return results[0]
    return _all(results)


def _all(results: list[Any]) -> Any:
    found = emit(results[0], BOOL)
    for result in results[1:]:
        found = binary("and", found, emit(result, BOOL))
    return found


def _bool(state: State, op: ast.AST, values: list[ast.expr]) -> Any:
    """`and`, `or`: what stands behind is computed only where it counts, as a subscript may be guarded by what is before it."""
    first, rest = condition(state, values[0]), values[1:]
    if not rest:
        return first
    is_and = isinstance(op, ast.And)
    if isinstance(first, bool):
        return first if first != is_and else _bool(state, op, rest)
    made = scf.IfOp(first.value, [ir.IntegerType.get_signless(1)], has_else=True)
    decided, other = (made.else_block, made.then_block) if is_and else (made.then_block, made.else_block)
    with ir.InsertionPoint(decided):
        scf.YieldOp([constant(not is_and, BOOL).value])
    with ir.InsertionPoint(other):
        scf.YieldOp([emit(_bool(state, op, rest), BOOL).value])
    return Number(made.results[0], BOOL)


def _choice(state: State, test: ast.AST, body: ast.AST, other: ast.AST) -> Any:
    decided = condition(state, test)
    if isinstance(decided, bool):
        return expression(state, body if decided else other)
    a, b = scalar(state, body), scalar(state, other)
    kind = common(type_of(a, type_of(b)), type_of(b, type_of(a)))
    return select(decided, emit(a, kind), emit(b, kind))


def subscript(state: State, owner: Any, at: ast.AST) -> Any:
    """`owner[at]`."""
    owner = as_operand(owner)
    if isinstance(owner, Buffer):
        if owner.shape == ():
            return indexing.bits(state, indexing.scalar_place(owner).load(), at)
        if indexing.is_view(owner, at):
            return indexing.view(state, owner, at)
        return indexing.place(state, owner, at).load()
    if isinstance(owner, Number):
        return indexing.bits(state, owner, at)
    if isinstance(owner, StreamValue):
        return state.hooks["stream"](state, owner, at)
    raise state.error(at, f"a subscript of {describe(owner)}")


def _attribute(state: State, node: ast.Attribute, owner: Any, attr: str) -> Any:
    if isinstance(owner, Buffer):
        if attr == "T":
            return tensors.transpose(owner, range(len(owner.shape))[::-1])
        if attr == "shape":
            return owner.shape
    found = attribute(owner, attr)
    if found is UNKNOWN:
        raise state.error(node, f"{describe(owner)} has no attribute '{attr}'")
    return found


def reinterpret(number: Number, to: Any) -> Number:
    """The bits of a number as a number of another type of the same width."""
    from allo_air.frontend.numbers import mlir_type

    if number.type.bits != to.bits:
        raise KernelError(f"the bits of {number.type} as {to}: the widths differ")
    source = mlir_type(number.type)
    return Number(number.value if source == mlir_type(to) else arith.bitcast(mlir_type(to), number.value), to)


def accumulated(left: Buffer, right: Buffer) -> Any:
    """The type that products of two tensors are summed up in."""
    return accumulator(left.element, right.element)
