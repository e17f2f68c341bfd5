"""Replaces math functions by arithmetic; the implementation of `approximate-math`."""

from __future__ import annotations

from functools import partial
from typing import Any

from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.element_types import element_of
from allo_air.passes.kernel._approximations import Function, approximation
from allo_air.passes.kernel._arguments import is_limited, is_limited_sum, of_gelu, scaled
from allo_air.passes.kernel._bounded_powers import bounded, power, write_scaled_powers
from allo_air.passes.kernel._exponential import exp
from allo_air.passes.kernel._flow import Flow, is_positive
from allo_air.passes.kernel._gelu import gelu
from allo_air.passes.kernel._lane_values import shaped
from allo_air.passes.kernel._one_plus_folds import fold_one_plus
from allo_air.passes.kernel._real import COARSE, FINE, Real
from allo_air.passes.kernel._roots import divide, quotient
from allo_air.passes.kernel._saturating import low_precision_tanh

_EXACT = (
    "arith.divf",
    "arith.mulf",
    *(f"math.{name}" for name in ("absf", "ceil", "floor", "fma", "round", "roundeven", "trunc")),
)
"""Operations whose result is exact up to rounding to nearest."""
_OF_SCALED: dict[str, Function] = {"math.exp": exp, "math.tanh": low_precision_tanh}
"""Functions that accept a constant factor of their argument."""


def approximate(op: AnyOp) -> None:
    """Replaces the functions, quotients and products in `op`; see `ApproximateMath`."""
    fold_one_plus(op)
    write_scaled_powers(op)
    calls = [(item, function) for item in walk_pre_order(op) if (function := approximation(item)) is not None]
    if not calls:
        return
    flow = Flow.of(op)
    negative = flow.negative()
    exact = flow.needs_all_bits(negative)
    inexact = flow.inexact(item.results[0] for item, _ in calls if item.name not in _EXACT)
    forms = [_form(item, function, negative, exact, inexact) for item, function in calls]
    for (item, _), (function, precision) in zip(calls, forms, strict=True):
        result = item.results[0]
        if item.name == "arith.mulf" and precision == FINE:
            continue
        with ir.InsertionPoint(item), item.location:
            value = function(*(Real(_extended(v), precision) for v in item.operands)).value
            if result.type != value.type:
                value = arith.truncf(result.type, value)
        result.replace_all_uses_with(value)
        item.erase()


def _form(
    op: ir.Operation, function: Function, negative: set[ir.Value], exact: set[ir.Value], inexact: set[ir.Value]
) -> tuple[Function, int]:
    """The function that computes the result of `op`, and the required number of bits."""
    [result] = op.results
    if function is quotient and not inexact.isdisjoint(op.operands):
        function = divide
    if op.name == "arith.divf" and is_positive(op.operands[1], negative):
        function = partial(function, is_positive=True, is_finite=is_limited_sum(op.operands[1]))
    precision = FINE if element_of(result.type) != "bf16" and result in exact else COARSE
    if precision == FINE:
        return function, precision
    short = bounded(op)
    return (_low_precision_function(op, function) if short is None else lambda x: power(short)), precision


def _low_precision_function(op: ir.Operation, function: Function) -> Function:
    """A shorter function than `function` if the argument of `op` is an extended bf16 times a constant; else `function`."""
    if not isinstance(op.results[0].type, ir.VectorType):
        return function
    if op.name == "arith.mulf" and (x := of_gelu(op)) is not None:
        return lambda *_: gelu(Real(x, COARSE))
    if op.name not in _OF_SCALED:
        return function
    function = _OF_SCALED[op.name]
    function = partial(function, is_limited=is_limited(op)) if op.name == "math.exp" else function
    value, factor = scaled(op.operands[0])
    is_near_one = 2.0**-32 < abs(factor) < 2.0**32
    return function if value is None or not is_near_one else lambda x: function(Real(value, COARSE), factor)


def _extended(value: ir.Value) -> Any:
    element = element_of(value.type)
    if element == "f32":
        return value
    if element in ("bf16", "f16"):
        return arith.extf(shaped(value, ir.F32Type.get()), value)
    return arith.sitofp(shaped(value, ir.F32Type.get()), value)
