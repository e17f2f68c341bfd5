"""The operations of kernels (`allo_air.exp`, `allo_air.matmul`, ...) on tensors, as linalg."""

from __future__ import annotations

import ast
import math as pymath
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from allo_air.frontend import dsl, indexing, tensors
from allo_air.frontend.arithmetic import Scalar, apply, emit, materialized
from allo_air.frontend.constants import constant_buffer
from allo_air.frontend.errors import KernelError
from allo_air.frontend.numbers import Number, binary, cast, compare, constant, negate, select
from allo_air.frontend.operands import as_operand, tensor_binary
from allo_air.frontend.places import scalar_place
from allo_air.frontend.rules import accumulator
from allo_air.frontend.state import State
from allo_air.frontend.types import ScalarType, float32
from allo_air.frontend.types import index as INDEX
from allo_air.frontend.values import Buffer, allocate, memref_type
from allo_air.mlir import ir, linalg, math, memref

Emitter = Callable[..., Any]
OPERATIONS: dict[Any, Emitter] = {}
"""What a call of each function of `dsl` emits: called with the state, the arguments, a target or None, and keywords."""


def operation(function: Any) -> Callable[[Emitter], Emitter]:
    """Registers the emitter of a function of `dsl`."""

    def register(emitter: Emitter) -> Emitter:
        OPERATIONS[function] = emitter
        return emitter

    return register


def tensor(found: Any, what: str = "a tensor") -> Buffer:
    """An argument that must be a tensor."""
    found = as_operand(found)
    if not isinstance(found, Buffer):
        raise KernelError(f"{what} is wanted here, found {found!r}")
    return found


def shape_of(found: Any) -> tuple[int, ...]:
    """An argument that must be a shape."""
    sizes = found if isinstance(found, (tuple, list)) else (found,)
    if not all(isinstance(s, int) for s in sizes):
        raise KernelError(f"a shape must be known when the kernel is compiled, found {found!r}")
    return tuple(sizes)


def _float_of(kind: ScalarType) -> ScalarType:
    return kind if kind.floating else float32


def unary(compute: Callable[[Number], Number], *, keeps: bool = False) -> Emitter:
    """An operation on each element; in f32 on integers, unless it `keeps` their type."""

    def element(x: Scalar) -> Number:
        number = materialized(x)
        return compute(number if keeps else cast(number, _float_of(number.type)))

    def emitter(state: State, args: list[Any], target: Buffer | None) -> Any:
        [x] = [as_operand(a) for a in args]
        if not isinstance(x, Buffer):
            return element(x)
        kind = x.element if keeps else _float_of(x.element)
        return tensors.elementwise([x], lambda given: element(given[0]), kind, _free(target, [x]))

    return emitter


def _free(target: Buffer | None, operands: Sequence[Any]) -> Buffer | None:
    """The target, where no operand lies in its memory."""
    if target is None or any(isinstance(o, Buffer) and o.origin == target.origin for o in operands):
        return None
    return target


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
    def emitter(state: State, args: list[Any], target: Buffer | None) -> Any:
        left, right = (as_operand(a) for a in args)
        if isinstance(left, Buffer) or isinstance(right, Buffer):
            return tensor_binary(state, name, left, right, target)
        return apply(name, left, right, state.rules)

    return emitter


for _name, _binary in {"add": dsl.add, "sub": dsl.sub, "mul": dsl.mul, "div": dsl.div, "pow": dsl.power}.items():
    OPERATIONS[_binary] = _arithmetic(_name)


@operation(dsl.matmul)
@operation(dsl.bmm)
def matmul(state: State, args: list[Any], target: Buffer | None) -> Buffer:
    """A product of matrices; into a new buffer in the type of its sums, unless the target's type says otherwise."""
    a, b = (tensor(x) for x in args)
    shape = (*a.shape[:-1], *b.shape[-1:])
    free = _free(target, [a, b])
    result = free if free is not None and free.shape == shape else allocate(accumulator(a.element, b.element), shape)
    tensors.fill(result, 0)
    tensors.contract(a, b, result)
    return result


