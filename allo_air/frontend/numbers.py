"""Emits scalar arithmetic: constants, casts, and the operations on two numbers of one type."""

from __future__ import annotations

import math as pymath
from dataclasses import dataclass
from typing import Any

from allo_air.frontend.types import Int, ScalarType, UInt, index
from allo_air.mlir import arith, ir, math

BOOL = UInt(1)
WORD = Int(32)
"""The type of integer literals in C."""


@dataclass(frozen=True)
class Number:
    """A run-time scalar."""

    value: Any
    type: ScalarType


def mlir_type(kind: ScalarType) -> Any:
    """The MLIR type: integers are signless, and fixed-point numbers are integers."""
    if kind.kind == "index":
        return ir.IndexType.get()
    if not kind.floating:
        return ir.IntegerType.get_signless(kind.bits)
    if kind.brain:
        return ir.BF16Type.get()
    kinds: dict[int, Any] = {16: ir.F16Type, 32: ir.F32Type, 64: ir.F64Type}
    return kinds[kind.bits].get()


def can_represent(number: float | int, kind: ScalarType) -> bool:
    """Whether an integer type can represent an integer."""
    if not kind.integral or isinstance(number, float):
        return True
    low = -(1 << kind.bits - 1) if kind.signed else 0
    return low <= number < (1 << kind.bits - kind.signed)


def natural(number: object) -> ScalarType:
    """The type of a Python number on its own: i32 or as wide as necessary, f32, or a bit."""
    if isinstance(number, bool):
        return BOOL
    if isinstance(number, int):
        return Int(32 if can_represent(number, Int(32)) else max(64, number.bit_length() + 1))
    return ScalarType("float", 32)


def constant(number: Any, kind: ScalarType) -> Number:
    """`number` as a value of `kind`; integers wrap, as a cast does."""
    type_ = mlir_type(kind)
    if kind.floating:
        return Number(arith.ConstantOp(type_, ir.FloatAttr.get(type_, float(number))).result, kind)
    if kind.fixed:
        number = pymath.floor(number * 2**kind.fracs) if pymath.isfinite(number) else 0
    number = int(number)
    if kind.kind == "index":
        return Number(arith.ConstantOp(type_, ir.IntegerAttr.get(type_, number)).result, kind)
    number &= (1 << kind.bits) - 1
    if kind.bits > 64:
        attribute = ir.Attribute.parse(f"{number} : i{kind.bits}")
    else:
        signed = number - (1 << kind.bits) if number >> (kind.bits - 1) else number
        attribute = ir.IntegerAttr.get(type_, signed)
    return Number(arith.ConstantOp(type_, attribute).result, kind)


def cast(number: Number, to: ScalarType) -> Number:
    """Converts like C: integers wrap, floats truncate toward zero, fixed-point numbers lose their last bits."""
    source = number.type
    if source == to:
        return number
    if source.fixed or to.fixed:
        return _cast_fixed(number, to)
    type_, value = mlir_type(to), number.value
    if source.floating:
        return Number(_from_float(value, source, to, type_), to)
    if to.floating:
        if source.kind == "index":
            value = arith.index_cast(ir.IntegerType.get_signless(64), value)
        if source.bits == 1 and not source.signed:
            return Number(arith.uitofp(type_, value), to)
        return Number((arith.sitofp if source.signed else arith.uitofp)(type_, value), to)
    if "index" in (source.kind, to.kind):
        return Number(_through_index(value, source, to), to)
    if to.bits > source.bits:
        value = (arith.extsi if source.signed else arith.extui)(type_, value)
    elif to.bits < source.bits:
        low = _narrow(value, type_) if source == WORD else None
        value = arith.trunci(type_, value) if low is None else low
    return Number(value, to)


_LOW_BITS = ("arith.addi", "arith.subi", "arith.muli")
"""Operations whose low bits depend only on the low bits of their operands."""


def _narrow(value: Any, type_: Any) -> Any:
    """Sums and products of extended numbers and constants, computed in the narrower `type_`; None for others."""
    op = None if isinstance(value, ir.BlockArgument) else value.owner.operation
    if op is None:
        return None
    if op.name == "arith.constant":
        return constant(op.attributes["value"].value, Int(type_.width)).value
    if op.name in ("arith.extsi", "arith.extui"):
        inner = op.operands[0]
        if inner.type == type_:
            return inner
        return None if inner.type.width > type_.width else ir.Operation.create(op.name, [type_], [inner]).result
    if op.name not in _LOW_BITS:
        return None
    operands = [_narrow(operand, type_) for operand in op.operands]
    return None if any(o is None for o in operands) else ir.Operation.create(op.name, operands=operands, results=[type_]).result


def _through_index(value: ir.Value, source: ScalarType, to: ScalarType) -> Any:
    if source.kind == to.kind == "index":
        return value
    if to.kind == "index":
        if source.bits > 64:
            value = arith.trunci(ir.IntegerType.get_signless(64), value)
        return (arith.index_cast if source.signed else arith.index_castui)(ir.IndexType.get(), value)
    if to.bits <= 64:
        return arith.index_cast(mlir_type(to), value)
    return arith.extsi(mlir_type(to), arith.index_cast(ir.IntegerType.get_signless(64), value))


