"""Shortcuts for building arithmetic and calls in a core's code."""

from __future__ import annotations

from typing import Any

from allo_air.core import loops
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.functions import call_function, declare_function
from allo_air.mlir import AnyOp, arith, ir

Number = int | Any
"""A constant, or a value of type index."""


def index(value: Number) -> Any:
    """`value` as an SSA value of type index, at the current insertion point."""
    return arith.constant(ir.IndexType.get(), value) if isinstance(value, int) else value


def i32(value: int) -> Any:
    """A constant of type i32."""
    return arith.constant(ir.IntegerType.get_signless(32), value)


def add(a: Number, b: Number) -> Number:
    """a + b, folded where both are constants or one is 0."""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if isinstance(a, int) and a == 0:
        return b
    if isinstance(b, int) and b == 0:
        return a
    return arith.addi(index(a), index(b))


def mul(a: Number, b: Number) -> Number:
    """a * b, folded where both are constants or one is 0 or 1."""
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    for x, y in ((a, b), (b, a)):
        if isinstance(x, int) and x in (0, 1):
            return y if x else 0
    return arith.muli(index(a), index(b))


def trip_count(lower: Number, upper: Number, step: Number) -> Number:
    """The trip count of a loop from `lower` to below `upper` by `step` (above 0)."""
    if isinstance(lower, int) and isinstance(upper, int) and isinstance(step, int):
        return loops.trip_count(lower, upper, step)
    span = arith.maxsi(arith.subi(index(upper), index(lower)), index(0))
    return span if isinstance(step, int) and step == 1 else arith.ceildivsi(span, index(step))


def bounds_of(loop: ir.Operation) -> list[Number]:
    """Lower bound, upper bound and step of an `scf.for`: Python numbers if constant, otherwise values of type index.

    Raises DiagnosticError for a step that is not positive.
    """
    kind = ir.IndexType.get()
    bounds = [n if (n := constant_of(v)) is not None else cast(v, kind) for v in list(loop.operands)[:3]]
    if isinstance(step := bounds[2], int) and step <= 0:
        raise error_at(loop, f"has step {step}; expected a positive one")
    return bounds


def cast(value: ir.Value, kind: ir.Type) -> Any:
    """Converts the integer or index `value` to `kind`, by sign extension or truncation."""
    if value.type == kind:
        return value
    if isinstance(value.type, ir.IndexType) or isinstance(kind, ir.IndexType):
        return arith.index_cast(kind, value)
    narrower = ir.IntegerType(kind).width < ir.IntegerType(value.type).width
    return arith.trunci(kind, value) if narrower else arith.extsi(kind, value)


def load(kind: ir.Type, address: ir.Value) -> Any:
    """The value of type `kind` at LLVM pointer `address`."""
    return ir.Operation.create("llvm.load", [kind], [address]).results[0]


def store(value: ir.Value, address: ir.Value) -> None:
    """Stores `value` at LLVM pointer `address`."""
    ir.Operation.create("llvm.store", [], [value, address])


def as_integer(pointer: ir.Value) -> Any:
    """An LLVM pointer as i64."""
    return ir.Operation.create("llvm.ptrtoint", [ir.IntegerType.get_signless(64)], [pointer]).results[0]


class Calls:
    """Calls of the engine's C functions from a core's code; each function is declared when it is first called."""

    def __init__(self, module: AnyOp):
        self._module = module
        self._declared: set[str] = set()

    def __call__(self, name: str, *arguments: ir.Value) -> None:
        """Calls `name` with `arguments` at the current insertion point."""
        if name not in self._declared:
            self._declared.add(name)
            kind = ir.FunctionType.get([a.type for a in arguments], [])
            declare_function(name, kind, ip=ir.InsertionPoint.at_block_begin(self._module.regions[0].blocks[0]))
        call_function(name, [], arguments)
