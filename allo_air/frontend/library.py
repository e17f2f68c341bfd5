"""The operations of the kernel language on tensors (`allo_air.exp`, `allo_air.matmul`, ...), emitted as linalg."""

from __future__ import annotations

import ast
import math as pymath
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.frontend import dsl, indexing, library_normalizations, library_windows, tensors  # noqa: F401 (they register)
from allo_air.frontend.arithmetic import Scalar, apply, materialized
from allo_air.frontend.constants import constant_buffer
from allo_air.frontend.errors import KernelError
from allo_air.frontend.numbers import Number, binary, cast, compare, constant, negate, select
from allo_air.frontend.operands import as_operand, tensor_binary
from allo_air.frontend.operations import OPERATIONS, Emitter, float_of, operation, reusable, shape_of, tensor
from allo_air.frontend.places import scalar_place
from allo_air.frontend.rules import accumulator
from allo_air.frontend.state import State
from allo_air.frontend.types import ScalarType, float32
from allo_air.frontend.types import index as INDEX
from allo_air.frontend.values import Buffer, allocate, memref_type
from allo_air.mlir import linalg, math, memref

if TYPE_CHECKING:
    from allo_air.frontend.values import KnownInt, Pid


def unary(compute: Callable[[Number], Number], *, keeps: bool = False) -> Emitter:
    """An operation on each element. Integers are computed in f32, unless it `keeps` their type."""

    def element(x: Scalar) -> Number:
        number = materialized(x)
        return compute(number if keeps else cast(number, float_of(number.type)))

    def emitter(state: State, args: list[Number | Buffer], target: Buffer | None) -> Any:
        [x] = [as_operand(a) for a in args]
        if not isinstance(x, Buffer):
            return element(x)
        kind = x.element if keeps else float_of(x.element)
        return tensors.elementwise([x], lambda values: element(values[0]), kind, reusable(target, [x]))

    return emitter


def _math(name: str) -> Callable[[Number], Number]:
    return lambda x: Number(getattr(math, name)(x.value), x.type)


for _name, _function in {
    "exp": dsl.exp, "log": dsl.log, "log2": dsl.log2, "log10": dsl.log10, "sqrt": dsl.sqrt,
    "sin": dsl.sin, "cos": dsl.cos, "tan": dsl.tan, "tanh": dsl.tanh,
}.items():  # fmt: skip
    OPERATIONS[_function] = unary(_math(_name))


def absolute(x: Number) -> Number:
    """|x|."""
    if x.type.floating:
        return Number(math.absf(x.value), x.type)
    return select(compare("lt", x, constant(0, x.type)), negate(x), x) if x.type.signed else x


OPERATIONS[dsl.abs] = unary(absolute, keeps=True)
OPERATIONS[dsl.relu] = unary(lambda x: binary("max", x, constant(0, x.type)), keeps=True)


def _silu(x: Number) -> Number:
    one = constant(1, x.type)
    return binary("div", x, binary("add", one, Number(math.exp(negate(x).value), x.type)))


def _gelu(x: Number) -> Number:
    def number(value: float) -> Number:
        return constant(value, x.type)

    cube = binary("mul", binary("mul", x, x), x)
    inner = binary("mul", number(pymath.sqrt(2 / pymath.pi)), binary("add", x, binary("mul", number(0.044715), cube)))
    tanh = Number(math.tanh(inner.value), x.type)
    return binary("mul", binary("mul", number(0.5), x), binary("add", number(1), tanh))


OPERATIONS[dsl.silu] = unary(_silu)
OPERATIONS[dsl.gelu] = unary(_gelu)


def _arithmetic(name: str) -> Emitter:
    def emitter(state: State, args: Sequence[Buffer | KnownInt | Pid | float], target: Buffer | None) -> Any:
        left, right = (as_operand(a) for a in args)
        if isinstance(left, Buffer) or isinstance(right, Buffer):
            return tensor_binary(state, name, left, right, target)
        return apply(name, left, right, state.rules)

    return emitter


for _name, _binary in {"add": dsl.add, "sub": dsl.sub, "mul": dsl.mul, "div": dsl.div, "pow": dsl.power}.items():
    OPERATIONS[_binary] = _arithmetic(_name)


@operation(dsl.matmul)
@operation(dsl.bmm)
def matmul(state: State, args: list[Buffer], target: Buffer | None) -> Buffer:
    """A product of matrices, into a new buffer of the accumulator's type, unless the target has another type."""
    a, b = (tensor(x) for x in args)
    if tensors.is_broadcast_product(a, b):
        return _broadcast_product(state, a, b)
    shape = (*a.shape[:-1], *b.shape[-1:])
    free = reusable(target, [a, b])
    result = (
        free if free is not None and free.shape == shape else allocate(accumulator(a.element, b.element, state.rules), shape)
    )
    macs = state.hooks.get("macs")
    form = macs.form(a, b, result) if macs is not None and a.shape[-1:] == b.shape[:1] else None
    if macs is not None and form is not None:
        macs.multiply(a, b, result, form)
        return result
    tensors.fill(result, 0)
    tensors.contract(a, b, result)
    return result


