"""Emulates 64-bit arithmetic by 32-bit words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes.simplify._scalars import constant

_P = arith.CmpIPredicate
DIVISIONS = ("arith.divsi", "arith.remsi", "arith.floordivsi", "arith.ceildivsi")
"""Operations that are supported only for numbers that fit in one word."""


@dataclass(frozen=True)
class Words:
    """An i64 as its low and its high word, both i32."""

    low: Any
    high: Any

    @classmethod
    def of(cls, number: int) -> Words:
        """The words of a constant."""
        return cls(_word_constant(number), _word_constant(number >> 32))


def apply(op: AnyOp, operands: list[Any], fits: bool) -> Any:
    """Emits `op` on `operands`, of which i64 values are Words. `fits`: all of them are in the range of i32, as DIVISIONS
    need.
    """
    if op.name in DIVISIONS and fits:
        return _divided(op, *operands)
    rule = _RULES.get(op.name)
    if rule is None:
        raise error_at(
            op, "of i64, which the array computes as two words of i32, but not for this operation; cast to i32 first"
        )
    return rule(op, *operands)


def extended(word: ir.Value) -> Words:
    """A signed word in 64 bits."""
    return Words(word, arith.shrsi(word, _word_constant(31)))


def add(a: Words, b: Words) -> Words:
    """The sum, modulo 2^64."""
    low = arith.addi(a.low, b.low)
    return Words(low, arith.addi(arith.addi(a.high, b.high), _bit(_is_less(low, a.low))))


def shifted_left(word: ir.Value, by: int) -> Words:
    """An unsigned word times 2^by, with by below 32."""
    if not by:
        return Words(word, _word_constant(0))
    return Words(arith.shli(word, _word_constant(by)), arith.shrui(word, _word_constant(32 - by)))


def _word_constant(number: int) -> Any:
    low = number & (2**32 - 1)
    return constant(low - 2**32 if low >= 2**31 else low, ir.IntegerType.get_signless(32))


def _bit(value: ir.Value) -> Any:
    return arith.extui(ir.IntegerType.get_signless(32), value)


def _is_less(a: ir.Value, b: ir.Value) -> Any:
    """Whether a < b, both unsigned."""
    return arith.cmpi(_P.ult, a, b)


def _sub(a: Words, b: Words) -> Words:
    borrow = _bit(_is_less(a.low, b.low))
    return Words(arith.subi(a.low, b.low), arith.subi(arith.subi(a.high, b.high), borrow))


def _product(a: ir.Value, b: ir.Value) -> Words:
    """All 64 bits of the product of two unsigned words, by 16-bit halves."""
    mask, half = _word_constant(0xFFFF), _word_constant(16)
    a0, a1, b0, b1 = arith.andi(a, mask), arith.shrui(a, half), arith.andi(b, mask), arith.shrui(b, half)
    first = arith.muli(a0, b0)
    middle = arith.addi(arith.muli(a1, b0), arith.shrui(first, half))
    cross = arith.addi(arith.muli(a0, b1), arith.andi(middle, mask))
    high = arith.addi(arith.addi(arith.muli(a1, b1), arith.shrui(middle, half)), arith.shrui(cross, half))
    return Words(arith.muli(a, b), high)


def _mul(a: Words, b: Words) -> Words:
    low = _product(a.low, b.low)
    return Words(low.low, arith.addi(low.high, arith.addi(arith.muli(a.low, b.high), arith.muli(a.high, b.low))))


def _divided(op: AnyOp, a: Words, b: Words) -> Words:
    """The quotient of numbers that fit in words, except -2^31 / -1."""
    inverts = arith.cmpi(_P.eq, b.low, _word_constant(-1))
    by = arith.select(inverts, _word_constant(1), b.low)
    result = extended(ir.Operation.create(op.name, [a.low.type], [a.low, by]).results[0])
    return result if op.name == "arith.remsi" else _select(op, inverts, _negated(a), result)


def _on_both_words(name: str) -> Callable[..., Words]:
    def rule(_op: AnyOp, a: Words, b: Words) -> Words:
        results = [ir.Operation.create(name, [x.type], [x, y]).results[0] for x, y in ((a.low, b.low), (a.high, b.high))]
        return Words(*results)

    return rule


def _select(_op: AnyOp, condition: ir.OpResult, a: Words, b: Words) -> Words:
    return Words(arith.select(condition, a.low, b.low), arith.select(condition, a.high, b.high))


_HIGH = {_P.slt: _P.slt, _P.sle: _P.slt, _P.sgt: _P.sgt, _P.sge: _P.sgt,
         _P.ult: _P.ult, _P.ule: _P.ult, _P.ugt: _P.ugt, _P.uge: _P.ugt}  # fmt: skip
_LOW = {_P.slt: _P.ult, _P.sle: _P.ule, _P.sgt: _P.ugt, _P.sge: _P.uge,
        _P.ult: _P.ult, _P.ule: _P.ule, _P.ugt: _P.ugt, _P.uge: _P.uge}  # fmt: skip


def _compare(predicate: Any, a: Words, b: Words) -> Any:
    if predicate in (_P.eq, _P.ne):
        joined = arith.andi if predicate == _P.eq else arith.ori
        return joined(arith.cmpi(predicate, a.low, b.low), arith.cmpi(predicate, a.high, b.high))
    same = arith.cmpi(_P.eq, a.high, b.high)
    return arith.select(same, arith.cmpi(_LOW[predicate], a.low, b.low), arith.cmpi(_HIGH[predicate], a.high, b.high))


def _extreme(predicate: object) -> Callable[..., Words]:
    return lambda op, a, b: _select(op, _compare(predicate, a, b), a, b)


def _shift_left(_op: AnyOp, a: Words, by: Words) -> Words:
    within, wide = arith.andi(by.low, _word_constant(31)), arith.cmpi(_P.uge, by.low, _word_constant(32))
    low = arith.shli(a.low, within)
    carried = arith.shrui(arith.shrui(a.low, _word_constant(1)), arith.subi(_word_constant(31), within))
    high = arith.ori(arith.shli(a.high, within), carried)
    return Words(arith.select(wide, _word_constant(0), low), arith.select(wide, low, high))


def _shift_right(shift: Callable[..., ir.Value], signed: bool) -> Callable[..., Words]:
    def rule(_op: AnyOp, a: Words, by: Words) -> Words:
        within, wide = arith.andi(by.low, _word_constant(31)), arith.cmpi(_P.uge, by.low, _word_constant(32))
        high = shift(a.high, within)
        carried = arith.shli(arith.shli(a.high, _word_constant(1)), arith.subi(_word_constant(31), within))
        low = arith.ori(arith.shrui(a.low, within), carried)
        above = arith.shrsi(a.high, _word_constant(31)) if signed else _word_constant(0)
        return Words(arith.select(wide, high, low), arith.select(wide, above, high))

    return rule


def _extui(op: AnyOp, value: ir.Value) -> Words:
    kind = ir.IntegerType.get_signless(32)
    return Words(value if value.type == kind else arith.extui(kind, value), _word_constant(0))


def _extsi(op: AnyOp, value: ir.Value) -> Words:
    kind = ir.IntegerType.get_signless(32)
    return extended(value if value.type == kind else arith.extsi(kind, value))


def _trunci(op: AnyOp, value: Words) -> Any:
    kind = op.results[0].type
    return value.low if kind == value.low.type else arith.trunci(kind, value.low)


def _index_cast(op: AnyOp, value: ir.Value) -> Any:
    """A cast to or from index, which is at most a word long."""
    if isinstance(value, Words):
        return arith.index_cast(op.results[0].type, value.low)
    return extended(arith.index_cast(ir.IntegerType.get_signless(32), value))


def _negated(value: Words) -> Words:
    return _sub(Words.of(0), value)


def _sitofp(op: AnyOp, value: Words) -> Any:
    """The high word times 2^32, plus the low one; a number that fits in a word is converted directly, rounded once."""
    kind = ir.F32Type.get()
    low = _unsigned_to_float(value.low)
    result = arith.addf(arith.mulf(arith.sitofp(kind, value.high), constant(2.0**32, kind)), low)
    fits = arith.cmpi(_P.eq, value.high, arith.shrsi(value.low, _word_constant(31)))
    result = arith.select(fits, arith.sitofp(kind, value.low), result)
    return result if op.results[0].type == kind else arith.truncf(op.results[0].type, result)


def _unsigned_to_float(word: ir.Value) -> Any:
    kind = ir.F32Type.get()
    top = arith.sitofp(kind, arith.shrui(word, _word_constant(16)))
    return arith.addf(arith.mulf(top, constant(2.0**16, kind)), arith.sitofp(kind, arith.andi(word, _word_constant(0xFFFF))))


def _fptosi(op: AnyOp, value: ir.Value) -> Words:
    """Toward zero: 16-bit parts from the top, each of which is exact, as is the remainder."""
    kind, word = ir.F32Type.get(), ir.IntegerType.get_signless(32)
    value = value if value.type == kind else arith.extf(kind, value)
    negative = arith.cmpf(arith.CmpFPredicate.OLT, value, constant(0.0, kind))
    rest, parts = arith.select(negative, arith.negf(value), value), []
    for exponent in (48, 32, 16, 0):
        part = arith.fptosi(word, arith.mulf(rest, constant(2.0**-exponent, kind)))
        rest = arith.subf(rest, arith.mulf(arith.sitofp(kind, part), constant(2.0**exponent, kind)))
        parts.append(part)
    high, low = (arith.ori(arith.shli(a, _word_constant(16)), b) for a, b in (parts[:2], parts[2:]))
    words = Words(low, high)
    return _select(op, negative, _negated(words), words)


def _absolute(op: AnyOp, value: Words) -> Words:
    return _select(op, arith.cmpi(_P.slt, value.high, _word_constant(0)), _negated(value), value)


def _popcount(_op: AnyOp, value: Words) -> Words:
    return Words(arith.addi(_count("math.ctpop", value.low), _count("math.ctpop", value.high)), _word_constant(0))


def _zeros(name: str) -> Callable[..., Words]:
    """The leading zeros of the high word, plus those of the low one if the high word is zero."""

    def rule(_op: AnyOp, value: Words) -> Words:
        front, back = (value.high, value.low) if name == "math.ctlz" else (value.low, value.high)
        both = arith.addi(_word_constant(32), _count(name, back))
        return Words(arith.select(arith.cmpi(_P.eq, front, _word_constant(0)), both, _count(name, front)), _word_constant(0))

    return rule


def _count(name: str, word: ir.Value) -> Any:
    return ir.Operation.create(name, [word.type], [word]).results[0]


def _predicate(op: AnyOp) -> Any:
    return _P(int(op.attributes["predicate"].value))


_RULES: dict[str, Callable[..., Any]] = {
    "arith.addi": lambda op, a, b: add(a, b),
    "arith.subi": lambda op, a, b: _sub(a, b),
    "arith.muli": lambda op, a, b: _mul(a, b),
    "arith.andi": _on_both_words("arith.andi"),
    "arith.ori": _on_both_words("arith.ori"),
    "arith.xori": _on_both_words("arith.xori"),
    "arith.select": _select,
    "arith.cmpi": lambda op, a, b: _compare(_predicate(op), a, b),
    "arith.maxsi": _extreme(_P.sgt),
    "arith.minsi": _extreme(_P.slt),
    "arith.maxui": _extreme(_P.ugt),
    "arith.minui": _extreme(_P.ult),
    "arith.shli": _shift_left,
    "arith.shrsi": _shift_right(arith.shrsi, True),
    "arith.shrui": _shift_right(arith.shrui, False),
    "arith.extsi": _extsi,
    "arith.extui": _extui,
    "arith.trunci": _trunci,
    "arith.index_cast": _index_cast,
    "arith.index_castui": _index_cast,
    "arith.sitofp": _sitofp,
    "arith.fptosi": _fptosi,
    "math.absi": _absolute,
    "math.ctpop": _popcount,
    "math.ctlz": _zeros("math.ctlz"),
    "math.cttz": _zeros("math.cttz"),
}
