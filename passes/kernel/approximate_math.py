"""approximate-math."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes.kernel import _circular, _derived, _exponential, _logarithm, _powers, _roots, _rounding, _saturating
from allo_air.passes.kernel._real import Real, copysign, shaped

FUNCTIONS: dict[str, Callable[..., Real]] = {
    "math.exp": _exponential.exp,
    "math.exp2": _exponential.exp2,
    "math.expm1": _exponential.expm1,
    "math.log": _logarithm.ln,
    "math.log2": _logarithm.log2,
    "math.log10": _logarithm.log10,
    "math.log1p": _logarithm.log1p,
    "math.tanh": _saturating.tanh,
    "math.erf": _saturating.erf,
    "math.erfc": lambda x: 1.0 - _saturating.erf(x),
    "math.sqrt": _roots.sqrt,
    "math.rsqrt": _roots.rsqrt,
    "math.sin": _circular.sin,
    "math.cos": _circular.cos,
    "math.tan": lambda x: _roots.divide(_circular.sin(x), _circular.cos(x)),
    "math.atan": _circular.atan,
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
"""What becomes of an operation, by the numbers that it takes."""


@dataclass(frozen=True)
class ApproximateMath(Pass):
    """Writes functions of the math dialect, of scalars and of vectors, as arithmetic that mlir-aie's tool chain takes.

    AIE has no library of such functions that comes with the tool chain. Each becomes f32 arithmetic: the argument is reduced,
    and a polynomial or Newton's steps give the function. How far from right each may be is in `allo_air.approximations`. All
    that they are made of has a form for vectors on AIE2 and AIE2p, or gets one by `legalize-vectors`. Denormal numbers may
    count as zero, as they do on AIE. A bf16 is extended before and rounded after. Divisions of vectors go the same way; those
    of scalars stay, which the tool chain has a function for.

    Before:

        %r = math.roundeven %x : vector<16xf32>

    After:

        %a = arith.addf %size, %c8388608 : vector<16xf32>
        %n = arith.subf %a, %c8388608 : vector<16xf32>
        ...
    """

    name = "approximate-math"

    def run(self, op: AnyOp, /) -> None:
        for found in walk_pre_order(op):
            function = _function(found)
            if function is None:
                continue
            with ir.InsertionPoint(found), found.location:
                result = function(*(Real(_widened(v)) for v in found.operands)).value
                if found.results[0].type != result.type:
                    result = arith.truncf(found.results[0].type, result)
                found.results[0].replace_all_uses_with(result)
            found.erase()


def _function(op: ir.Operation) -> Callable[..., Real] | None:
    """What gives the result of `op` in f32, if it is to be replaced."""
    if not op.name.startswith(("math.", "arith.")) or not op.results or _element(op.results[0]) not in ("f32", "bf16", "f16"):
        return None
    if op.name == "arith.divf":
        return _roots.divide if isinstance(op.results[0].type, ir.VectorType) else None
    if op.name in ("math.powf", "math.fpowi"):
        return _power(op.operands[1])
    return FUNCTIONS.get(op.name)


def _power(exponent: ir.Value) -> Callable[..., Real]:
    number = _number(exponent)
    if number == 0.5:
        return lambda x, y: _roots.sqrt(x)
    if number == -0.5:
        return lambda x, y: _roots.rsqrt(x)
    if number is not None and number == round(number) and abs(number) <= 32:
        return lambda x, y: _powers.power(x, round(number))
    return _powers.pow


def _number(value: ir.Value) -> float | None:
    if isinstance(value.owner, ir.Block) or value.owner.name != "arith.constant":
        return None
    attribute = value.owner.attributes["value"]
    if isinstance(attribute, ir.DenseElementsAttr):
        attribute = attribute.get_splat_value() if attribute.is_splat else None
    return None if attribute is None else float(attribute.value)


def _element(value: ir.Value) -> str:
    kind = value.type
    return str(kind.element_type if isinstance(kind, ir.VectorType) else kind)


def _widened(value: ir.Value) -> Any:
    element = _element(value)
    if element == "f32":
        return value
    if element in ("bf16", "f16"):
        return arith.extf(shaped(value, ir.F32Type.get()), value)
    return arith.sitofp(shaped(value, ir.F32Type.get()), value)
