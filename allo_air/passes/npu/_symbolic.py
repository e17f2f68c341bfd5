"""Integer arithmetic whose operands are Python numbers or SSA values: numbers are folded, values become arith operations."""

from __future__ import annotations

from typing import Any

from allo_air.core.constants import constant_of
from allo_air.mlir import AnyOp, arith, ir

Number = Any
"""An int, or an i64 value."""
Truth = Any
"""A bool, or an i1 value."""


class Symbolic:
    """Arithmetic that inserts its operations before `op`."""

    def __init__(self, op: Any) -> None:
        self.op = op.operation
        self.i64, self.i32 = (ir.IntegerType.get_signless(bits) for bits in (64, 32))

    def of(self, value: ir.Value) -> Number:
        """`value`, of any integer type or index: its constant, or an i64 value."""
        if (constant := constant_of(value)) is not None:
            return constant
        with self._location():
            if isinstance(value.type, ir.IndexType):
                return arith.index_cast(self.i64, value)
            if value.type.width < 64:
                return arith.extsi(self.i64, value)
        return value

    def add(self, a: Number, b: Number) -> Number:
        if _are_constant(a, b):
            return a + b
        if a == 0 or b == 0:
            return b if _is(a, 0) else a if _is(b, 0) else self._binary(arith.addi, a, b)
        return self._binary(arith.addi, a, b)

    def sub(self, a: Number, b: Number) -> Number:
        return a - b if _are_constant(a, b) else a if _is(b, 0) else self._binary(arith.subi, a, b)

    def mul(self, a: Number, b: Number) -> Number:
        if _are_constant(a, b):
            return a * b
        if _is(a, 0) or _is(b, 0):
            return 0
        return b if _is(a, 1) else a if _is(b, 1) else self._binary(arith.muli, a, b)

    def div(self, a: Number, b: int) -> Number:
        return a // b if _are_constant(a) else a if b == 1 else self._binary(arith.divui, a, b)

    def shifted(self, a: Number, by: int) -> Number:
        return a << by if _are_constant(a) else a if by == 0 else self._binary(arith.shli, a, by)

    def masked(self, a: Number, mask: int) -> Number:
        return a & mask if _are_constant(a) else self._binary(arith.andi, a, mask)

    def joined(self, a: Number, b: Number) -> Number:
        if _are_constant(a, b):
            return a | b
        return b if _is(a, 0) else a if _is(b, 0) else self._binary(arith.ori, a, b)

    def compare(self, predicate: str, a: Number, b: Number) -> Truth:
        """The truth of `a` compared with `b` by `predicate`: `eq`, `slt` or `sgt`."""
        if _are_constant(a, b):
            return {"eq": a == b, "slt": a < b, "sgt": a > b}[predicate]
        with self._location():
            return arith.cmpi(getattr(arith.CmpIPredicate, predicate), self.value(a), self.value(b))

    def both(self, *truths: Truth) -> Truth:
        result: Truth = True
        for truth in truths:
            if truth is False:
                return False
            if truth is not True:
                with self._location():
                    result = truth if result is True else arith.andi(result, truth)
        return result

    def either(self, a: Truth, b: Truth) -> Truth:
        if a is True or b is True:
            return True
        if a is False or b is False:
            return b if a is False else a
        with self._location():
            return arith.ori(a, b)

    def choose(self, truth: Truth, a: Number, b: Number) -> Number:
        if isinstance(truth, bool):
            return a if truth else b
        if _are_constant(a, b) and a == b:
            return a
        with self._location():
            return arith.select(truth, self.value(a), self.value(b))

    def value(self, a: Number) -> ir.Value:
        """A number as an i64 value."""
        with self._location():
            return arith.constant(self.i64, a) if _are_constant(a) else a

    def word(self, a: Number) -> ir.Value:
        """A number as an i32 value."""
        with self._location():
            if _are_constant(a):
                return arith.constant(self.i32, a - (1 << 32) if a >= 1 << 31 else a)
            return arith.trunci(self.i32, a)

    def _binary(self, make: Any, a: Number, b: Number) -> Number:
        with self._location():
            return make(self.value(a), self.value(b))

    def _location(self) -> Any:
        return _At(self.op)


class _At:
    def __init__(self, op: AnyOp) -> None:
        self.parts = (ir.InsertionPoint(op), op.location)

    def __enter__(self) -> None:
        for part in self.parts:
            part.__enter__()

    def __exit__(self, *exception: object) -> None:
        for part in reversed(self.parts):
            part.__exit__(*exception)


def _are_constant(*numbers: Number) -> bool:
    return all(isinstance(n, int) for n in numbers)


def _is(number: Number, expected: int) -> bool:
    return isinstance(number, int) and number == expected