def _broadcast_product(state: State, a: Buffer, b: Buffer) -> Any:
    """A product with a vector, or of operands of different batch ranks, as numpy defines it."""
    result = allocate(accumulator(a.element, b.element, state.rules), tensors.product_shape(a, b))
    tensors.fill(result, 0)
    tensors.contract_parts(a, b, result)
    return scalar_place(result).load() if result.shape == () else result


@operation(dsl.linear)
def linear(state: State, args: Sequence[object], target: Buffer | None) -> Buffer:
    x, weight, *bias = args
    weight = tensor(weight)
    axes = [*range(len(weight.shape) - 2), len(weight.shape) - 1, len(weight.shape) - 2]
    product = matmul(state, [x, tensors.transpose(weight, axes)], None if bias and bias[0] is not None else target)
    return tensor_binary(state, "add", product, tensor(bias[0]), target) if bias and bias[0] is not None else product


@operation(dsl.copy)
def copy(state: State, args: Sequence[object], target: Buffer | None) -> Buffer:
    x = tensor(args[0])
    result = reusable(target, [x]) or allocate(x.element, x.shape)
    tensors.copy(x, result)
    return result


@operation(dsl.transpose)
def transpose(state: State, args: Sequence[object], target: Buffer | None, axes: object = None) -> Buffer:
    x, *value = args
    x = tensor(x)
    order = value[0] if value else axes
    order = shape_of(order) if order is not None else tuple(range(len(x.shape)))[::-1]
    free = reusable(target, [x])
    fits = free is not None and free.element == x.element
    return tensors.transpose(x, order, free if fits else None)


def _reduction(name: str, start: Callable[[ScalarType], Scalar], wide: bool) -> Emitter:
    def emitter(
        state: State, args: Sequence[object], target: Buffer | None, axis: object = None, keepdims: bool = False
    ) -> Any:
        values = [as_operand(a) for a in args]
        if name != "add" and len(values) > 1 and not isinstance(values[0], Buffer):
            return _chain(state, name, values)
        if name != "add" and len(values) > 1 and isinstance(values[1], (Buffer, Number)):
            return tensor_binary(state, name, values[0], values[1], target)
        x = tensor(values[0])
        if len(values) > 1:
            axis = values[1]
        axes = range(len(x.shape)) if axis is None else shape_of(axis)
        kind = accumulator(x.element, x.element) if wide else x.element
        result = tensors.reduce(x, list(axes), name, kind, start(kind), keep=keepdims)
        if result.shape == ():
            return scalar_place(result).load()
        return result

    return emitter


def _chain(state: State, name: str, values: list[Any]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = apply(name, result, value, state.rules)
    return result


def highest(element: ScalarType) -> Scalar:
    """The largest value of a type: the neutral element of `min`."""
    if element.floating:
        return float("inf")
    return (1 << element.bits - element.signed) - 1


OPERATIONS[dsl.sum] = _reduction("add", lambda kind: 0, True)
OPERATIONS[dsl.max] = _reduction("max", tensors.lowest, False)
OPERATIONS[dsl.min] = _reduction("min", highest, False)


@operation(dsl.view)
def view(state: State, args: Sequence[object], target: Buffer | None) -> Buffer:
    x, shape = tensor(args[0]), shape_of(args[1])
    if pymath.prod(shape) != pymath.prod(x.shape):
        raise KernelError(f"{pymath.prod(x.shape)} elements do not fit in the shape {shape}")
    sizes = constant_buffer(np.array(shape, np.int64))
    return Buffer(memref.ReshapeOp(memref_type(x.element, shape), x.value, sizes.value).result, x.element, x.origin)


@operation(dsl.concat)
def concat(state: State, args: list[Any], target: Buffer | None, axis: int = 0) -> Buffer:
    x, y = (tensor(a) for a in args[:2])
    axis = args[2] if len(args) > 2 else axis
    shape = tuple(a + b if i == axis else a for i, (a, b) in enumerate(zip(x.shape, y.shape, strict=True)))
    result = allocate(x.element, shape)
    start = 0
    for source in (x, y):
        size = source.shape[axis]
        subscripts: list[ast.expr] = [ast.Slice()] * axis
        subscripts.append(ast.Slice(ast.Constant(start), ast.Constant(start + size)))
        tensors.copy(source, indexing.view(state, result, ast.Tuple(subscripts)))
        start += size
    return result


@operation(dsl.tril)
def tril(state: State, args: Sequence[object], target: Buffer | None) -> Buffer:
    x = tensor(args[0])

    def element(scalars: list[Scalar]) -> Number:
        rank = len(x.shape)
        row, column = (Number(linalg.IndexOp(i).result, INDEX) for i in (rank - 2, rank - 1))
        value = materialized(scalars[0])
        return select(compare("ge", row, column), value, constant(0, value.type))

    return tensors.elementwise([x], element, x.element, reusable(target, [x]))


def _filled(value: int) -> Emitter:
    def emitter(state: State, args: list[Any], target: Buffer | None, dtype: ScalarType | None = None) -> Buffer:
        shape = shape_of(args[0])
        kind = dtype or (args[1] if len(args) > 1 else None)
        result = target if target is not None and target.shape == shape else allocate(kind or float32, shape)
        tensors.fill(result, value)
        return result

    return emitter


OPERATIONS[dsl.ones] = _filled(1)
OPERATIONS[dsl.zeros] = _filled(0)
