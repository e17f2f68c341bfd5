"""softmax, layernorm and rmsnorm of the kernel language, emitted as linalg."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.frontend import dsl, tensors
from allo_air.frontend.arithmetic import Scalar, emit
from allo_air.frontend.numbers import Number, binary, constant
from allo_air.frontend.operations import float_of, operation, reusable, tensor
from allo_air.frontend.state import State
from allo_air.frontend.types import ScalarType, float32
from allo_air.frontend.values import Buffer
from allo_air.mlir import math


def _rowwise(x: Buffer, axis: int, name: str, start: Scalar) -> Buffer:
    return tensors.reduce(x, [axis], name, x.element, start, keep=True)


def _as_float(x: Buffer) -> Buffer:
    """The tensor in f32, if it has narrower floats or integers."""
    if x.element.floating and x.element.bits >= 32:
        return x
    return tensors.elementwise([x], lambda values: values[0], float32)


def _combine(name: str, a: Buffer, b: Buffer | float, kind: ScalarType) -> Buffer:
    return tensors.elementwise([a, b], lambda x: binary(name, emit(x[0], kind), emit(x[1], kind)), kind)


def _rounded(result: Buffer, like: Buffer, target: Buffer | None) -> Buffer:
    """The result cast to the type of the operand."""
    kind = float_of(like.element)
    if result.element == kind:
        return result
    return tensors.elementwise([result], lambda values: values[0], kind, reusable(target, [result]))


@operation(dsl.softmax)
def softmax(state: State, args: list[Buffer], target: Buffer | None, axis: int = -1) -> Buffer:
    value = tensor(args[0])
    x = _as_float(value)
    kind = x.element
    top = _rowwise(x, axis, "max", float("-inf"))
    e = tensors.elementwise(
        [x, top], lambda v: Number(math.exp(binary("sub", emit(v[0], kind), emit(v[1], kind)).value), kind), kind
    )
    total = _rowwise(e, axis, "add", 0)
    return _rounded(_combine("div", e, total, kind), value, target)


@operation(dsl.layernorm)
def layernorm(state: State, args: Sequence[object], target: Buffer | None, axis: int = -1, eps: float = 1e-5) -> Buffer:
    value = tensor(args[0])
    gamma, beta = (tensor(a) for a in args[1:3])
    x = _as_float(value)
    kind, count = x.element, float(x.shape[axis])
    mean = _combine("div", _rowwise(x, axis, "add", 0), count, kind)
    centered = _combine("sub", x, mean, kind)
    scaled = _normalized(centered, axis, eps, count)
    return _rounded(_combine("add", _combine("mul", scaled, gamma, kind), beta, kind), value, target)


@operation(dsl.rmsnorm)
def rmsnorm(state: State, args: Sequence[object], target: Buffer | None, eps: float = 1e-5) -> Buffer:
    value, weight = (tensor(a) for a in args[:2])
    x = _as_float(value)
    return _rounded(_combine("mul", _normalized(x, -1, eps, float(x.shape[-1])), weight, x.element), value, target)


def _normalized(x: Buffer, axis: int, eps: float, count: float) -> Buffer:
    kind = x.element
    squares = _rowwise(_combine("mul", x, x, kind), axis, "add", 0)

    def inverse(scalars: list[Scalar]) -> Number:
        mean = binary("div", emit(scalars[0], kind), constant(count, kind))
        return Number(math.rsqrt(binary("add", mean, constant(eps, kind)).value), kind)

    return _combine("mul", x, tensors.elementwise([squares], inverse, kind), kind)