@operation(dsl.linear)
def linear(state: State, args: list[Any], target: Buffer | None) -> Buffer:
    x, weight, *bias = args
    weight = tensor(weight)
    axes = [*range(len(weight.shape) - 2), len(weight.shape) - 1, len(weight.shape) - 2]
    product = matmul(state, [x, tensors.transpose(weight, axes)], None if bias and bias[0] is not None else target)
    return tensor_binary(state, "add", product, tensor(bias[0]), target) if bias and bias[0] is not None else product


@operation(dsl.copy)
def copy(state: State, args: list[Any], target: Buffer | None) -> Buffer:
    x = tensor(args[0])
    result = _free(target, [x]) or allocate(x.element, x.shape)
    tensors.copy(x, result)
    return result


@operation(dsl.transpose)
def transpose(state: State, args: list[Any], target: Buffer | None, axes: Any = None) -> Buffer:
    x, *given = args
    x = tensor(x)
    order = given[0] if given else axes
    order = shape_of(order) if order is not None else tuple(range(len(x.shape)))[::-1]
    free = _free(target, [x])
    fits = free is not None and free.element == x.element
    return tensors.transpose(x, order, free if fits else None)


def _reduction(name: str, start: Callable[[ScalarType], Scalar], wide: bool) -> Emitter:
    def emitter(state: State, args: list[Any], target: Buffer | None, axis: Any = None, keepdims: bool = False) -> Any:
        values = [as_operand(a) for a in args]
        if name != "add" and len(values) > 1 and not isinstance(values[0], Buffer):
            return _chain(state, name, values)
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
    found = values[0]
    for value in values[1:]:
        found = apply(name, found, value, state.rules)
    return found


def highest(element: ScalarType) -> Scalar:
    """The neutral element of `min`."""
    if element.floating:
        return float("inf")
    return (1 << element.bits - element.signed) - 1


OPERATIONS[dsl.sum] = _reduction("add", lambda kind: 0, True)
OPERATIONS[dsl.max] = _reduction("max", tensors.lowest, False)
OPERATIONS[dsl.min] = _reduction("min", highest, False)


def _rowwise(x: Buffer, axis: int, name: str, start: Scalar) -> Buffer:
    return tensors.reduce(x, [axis], name, x.element, start, keep=True)


def _as_float(x: Buffer) -> Buffer:
    """The tensor in f32, where it is narrower or of integers."""
    if x.element.floating and x.element.bits >= 32:
        return x
    return tensors.elementwise([x], lambda given: given[0], float32)


def _combine(name: str, a: Any, b: Any, kind: ScalarType) -> Buffer:
    return tensors.elementwise([a, b], lambda x: binary(name, emit(x[0], kind), emit(x[1], kind)), kind)


def _rounded(result: Buffer, like: Buffer, target: Buffer | None) -> Buffer:
    """The result in the type of the operand."""
    kind = _float_of(like.element)
    if result.element == kind:
        return result
    return tensors.elementwise([result], lambda given: given[0], kind, _free(target, [result]))


@operation(dsl.softmax)
def softmax(state: State, args: list[Any], target: Buffer | None, axis: int = -1) -> Buffer:
    given = tensor(args[0])
    x = _as_float(given)
    kind = x.element
    top = _rowwise(x, axis, "max", float("-inf"))
    e = tensors.elementwise(
        [x, top], lambda v: Number(math.exp(binary("sub", emit(v[0], kind), emit(v[1], kind)).value), kind), kind
    )
    total = _rowwise(e, axis, "add", 0)
    return _rounded(_combine("div", e, total, kind), given, target)


@operation(dsl.layernorm)
def layernorm(state: State, args: list[Any], target: Buffer | None, axis: int = -1, eps: float = 1e-5) -> Buffer:
    given = tensor(args[0])
    gamma, beta = (tensor(a) for a in args[1:3])
    x = _as_float(given)
    kind, count = x.element, float(x.shape[axis])
    mean = _combine("div", _rowwise(x, axis, "add", 0), count, kind)
    centered = _combine("sub", x, mean, kind)
    scaled = _normalized(centered, axis, eps, count)
    return _rounded(_combine("add", _combine("mul", scaled, gamma, kind), beta, kind), given, target)


