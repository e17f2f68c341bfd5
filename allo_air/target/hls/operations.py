"""Operations on numbers as C++ expressions: a table by operation, in which a missing entry is an error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from allo_air.target.hls.flavors import Flavor
from allo_air.target.hls.types import Kind
from allo_air.target.hls.values import Number

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

SIGNED, UNSIGNED, EITHER = True, False, None
"""The signedness that an operation assumes for its operands."""


@dataclass(frozen=True)
class Rule:
    """`form` is a format of the operands {0}, {1}, ... and the result's type {to}."""

    form: str
    sign: bool | None = EITHER
    result: bool | None = EITHER
    """The signedness of the result; EITHER: that of the operands."""
    bit: str = ""
    """The format for single bits, if it differs."""


_FLOORDIV = "(({0} % {1} != 0 && (({0} < 0) != ({1} < 0))) ? ({to})({0} / {1} - 1) : ({to})({0} / {1}))"
_CEILDIV = "(({0} % {1} != 0 && (({0} < 0) == ({1} < 0))) ? ({to})({0} / {1} + 1) : ({to})({0} / {1}))"
RULES = {
    "arith.addi": Rule("{0} + {1}", bit="{0} != {1}"), "arith.subi": Rule("{0} - {1}", bit="{0} != {1}"),
    "arith.muli": Rule("{0} * {1}", bit="{0} && {1}"),
    "arith.andi": Rule("{0} & {1}"), "arith.ori": Rule("{0} | {1}"), "arith.xori": Rule("{0} ^ {1}"),
    "arith.shli": Rule("{0} << {1}"), "arith.shrsi": Rule("{0} >> {1}", SIGNED), "arith.shrui": Rule("{0} >> {1}", UNSIGNED),
    "arith.divsi": Rule("{0} / {1}", SIGNED), "arith.divui": Rule("{0} / {1}", UNSIGNED),
    "arith.remsi": Rule("{0} % {1}", SIGNED), "arith.remui": Rule("{0} % {1}", UNSIGNED),
    "arith.floordivsi": Rule(_FLOORDIV, SIGNED), "arith.ceildivsi": Rule(_CEILDIV, SIGNED),
    "arith.ceildivui": Rule("({0} / {1} + ({0} % {1} != 0))", UNSIGNED),
    "arith.maxsi": Rule("({0} > {1} ? {0} : {1})", SIGNED), "arith.minsi": Rule("({0} < {1} ? {0} : {1})", SIGNED),
    "arith.maxui": Rule("({0} > {1} ? {0} : {1})", UNSIGNED), "arith.minui": Rule("({0} < {1} ? {0} : {1})", UNSIGNED),
    "arith.addf": Rule("{0} + {1}"), "arith.subf": Rule("{0} - {1}"), "arith.mulf": Rule("{0} * {1}"),
    "arith.divf": Rule("{0} / {1}"), "arith.remf": Rule("fmod({0}, {1})"), "arith.negf": Rule("-{0}"),
    "arith.maximumf": Rule("({0} > {1} || {0} != {0} ? {0} : {1})"),
    "arith.maxnumf": Rule("({0} > {1} || {1} != {1} ? {0} : {1})"),
    "arith.minimumf": Rule("({0} < {1} || {0} != {0} ? {0} : {1})"),
    "arith.minnumf": Rule("({0} < {1} || {1} != {1} ? {0} : {1})"),
    "arith.extsi": Rule("{0}", SIGNED, SIGNED, bit="-({to}){0}"), "arith.extui": Rule("{0}", UNSIGNED, UNSIGNED, bit="{0}"),
    "arith.trunci": Rule("{0}", bit="{0} & 1"),
    "arith.sitofp": Rule("({to}){0}", SIGNED, bit="({to})-(int){0}"), "arith.uitofp": Rule("({to}){0}", UNSIGNED),
    "arith.fptosi": Rule("({to}){0}", result=SIGNED), "arith.fptoui": Rule("({to}){0}", result=UNSIGNED),
    "arith.extf": Rule("({to}){0}"), "arith.truncf": Rule("({to}){0}"),
    "arith.index_cast": Rule("({to}){0}", SIGNED, SIGNED), "arith.index_castui": Rule("({to}){0}", UNSIGNED, UNSIGNED),
    "arith.select": Rule("{0} ? {1} : {2}"),
    "math.powf": Rule("pow({0}, {1})"), "math.fpowi": Rule("pow({0}, {1})"), "math.atan2": Rule("atan2({0}, {1})"),
    "math.fma": Rule("{0} * {1} + {2}"), "math.rsqrt": Rule("1 / sqrt({0})"),
    "math.absi": Rule("({0} < 0 ? ({to})-{0} : {0})", SIGNED),
    "math.absf": Rule("fabs({0})"), "math.roundeven": Rule("nearbyint({0})"), "math.ipowi": Rule("pow({0}, {1})", SIGNED),
    **{f"math.{name}": Rule(f"{name}({{0}})") for name in (
        "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "sin", "cos", "tan", "sinh", "cosh", "tanh",
        "asin", "acos", "atan", "asinh", "acosh", "atanh", "erf", "floor", "ceil", "round", "trunc",
    )},
}  # fmt: skip
"""The emitter of each operation."""

