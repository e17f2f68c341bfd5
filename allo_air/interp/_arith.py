"""Integer and index arithmetic, by the rules of folding; constants and selects of any type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from allo_air.core.constants import GLOBAL_LOADS, global_value
from allo_air.core.folding import RULES
from allo_air.core.integers import Undefined, width_of, wrap
from allo_air.interp.errors import RunError
from allo_air.interp.rules import pure
from allo_air.interp.values import Tensor, constant_of, dtype_of, is_float
from allo_air.mlir import ir


def elementwise(op: ir.Operation, fn: Callable[..., object]) -> Callable[..., Any]:
    """`fn`, which works on numbers, applied to each element when the operation is on vectors or tensors."""
    if not isinstance(op.results[0].type, ir.ShapedType):
        return fn
    types = [r.type for r in op.results]
    apply = np.frompyfunc(fn, len(op.operands), len(types))

    def run(*arrays: Any) -> Any:
        defined = [a.defined for a in arrays if isinstance(a, Tensor) and a.defined is not None]
        plain = [(a.array if isinstance(a, Tensor) else a).astype(object) for a in map(_shaped, arrays)]
        result = apply(*plain)
        results: list[Any] = []
        for type_, array in zip(types, result if len(types) > 1 else [result], strict=True):
            results.append(np.asarray(array).astype(dtype_of(type_.element_type)).reshape(type_.shape))
            if isinstance(type_, ir.RankedTensorType):
                results[-1] = Tensor(results[-1], np.logical_and.reduce(defined) if defined else None)
        return tuple(results) if len(results) > 1 else results[0]

    return run


def _shaped(value: ir.Value) -> Any:
    return value if isinstance(value, Tensor) else np.asarray(value)


def _element(type_: ir.Type) -> ir.Type:
    return type_.element_type if isinstance(type_, ir.ShapedType) else type_


@pure(*RULES)
def integer(op: ir.Operation) -> Callable[..., Any]:
    fn = RULES[op.name](op)
    assert fn is not None

    def run(*values: np.ndarray) -> int:
        try:
            return fn(*map(int, values))
        except Undefined as why:
            raise RunError(op, str(why)) from None

    return elementwise(op, run)


@pure("math.absi", "math.ctlz", "math.cttz", "math.ctpop")
def bits(op: ir.Operation) -> Callable[..., Any]:
    width = width_of(op.results[0].type)
    mask = (1 << width) - 1
    fn: Callable[[int], int] = {
        "math.absi": abs,
        "math.ctlz": lambda a: width - (a & mask).bit_length(),
        "math.cttz": lambda a: min(width, (a & -a).bit_length() - 1) if a & mask else width,
        "math.ctpop": lambda a: (a & mask).bit_count(),
    }[op.name]
    return elementwise(op, lambda a: wrap(fn(int(a)), width))


@pure("math.ipowi")
def integer_power(op: ir.Operation) -> Callable[..., Any]:
    width = width_of(op.results[0].type)

    def run(base: np.ndarray, exponent: np.ndarray) -> int:
        number, times = int(base), int(exponent)
        if times >= 0:
            return wrap(pow(number, times, 1 << width), width)
        if number == 0:
            raise RunError(op, "raises 0 to a negative power")
        return wrap(number**-times if abs(number) == 1 else 0, width)

    return elementwise(op, run)


@pure("arith.constant")
def constant(op: ir.Operation) -> Callable[..., Any]:
    value = constant_of(op.attributes["value"], op.results[0].type)
    return lambda: value


@pure(*GLOBAL_LOADS)
def loaded(op: ir.Operation) -> Callable[..., Any]:
    value = constant_of(global_value(op), op.results[0].type)
    return lambda: value


@pure("ub.poison")
def poison(op: ir.Operation) -> Callable[..., Any]:
    type_ = op.results[0].type
    dtype = dtype_of(_element(type_))
    if isinstance(type_, ir.VectorType):
        return lambda: np.zeros(type_.shape, dtype)
    return lambda: dtype.type(0) if is_float(dtype) else 0


@pure("arith.select")
def select(op: ir.Operation) -> Callable[..., Any]:
    shaped = isinstance(op.operands[0].type, ir.ShapedType)
    if shaped:
        return elementwise(op, lambda c, a, b: a if c else b)
    return lambda c, a, b: a if c else b