@operation(dsl.rmsnorm)
def rmsnorm(state: State, args: list[Any], target: Buffer | None, eps: float = 1e-5) -> Buffer:
    given, weight = (tensor(a) for a in args[:2])
    x = _as_float(given)
    return _rounded(_combine("mul", _normalized(x, -1, eps, float(x.shape[-1])), weight, x.element), given, target)


def _normalized(x: Buffer, axis: int, eps: float, count: float) -> Buffer:
    kind = x.element
    squares = _rowwise(_combine("mul", x, x, kind), axis, "add", 0)

    def inverse(given: list[Scalar]) -> Number:
        mean = binary("div", emit(given[0], kind), constant(count, kind))
        return Number(math.rsqrt(binary("add", mean, constant(eps, kind)).value), kind)

    return _combine("mul", x, tensors.elementwise([squares], inverse, kind), kind)


def _windows(
    state: State, inp: Any, window: Any, target: Buffer | None, channels: bool
) -> tuple[Buffer, Buffer, Buffer | None, tuple[int, ...]]:
    x, f = tensor(inp), tensor(window)
    height, width = f.shape[-2:]
    shape = (x.shape[0], f.shape[0] if channels else x.shape[1], x.shape[2] - height + 1, x.shape[3] - width + 1)
    free = _free(target, [x, f])
    return x, f, free if free is not None and free.shape == shape else None, shape


@operation(dsl.conv2d)
def conv2d(state: State, args: list[Any], target: Buffer | None) -> Buffer:
    x, f, free, shape = _windows(state, args[0], args[1], target, True)
    result = free or allocate(accumulator(x.element, f.element), shape)
    tensors.fill(result, 0)
    linalg.conv_2d_nchw_fchw(x.value, f.value, outs=[result.value])
    return result


def _pool(name: str, start: Callable[[ScalarType], Scalar]) -> Emitter:
    def emitter(state: State, args: list[Any], target: Buffer | None) -> Buffer:
        x, f, free, shape = _windows(state, args[0], args[1], target, False)
        result = free or allocate(x.element, shape)
        tensors.fill(result, start(result.element))
        d: list[ir.AffineExpr] = [ir.AffineDimExpr.get(i) for i in range(6)]
        maps = [[d[0], d[1], d[2] + d[4], d[3] + d[5]], [d[4], d[5]], d[:4]]
        kinds = ["parallel"] * 4 + ["reduction"] * 2
        at = [ir.AffineMap.get(6, 0, m) for m in maps]
        tensors.generic([x, f], result, at, kinds, lambda given, old: binary(name, old, cast(given[0], old.type)))
        return result

    return emitter


OPERATIONS[dsl.maxpool] = _pool("max", tensors.lowest)
OPERATIONS[dsl.sumpool] = _pool("add", lambda kind: 0)


@operation(dsl.view)
def view(state: State, args: list[Any], target: Buffer | None) -> Buffer:
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
        at: list[ast.expr] = [ast.Slice()] * axis
        at.append(ast.Slice(ast.Constant(start), ast.Constant(start + size)))
        tensors.copy(source, indexing.view(state, result, ast.Tuple(at)))
        start += size
    return result


@operation(dsl.tril)
def tril(state: State, args: list[Any], target: Buffer | None) -> Buffer:
    x = tensor(args[0])

    def element(given: list[Scalar]) -> Number:
        rank = len(x.shape)
        row, column = (Number(linalg.IndexOp(i).result, INDEX) for i in (rank - 2, rank - 1))
        value = materialized(given[0])
        return select(compare("ge", row, column), value, constant(0, value.type))

    return tensors.elementwise([x], element, x.element, _free(target, [x]))


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
