"""Floating-point numbers and math, rounded after each operation to the operation's type."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from allo_air.core.integers import width_of, wrap
from allo_air.interp._arith import _element, elementwise, integer
from allo_air.interp.rules import pure
from allo_air.interp.values import dtype_of
from allo_air.mlir import ir

_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addf": operator.add,
    "arith.subf": operator.sub,
    "arith.mulf": operator.mul,
    "arith.divf": np.divide,
    "arith.remf": np.fmod,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.maxnumf": np.fmax,
    "arith.minnumf": np.fmin,
    "math.powf": np.power,
    "math.atan2": np.arctan2,
    "math.copysign": np.copysign,
}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "arith.negf": operator.neg,
    "math.absf": np.abs,
    "math.sqrt": np.sqrt,
    "math.rsqrt": lambda a: 1 / np.sqrt(a),
    "math.exp": np.exp,
    "math.exp2": np.exp2,
    "math.expm1": np.expm1,
    "math.log": np.log,
    "math.log2": np.log2,
    "math.log10": np.log10,
    "math.log1p": np.log1p,
    "math.sin": np.sin,
    "math.cos": np.cos,
    "math.tan": np.tan,
    "math.tanh": np.tanh,
    "math.sinh": np.sinh,
    "math.cosh": np.cosh,
    "math.asin": np.arcsin,
    "math.acos": np.arccos,
    "math.atan": np.arctan,
    "math.asinh": np.arcsinh,
    "math.acosh": np.arccosh,
    "math.atanh": np.arctanh,
    "math.cbrt": np.cbrt,
    "math.erf": math.erf,
    "math.erfc": math.erfc,
    "math.floor": np.floor,
    "math.ceil": np.ceil,
    "math.round": lambda a: np.copysign(np.floor(np.abs(a) + 0.5), a),
    "math.roundeven": np.round,
    "math.trunc": np.trunc,
}

_LEAST_NORMAL = {"f16": 2.0**-14, "f64": 2.0**-1022}


def _rounded(op: ir.Operation, fn: Callable[..., object], *, wide: bool) -> Callable[..., Any]:
    """`fn` in the operation's type, or computed in f64 and rounded once."""
    dtype = dtype_of(_element(op.results[0].type))

    def run(*array: np.ndarray) -> Any:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return dtype.type(fn(*(np.float64(g) if wide else dtype.type(g) for g in array)))

    return elementwise(op, run)


@pure(*_BINARY)
def binary(op: ir.Operation) -> Callable[..., Any]:
    return _rounded(op, _BINARY[op.name], wide=op.name.startswith("math."))


@pure(*_UNARY)
def unary(op: ir.Operation) -> Callable[..., Any]:
    return _rounded(op, _UNARY[op.name], wide=op.name.startswith("math."))


@pure("math.fma")
def fma(op: ir.Operation) -> Callable[..., Any]:
    return _rounded(op, lambda a, b, c: a * b + c, wide=True)


@pure("math.clampf")
def clamp(op: ir.Operation) -> Callable[..., Any]:
    return _rounded(op, lambda a, low, high: np.minimum(np.maximum(a, low), high), wide=True)


@pure("math.sincos")
def sine_and_cosine(op: ir.Operation) -> Callable[..., Any]:
    dtype = dtype_of(_element(op.results[0].type))
    return elementwise(op, lambda a: (dtype.type(np.sin(np.float64(a))), dtype.type(np.cos(np.float64(a)))))


@pure("math.isfinite", "math.isinf", "math.isnan", "math.isnormal")
def kind_of_number(op: ir.Operation) -> Callable[..., Any]:
    least = _LEAST_NORMAL.get(str(_element(op.operands[0].type)), 2.0**-126)
    test: Callable[[float], bool] = {
        "math.isfinite": math.isfinite,
        "math.isinf": math.isinf,
        "math.isnan": math.isnan,
        "math.isnormal": lambda a: math.isfinite(a) and abs(a) >= least,
    }[op.name]
    return elementwise(op, lambda a: int(test(float(a))))


@pure("math.fpowi")
def power(op: ir.Operation) -> Callable[..., Any]:
    return _rounded(op, np.power, wide=True)


@pure("arith.extf", "arith.truncf")
def convert(op: ir.Operation) -> Callable[..., Any]:
    dtype = dtype_of(_element(op.results[0].type))
    return elementwise(op, lambda a: dtype.type(a))


@pure("arith.sitofp")
def from_signed(op: ir.Operation) -> Callable[..., Any]:
    dtype = dtype_of(_element(op.results[0].type))
    sign = -1 if width_of(op.operands[0].type) == 1 else 1
    return elementwise(op, lambda a: dtype.type(sign * int(a)))


@pure("arith.uitofp")
def from_unsigned(op: ir.Operation) -> Callable[..., Any]:
    dtype = dtype_of(_element(op.results[0].type))
    mask = (1 << width_of(op.operands[0].type)) - 1
    return elementwise(op, lambda a: dtype.type(int(a) & mask))


@pure("arith.fptosi", "arith.fptoui")
def to_integer(op: ir.Operation) -> Callable[..., Any]:
    width = width_of(op.results[0].type)
    return elementwise(op, lambda a: wrap(int(a), width))


@pure("arith.bitcast")
def bitcast(op: ir.Operation) -> Callable[..., Any]:
    types = [_element(v.type) for v in (op.operands[0], op.results[0])]
    if all(isinstance(t, ir.IntegerType) for t in types):
        return integer(op)
    source, target = map(dtype_of, types)
    return elementwise(op, lambda a: source.type(a).view(target).item() if target.kind in "iu" else source.type(a).view(target))


_ORDERED: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
    "ne": operator.ne,
}
_COMPARISONS = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
"""The rules in the order of MLIR's CmpFPredicate."""


@pure("arith.cmpf")
def cmpf(op: ir.Operation) -> Callable[..., Any]:
    name = _COMPARISONS[op.attributes["predicate"].value]

    def run(a: object, b: np.ndarray) -> int:
        unordered = bool(a != a or b != b)
        match name:
            case "false" | "true":
                return int(name == "true")
            case "ord" | "uno":
                return int(unordered == (name == "uno"))
        if unordered:
            return int(name[0] == "u")
        return int(bool(_ORDERED[name[1:]](a, b)))

    return elementwise(op, run)