_COMPARES = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
_ORDERED = ("false", "==", ">", ">=", "<", "<=", "!=", "", "==", ">", ">=", "<", "<=", "!=", "", "true")


def expression_of(op: AnyOp, operands: list[Number], to: Kind, flavor: Flavor) -> tuple[str, Kind] | None:
    """The expression of an operation and the type of its result, or None if there is no rule for it."""
    if op.name == "arith.cmpi":
        return _compared(int(op.attributes["predicate"].value), operands, flavor), to
    if op.name == "arith.cmpf":
        return _ordered(int(op.attributes["predicate"].value), operands, flavor), to
    rule = RULES.get(op.name)
    if rule is None:
        return None
    from_ = operands[0].kind
    sign = rule.sign if rule.sign is not None else not all(_is_unsigned(o) for o in operands)
    to = to.with_sign(rule.result if rule.result is not None else sign)
    if op.name == "arith.select":
        texts = [operands[0].text, *(o.as_kind(to, flavor) for o in operands[1:])]
    else:
        texts = [o.as_kind(o.kind.with_sign(sign), flavor) for o in operands]
    form = rule.bit if rule.bit and (to if op.name == "arith.trunci" else from_).bits == 1 else rule.form
    return form.format(*texts, to=to.text(flavor)), to


def _is_unsigned(operand: Number) -> bool:
    return operand.constant is not None or (operand.kind.sort == "int" and not operand.kind.signed)


def _compared(predicate: int, operands: list[Number], flavor: Flavor) -> str:
    same = predicate < 2 and len({o.kind.signed for o in operands if o.constant is None}) == 1
    signed = next(o.kind.signed for o in operands if o.constant is None) if same else predicate < 6
    a, b = (o.as_kind(o.kind.with_sign(signed), flavor) for o in operands)
    return f"{a} {_COMPARES[predicate]} {b}"


def _ordered(predicate: int, operands: list[Number], flavor: Flavor) -> str:
    """Predicates of floats: false, the ordered ones, ord, uno, the unordered ones, true."""
    a, b = (o.text for o in operands)
    if predicate in (0, 15):
        return _ORDERED[predicate]
    if predicate in (7, 14):
        return f"{a} == {a} && {b} == {b}" if predicate == 7 else f"{a} != {a} || {b} != {b}"
    test = f"{a} {_ORDERED[predicate]} {b}"
    if predicate == 6:
        return f"{test} && {a} == {a} && {b} == {b}"
    return test if predicate < 7 or predicate == 13 else f"{test} || {a} != {a} || {b} != {b}"
