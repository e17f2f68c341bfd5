"""Maps each operation of the math dialect to arithmetic that replaces it."""

from __future__ import annotations

from collections.abc import Callable

from allo_air.core.walking import is_result_of
from allo_air.mlir import ir
from allo_air.passes._analysis.element_types import element_of
from allo_air.passes.kernel import _derived, _exponential, _logarithm, _powers, _roots, _rounding, _saturating, _trigonometric
from allo_air.passes.kernel._real import Real, copysign

Function = Callable[..., Real]

FUNCTIONS: dict[str, Function] = {
    "math.exp": _exponential.exp,
    "math.exp2": _exponential.exp2,
    "math.expm1": _exponential.expm1,
    "math.log": _logarithm.ln,
    "math.log2": _logarithm.log2,
    "math.log10": _logarithm.log10,
    "math.log1p": _logarithm.log1p,
    "math.tanh": _saturating.tanh,
    "math.erf": _saturating.erf,
    "math.erfc": _saturating.erfc,
    "math.sqrt": _roots.sqrt,
    "math.rsqrt": _roots.rsqrt,
    "math.sin": _trigonometric.sin,
    "math.cos": _trigonometric.cos,
    "math.tan": lambda x: _roots.divide(_trigonometric.sin(x), _trigonometric.cos(x)),
    "math.atan": _trigonometric.atan,
    **{
        f"math.{f.__name__}": f
        for f in (
            _derived.sinh,
            _derived.cosh,
            _derived.asinh,
            _derived.acosh,
            _derived.atanh,
            _derived.asin,
            _derived.acos,
            _derived.atan2,
            _derived.cbrt,
            copysign,
        )
    },
    "math.floor": _rounding.floor,
    "math.ceil": _rounding.ceil,
    "math.round": _rounding.round_away,
    "math.roundeven": _rounding.round_even,
    "math.trunc": _rounding.truncate,
    "math.absf": Real.abs,
    "math.fma": lambda x, y, z: x * y + z,
}
"""The function of each operation, applied to its operands."""


def approximation(op: ir.Operation) -> Function | None:
    """The function that computes the result of `op` from its operands; None if the operation stays."""
    if (
        not op.name.startswith(("math.", "arith."))
        or not op.results
        or element_of(op.results[0].type) not in ("f32", "bf16", "f16")
    ):
        return None
    kind = op.results[0].type
    if op.name == "arith.divf":
        return _roots.quotient if isinstance(kind, ir.VectorType) else None
    if op.name == "arith.mulf":
        return _roots.multiply if isinstance(kind, ir.VectorType) and element_of(kind) == "f32" else None
    if op.name in ("math.powf", "math.fpowi"):
        return _power(op.operands[1])
    return FUNCTIONS.get(op.name)


def _power(exponent: ir.Value) -> Function:
    number = _number(exponent)
    if number == 0.5:
        return lambda x, y: _roots.sqrt(x)
    if number == -0.5:
        return lambda x, y: _roots.rsqrt(x)
    if number is not None and number == round(number) and abs(number) <= 32:
        return lambda x, y: _powers.power(x, round(number))
    return _powers.pow


def _number(value: ir.Value) -> float | None:
    if not is_result_of(value, "arith.constant"):
        return None
    attribute = value.owner.attributes["value"]
    if isinstance(attribute, ir.DenseElementsAttr):
        attribute = attribute.get_splat_value() if attribute.is_splat else None
    return None if attribute is None else float(attribute.value)
