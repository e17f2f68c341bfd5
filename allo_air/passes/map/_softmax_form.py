"""Recognizes sums of products, and a softmax along a dimension, in expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.mlir import ir
from allo_air.passes.map._elements import Element, equal

CASTS = ("arith.extf", "arith.truncf")
_BIT_CASTS = ("arith.extui", "arith.trunci")
_MAXIMA = ("arith.maximumf", "arith.maxnumf")
ORDERED_EQUAL = "predicate=1 : i64"
"""How an `Element` spells the attributes of a comparison for equality (arith.cmpf oeq), without fast-math flags."""


@dataclass(frozen=True)
class Softmax:
    """A softmax along a dimension, exp(score - max) / sum. `safe`: rows of only -inf give 0 instead of NaN."""

    score: Element
    safe: bool


def without_casts(element: Element) -> Element:
    """The value before roundings and extensions."""
    while element.kind == "scalar" and element.data[0] in CASTS:
        [element] = element.operands
    return element


def _bit(element: Element) -> Element:
    """The bit that is stored as a wider integer, or extracted from one."""
    while element.kind == "scalar" and element.data[0] in _BIT_CASTS:
        [element] = element.operands
    return element


def number_of(element: Element) -> float | None:
    """The number that a constant expression of floats is."""
    element = without_casts(element)
    if element.kind == "constant" and isinstance(element.data[0], ir.FloatAttr):
        return float(element.data[0].value)
    return None


def without_factors(element: Element) -> tuple[Element, float]:
    """The value before casts and products with constants, and these constants."""
    scale, unscaled = 1.0, without_casts(element)
    while unscaled.kind == "scalar" and unscaled.data[0] in ("arith.mulf", "arith.divf"):
        first, second = unscaled.operands
        if is_scalar(unscaled, "arith.mulf") and number_of(second) is None:
            first, second = second, first
        number = number_of(second)
        if number is None or (is_scalar(unscaled, "arith.divf") and number == 0.0):
            break
        scale *= number if is_scalar(unscaled, "arith.mulf") else 1 / number
        unscaled = without_casts(first)
    return unscaled, scale


def narrowest(element: Element) -> ir.Type:
    """The narrowest type of the value through casts and products with constants."""
    type_ = element.type
    unscaled, _ = without_factors(element)
    while element is not unscaled:
        element = next(o for o in element.operands if number_of(o) is None)
        type_ = min(type_, element.type, key=bit_width)
    return type_


def bit_width(kind: Any) -> int:
    """Bits of a type of integers or floats."""
    return int(kind.width)


def factors(element: Element) -> tuple[Element, Element] | None:
    """The factors of a sum of products that starts at 0."""
    term = _reduced(element, ("arith.addf",), (0.0,))
    if term is None or term.kind != "scalar" or term.data[0] != "arith.mulf":
        return None
    first, second = term.operands
    return first, second


def softmax(element: Element, along: int) -> Softmax | None:
    """The softmax along dimension `along` whose element is `element`."""
    element = without_casts(element)
    if is_scalar(element, "arith.select"):
        masked, zero, rest = element.operands
        result = softmax(rest, along)
        if result is None or result.safe or number_of(zero) != 0.0 or not _all_minus_infinity(masked, result.score, along):
            return None
        return Softmax(result.score, safe=True)
    parts = _quotient(element)
    if parts is None:
        return None
    power, total = (without_casts(p) for p in parts)
    summed = _reduced(total, ("arith.addf",), (0.0,))
    if summed is None or not is_scalar(power, "math.exp") or len(total.dims) != 1:
        return None
    if not equal(without_casts(summed), power, {total.dims[0]: along}):
        return None
    less = without_casts(power.operands[0])
    if not is_scalar(less, "arith.subf"):
        return None
    score, largest = less.operands
    largest = without_casts(largest)
    compared = _reduced(largest, _MAXIMA, None)
    if compared is None or len(largest.dims) != 1 or not equal(compared, score, {largest.dims[0]: along}):
        return None
    return Softmax(score, safe=False)


def is_scalar(element: Element, name: str) -> bool:
    """Whether `element` is the result of operation `name`."""
    return element.kind == "scalar" and bool(element.data[0] == name)


def _quotient(element: Element) -> tuple[Element, Element] | None:
    """Numerator and denominator; a product with a reciprocal counts as well."""
    if is_scalar(element, "arith.divf"):
        return element.operands[0], element.operands[1]
    if not is_scalar(element, "arith.mulf"):
        return None
    for numerator, factor in (element.operands, element.operands[::-1]):
        reciprocal = without_casts(factor)
        if is_scalar(reciprocal, "arith.divf") and number_of(reciprocal.operands[0]) == 1.0:
            return numerator, reciprocal.operands[1]
    return None


def _reduced(element: Element, names: tuple[str, ...], starts: tuple[float, ...] | None) -> Element | None:
    """The operand that reduction `element` combines by one of the operations `names`, without casts; None for anything else.

    The initial value is one of `starts`, or the smallest number if there are none.
    """
    if element.kind != "reduce" or len(element.operands) != 2:
        return None
    body, first = element.operands
    body = without_casts(body)
    start = number_of(first)
    if body.kind != "scalar" or body.data[0] not in names or start is None:
        return None
    if start not in starts if starts is not None else start > -1e38:
        return None
    for reduced, old in (body.operands, body.operands[::-1]):
        if without_casts(old).kind == "accumulator":
            return reduced
    return None


def _all_minus_infinity(element: Element, score: Element, along: int) -> bool:
    """Whether `element` is true if and only if `score` is -inf for all of `along`."""
    element = _bit(element)
    if element.kind != "reduce" or len(element.operands) != 2 or len(element.dims) != 1:
        return False
    body, first = map(_bit, element.operands)
    if not is_scalar(body, "arith.andi") or first.kind != "constant" or not bool(first.data[0].value):
        return False
    both = [_bit(o) for o in body.operands]
    for term, old in (both, both[::-1]):
        if old.kind == "accumulator" and is_scalar(term, "arith.cmpf") and ORDERED_EQUAL in term.data[1]:
            value, bound = term.operands
            same = equal(without_casts(value), without_casts(score), {element.dims[0]: along})
            return same and number_of(bound) == float("-inf")
    return False
