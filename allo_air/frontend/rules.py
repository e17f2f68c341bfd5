"""Typing rules: the result types of operations on two types.

`default` widens, so that no sum or product of integers overflows before it is stored. `cpp-style` uses the wider of both
operand types, as the cores' instructions do. `numpy` is for functions without types. A result is finally converted to the type
of the variable that stores it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from allo_air.frontend.errors import KernelError
from allo_air.frontend.types import Fixed, Int, ScalarType, UFixed, UInt, index

RuleSet = Literal["default", "cpp-style", "numpy"]

_INDEX_BITS = 34
"""Bits of the signed integer that an index counts as in integer arithmetic."""


def common(a: ScalarType, b: ScalarType) -> ScalarType:
    """The narrowest type that can represent the values of both, without a bit for carries."""
    if a == b:
        return a
    if a.floating or b.floating:
        return _common_float(a, b)
    if a.fixed or b.fixed:
        return _fixed(a, b, 0)
    a, b = _index_as_int(a), _index_as_int(b)
    if a.signed == b.signed:
        return a if a.bits >= b.bits else b
    wide = max(a.bits + (not a.signed), b.bits + (not b.signed))
    return Int(wide)


def common_up_to_64_bits(a: ScalarType, b: ScalarType) -> ScalarType:
    """`common`, if it has at most 64 bits or an operand has more. Raises KernelError for int64 with uint64."""
    both = common(a, b)
    if both.integral and both.bits > 64 >= max(a.bits, b.bits):
        reason = "no integer of 64 bits holds both (numpy uses float64, which the array does not have)"
        raise KernelError(f"{a} with {b}: {reason}; convert one to the type of the other, as {a}(y)")
    return both


def cpp_rule(a: ScalarType, b: ScalarType) -> ScalarType:
    """C's rule: the wider of both; of equal width, the unsigned one."""
    if a.floating or b.floating or a.fixed or b.fixed:
        return common(a, b)
    if "index" in (a.kind, b.kind):
        return a if b.kind == "index" else b
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if not a.signed else b


def numpy_rule(a: ScalarType, b: ScalarType) -> ScalarType:
    """numpy's rule: a type that can represent both, of 8, 16, 32 or 64 bits for integers; an index takes the other type."""
    if a == b or "index" in (a.kind, b.kind):
        return cpp_rule(a, b)
    both = common_up_to_64_bits(a, b)
    if (wide := next((t for t in (a, b) if t.kind == "uint" and t.bits > 32), None)) is not None and both.floating:
        reason = "numpy uses float64, which the array does not have, and float32 holds few numbers of 64 bits"
        raise KernelError(f"{a} with {b}: {reason}; convert the {wide} to uint32 or int32 before")
    if both.floating and any(t.integral and t.bits > 8 for t in (a, b)):
        return ScalarType("float", max(both.bits, 32))
    return replace(both, bits=next((n for n in (8, 16, 32, 64) if n >= both.bits), both.bits)) if both.integral else both


def add(a: ScalarType, b: ScalarType, rules: RuleSet) -> ScalarType:
    """The type of a sum or a difference."""
    if a.kind == b.kind == "index":
        return index
    if rules != "default" or a.floating or b.floating:
        return numpy_rule(a, b) if rules == "numpy" else cpp_rule(a, b)
    if a.fixed or b.fixed:
        return _fixed(a, b, 1)
    wide = common(_index_as_int(a), _index_as_int(b))
    return replace(wide, bits=wide.bits + 1)


def multiply(a: ScalarType, b: ScalarType, rules: RuleSet) -> ScalarType:
    """The type of a product."""
    if a.kind == b.kind == "index":
        return index
    if rules != "default" or a.floating or b.floating:
        return numpy_rule(a, b) if rules == "numpy" else cpp_rule(a, b)
    if a.fixed or b.fixed:
        a, b = _as_fixed(a), _as_fixed(b)
        make = Fixed if a.signed or b.signed else UFixed
        return make(a.bits + b.bits, a.fracs + b.fracs)
    a, b = _index_as_int(a), _index_as_int(b)
    return (Int if a.signed or b.signed else UInt)(a.bits + b.bits)


def accumulator(a: ScalarType, b: ScalarType, rules: RuleSet = "default") -> ScalarType:
    """The type of a sum of products: at least 32 bits, and f32 for narrower floats."""
    wide = common_up_to_64_bits(a, b) if rules == "numpy" else common(a, b)
    if wide.floating:
        return wide if wide.bits > 16 else ScalarType("float", 32)
    return wide if wide.fixed or wide.bits >= 32 else (Int if wide.signed else UInt)(32)


def _common_float(a: ScalarType, b: ScalarType) -> ScalarType:
    if not (a.floating and b.floating):
        return a if a.floating else b
    if a.bits == b.bits:
        return ScalarType("float", 32)
    return a if a.bits > b.bits else b


def _index_as_int(a: ScalarType) -> ScalarType:
    return Int(_INDEX_BITS) if a.kind == "index" else a


def _as_fixed(a: ScalarType) -> ScalarType:
    a = _index_as_int(a)
    return a if a.fixed else (Fixed if a.signed else UFixed)(a.bits, 0)


def _fixed(a: ScalarType, b: ScalarType, carry: int) -> ScalarType:
    a, b = _as_fixed(a), _as_fixed(b)
    fracs = max(a.fracs, b.fracs)
    signed = a.signed or b.signed
    whole = max(t.bits - t.fracs + (signed and not t.signed) for t in (a, b))
    return (Fixed if signed else UFixed)(whole + fracs + carry, fracs)
