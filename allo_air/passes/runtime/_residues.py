"""Proves that two regions of a buffer are disjoint for all iterations of loops and launches, by residues of their indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from allo_air.core.constants import constant_of
from allo_air.core.loops import Loop
from allo_air.mlir import ir


@dataclass(frozen=True)
class Residue:
    """The numbers `offset` + z * `step` for all integers z; with step 0, one number."""

    offset: int
    step: int

    def __add__(self, other: Residue) -> Residue:
        return Residue(self.offset + other.offset, gcd(self.step, other.step))

    def scaled(self, factor: int) -> Residue:
        return Residue(self.offset * factor, abs(self.step * factor))


ANY = Residue(0, 1)


def apart(a: Residue, size_a: int, b: Residue, size_b: int) -> bool:
    """Whether an interval of `size_a` numbers from any number of `a` never overlaps one of `size_b` from any number of `b`."""
    step = gcd(a.step, b.step)
    distance = a.offset - b.offset
    if step == 0:
        return distance >= size_b or -distance >= size_a
    distance %= step
    return size_b <= distance <= step - size_a


def residue(value: ir.Value) -> Residue:
    """The residue of an index, from the constants and steps of the loops that it depends on."""
    number = constant_of(value)
    if number is not None:
        return Residue(number, 0)
    if isinstance(value, ir.BlockArgument):
        return _counter(value)
    op = value.owner
    if op.name == "affine.apply":
        indexing = op.attributes["map"].value
        return _expression(indexing.results[0], list(op.operands), indexing.n_dims)
    if op.name == "arith.addi":
        return residue(op.operands[0]) + residue(op.operands[1])
    if op.name == "arith.muli":
        return _product(*map(residue, op.operands))
    return ANY


def _counter(value: ir.BlockArgument) -> Residue:
    loop = value.owner.owner
    if loop is None or loop.operation.name != "scf.for" or value.arg_number != 0:
        return ANY
    [(low, _, step)] = Loop(loop.operation).bounds()
    return ANY if low is None or step is None else Residue(low, abs(step))


def _product(a: Residue, b: Residue) -> Residue:
    if a.step == 0:
        return b.scaled(a.offset)
    return a.scaled(b.offset) if b.step == 0 else ANY


def _expression(expression: ir.AffineExpr, operands: Sequence[ir.Value], dims: int) -> Residue:
    if isinstance(expression, ir.AffineConstantExpr):
        return Residue(ir.AffineConstantExpr(expression).value, 0)
    if isinstance(expression, ir.AffineDimExpr):
        return residue(operands[ir.AffineDimExpr(expression).position])
    if isinstance(expression, ir.AffineSymbolExpr):
        return residue(operands[dims + ir.AffineSymbolExpr(expression).position])
    for kind, combine in ((ir.AffineAddExpr, Residue.__add__), (ir.AffineMulExpr, _product)):
        if isinstance(expression, kind):
            both = kind(expression)
            return combine(_expression(both.lhs, operands, dims), _expression(both.rhs, operands, dims))
    return ANY