def _from_float(value: ir.Value, source: ScalarType, to: ScalarType, type_: ir.Type) -> Any:
    if to.floating:
        if to.bits == source.bits:
            value = arith.extf(ir.F32Type.get(), value)
            return arith.truncf(type_, value)
        return (arith.extf if to.bits > source.bits else arith.truncf)(type_, value)
    if to.kind == "index":
        return arith.index_cast(type_, arith.fptosi(ir.IntegerType.get_signless(64), value))
    if to.signed or to.bits >= 64:
        return (arith.fptosi if to.signed else arith.fptoui)(type_, value)
    wide = arith.fptosi(ir.IntegerType.get_signless(64), value)
    return arith.trunci(type_, wide)


def _raw(kind: ScalarType) -> ScalarType:
    return (Int if kind.signed else UInt)(kind.bits) if kind.fixed else kind


def _cast_fixed(number: Number, to: ScalarType) -> Number:
    source = number.type
    if source.floating:
        low = Number(math.floor(arith.mulf(number.value, constant(2.0**to.fracs, source).value)), source)
        return Number(cast(cast(low, Int(max(64, to.bits))), _raw(to)).value, to)
    if to.floating:
        exact = cast(Number(number.value, _raw(source)), ScalarType("float", max(32, to.bits)))
        scaled = Number(arith.mulf(exact.value, constant(2.0**-source.fracs, exact.type).value), exact.type)
        return cast(scaled, to)
    raw = Number(number.value, _raw(source))
    up = to.fracs - source.fracs
    room = (Int if source.signed else UInt)(max(source.bits + max(up, 0), to.bits, 64 if source.kind == "index" else 1))
    wide = cast(raw, room)
    if up:
        by = constant(abs(up), room).value
        shift = arith.shli if up > 0 else arith.shrsi if source.signed else arith.shrui
        wide = Number(shift(wide.value, by), room)
    return Number(cast(wide, _raw(to)).value, to)


def binary(name: str, a: Number, b: Number) -> Number:
    """The result of operation `name` (`add`, `sub`, `mul`, `div`, `floordiv`, `mod`, `min`, `max`, ...) on `a` and `b`, which
    have one type.
    """
    kind = a.type
    if kind.floating:
        return Number(_float(name, a.value, b.value), kind)
    suffix = "si" if kind.signed else "ui"
    integer = {
        "add": "addi", "sub": "subi", "mul": "muli", "div": f"div{suffix}", "mod": f"rem{suffix}",
        "floordiv": "floordivsi" if kind.signed else "divui", "min": f"min{suffix}", "max": f"max{suffix}",
        "and": "andi", "or": "ori", "xor": "xori", "shl": "shli", "shr": f"shr{suffix}",
    }  # fmt: skip
    if name not in integer:
        raise KeyError(name)
    if kind.kind == "index" and name == "mod":
        return Number(_floor_mod(a.value, b.value), kind)
    return Number(getattr(arith, integer[name])(a.value, b.value), kind)


def _floor_mod(a: Any, b: Any) -> Any:
    return arith.subi(a, arith.muli(arith.floordivsi(a, b), b))


def _float(name: str, a: ir.Value, b: ir.Value) -> Any:
    if name == "floordiv":
        return math.floor(arith.divf(a, b))
    if name == "pow":
        return math.powf(a, b)
    names = {"add": "addf", "sub": "subf", "mul": "mulf", "div": "divf", "mod": "remf", "min": "minimumf", "max": "maximumf"}
    return getattr(arith, names[name])(a, b)


_ORDERED = {"eq": (0, 1), "ne": (1, 13), "lt": (2, 4), "le": (3, 5), "gt": (4, 2), "ge": (5, 3)}
"""Predicates of arith.cmpi (signed; four more is unsigned) and of arith.cmpf (ordered; `ne` is unordered, as in IEEE 754)."""


def compare(name: str, a: Number, b: Number) -> Number:
    """A comparison of two numbers of one type: `eq`, `ne`, `lt`, `le`, `gt`, `ge`."""
    on_integers, on_floats = _ORDERED[name]
    if a.type.floating:
        return Number(arith.cmpf(on_floats, a.value, b.value), BOOL)
    if on_integers > 1 and not a.type.signed:
        on_integers += 4
    return Number(arith.cmpi(on_integers, a.value, b.value), BOOL)


def truth(number: Number) -> Number:
    """Whether a number is not zero."""
    if number.type == BOOL:
        return number
    return compare("ne", number, constant(0, number.type))


def negate(number: Number) -> Number:
    """The negated number."""
    if number.type.floating:
        return Number(arith.negf(number.value), number.type)
    return binary("sub", constant(0, number.type), number)


def select(condition: Number, a: Number, b: Number) -> Number:
    """`a` if `condition` is true, else `b`; both of one type."""
    return Number(arith.select(condition.value, a.value, b.value), a.type)


def to_index(number: Number) -> Any:
    """The value as an index."""
    return cast(number, index).value
