"""Emits operations on two scalars of any types: chooses the result type, and emits casts and the operation. Python's numbers
are constants.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from allo_air.frontend import rules
from allo_air.frontend.errors import KernelError
from allo_air.frontend.numbers import Number, binary, can_represent, cast, compare, constant, natural, select
from allo_air.frontend.rules import RuleSet
from allo_air.frontend.types import Fixed, Int, ScalarType, UFixed, UInt

Scalar = Number | int | float | bool
"""A run-time scalar, or a compile-time one."""


def floor_division(a: int, b: int) -> Any:
    return a // b


def division(a: Any, b: Any) -> Any:
    """C's division: integers truncate toward zero."""
    if isinstance(a, int) and isinstance(b, int):
        return a // b if (a < 0) == (b < 0) or a % b == 0 else a // b + 1
    return a / b


FOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": division, "floordiv": floor_division,
    "mod": operator.mod, "min": min, "max": max, "and": operator.and_, "or": operator.or_, "xor": operator.xor,
    "shl": operator.lshift, "shr": operator.rshift, "pow": operator.pow,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_BITWISE = ("and", "or", "xor", "shl", "shr")


def type_of(scalar: Scalar, partner: ScalarType | None = None) -> ScalarType:
    """The type of a scalar. A Python number takes the type of the other operand, `partner`, if that type can represent it."""
    if isinstance(scalar, Number):
        return scalar.type
    if partner is None:
        return natural(scalar)
    if isinstance(scalar, float):
        return partner if partner.floating else ScalarType("float", 32)
    if partner.floating or (partner.integral and can_represent(scalar, partner)):
        return partner
    return natural(scalar)


def emit(scalar: Scalar, kind: ScalarType) -> Number:
    """The scalar as a value of `kind`."""
    return cast(scalar, kind) if isinstance(scalar, Number) else constant(scalar, kind)


def materialized(scalar: Scalar) -> Number:
    """The scalar as a value of its own type."""
    return emit(scalar, type_of(scalar))


def apply(name: str, a: Scalar, b: Scalar, rule_set: RuleSet) -> Scalar:
    """The result of operation `name`, one of `FOLDS`, on `a` and `b`."""
    if not isinstance(a, Number) and not isinstance(b, Number):
        return a / b if (name, rule_set) == ("div", "numpy") else FOLDS[name](a, b)
    left = type_of(a, b.type if isinstance(b, Number) else None)
    right = type_of(b, a.type if isinstance(a, Number) else None)
    if name in COMPARISONS:
        both = (rules.common_up_to_64_bits if rule_set == "numpy" else rules.common)(left, right)
        return compare(name, emit(a, both), emit(b, both))
    if name in _BITWISE:
        return _bitwise(name, a, b, left, right, rule_set)
    if name == "pow":
        return _power(a, b, left, right)
    if rule_set == "numpy" and name in ("div", "mod"):
        both = numpys_type(name, left, right)
        x, y = emit(a, both), emit(b, both)
        return _floor_mod(x, y) if name == "mod" else binary("div", x, y)
    if (left.fixed or right.fixed) and name in ("mul", "div"):
        return _fixed(name, a, b, left, right)
    if name == "mul":
        both = rules.multiply(left, right, rule_set)
    elif name in ("add", "sub"):
        both = rules.add(left, right, rule_set)
        if name == "sub" and not both.signed and rule_set == "default":
            both = Int(both.bits) if both.integral else Fixed(both.bits, both.fracs)
    else:
        both = rules.numpy_rule(left, right) if rule_set == "numpy" else rules.common(left, right)
    try:
        return binary(name, emit(a, both), emit(b, both))
    except KeyError as error:
        raise KernelError(f"'{name}' of {left} and {right}") from error


def numpys_type(name: str, left: ScalarType, right: ScalarType) -> ScalarType:
    """The result type by numpy's rules; quotients are floats, here of 32 bits."""
    both = rules.numpy_rule(left, right)
    return ScalarType("float", 32) if name == "div" and both.integral else both


def _floor_mod(a: Number, b: Number) -> Number:
    """numpy's remainder, with the sign of the divisor."""
    rest = binary("mod", a, b)
    if a.type.kind == "index" or not (a.type.signed or a.type.floating):
        return rest
    zero = constant(0, a.type)
    signs = binary("xor", compare("lt", rest, zero), compare("lt", b, zero))
    return select(binary("and", compare("ne", rest, zero), signs), binary("add", rest, b), rest)


def _bitwise(name: str, a: Scalar, b: Scalar, left: ScalarType, right: ScalarType, rule_set: RuleSet) -> Number:
    if left.floating or right.floating:
        raise KernelError(f"bits of {left} and {right}: bit operations take integers")
    common_type = rules.numpy_rule if rule_set == "numpy" else rules.common
    both = left if name in ("shl", "shr") and rule_set != "numpy" else common_type(left, right)
    if both.kind == "index" and left.kind != "index":
        both = left
    return binary(name, emit(a, both), emit(b, both))


def _power(a: Scalar, b: Scalar, left: ScalarType, right: ScalarType) -> Number:
    if isinstance(b, int) and not isinstance(b, bool) and 0 < b <= 64 and left.integral:
        base = emit(a, left)
        result = base
        for _ in range(b - 1):
            result = binary("mul", result, base)
        return result
    both = rules.common(left, right)
    if not both.floating:
        both = ScalarType("float", 32)
    return binary("pow", emit(a, both), emit(b, both))


def _fixed(name: str, a: Scalar, b: Scalar, left: ScalarType, right: ScalarType) -> Number:
    """Fixed-point arithmetic in integers with enough bits. A product has the fractional bits of both operands, a quotient those
    of the dividend.
    """
    if left.floating or right.floating:
        both = rules.common(left, right)
        return binary(name, emit(a, both), emit(b, both))
    signed = left.signed or right.signed
    room = (Int if signed else UInt)(left.bits + right.bits + abs(right.fracs))

    def raw(scalar: Scalar, kind: ScalarType) -> Number:
        number = emit(scalar, kind)
        bare = Number(number.value, (Int if kind.signed else UInt)(kind.bits)) if kind.fixed else number
        return cast(bare, room)

    x, y = raw(a, left), raw(b, right)
    make = Fixed if signed else UFixed
    if name == "mul":
        return Number(binary("mul", x, y).value, make(room.bits, left.fracs + right.fracs))
    scaled = binary("shl", x, constant(right.fracs, room))
    return Number(binary("div", scaled, y).value, make(room.bits, left.fracs))
