"""Index constants and sums for new operands, one SSA value per distinct constant."""

from __future__ import annotations

from typing import Any

from allo_air.access.linear import Linear
from allo_air.core.constants import constant_of, index_constant
from allo_air.mlir import AnyOp, affine, ir


class Indices:
    """Creates index values; reuses constants of the enclosing isolated region's entry block."""

    def __init__(self) -> None:
        self._constants: dict[ir.Block, dict[int, ir.Value]] = {}
        self._last: tuple[Any, Any, Any] = (None, None, None)

    def value(self, linear: Linear, op: AnyOp) -> Any:
        """An SSA value that equals `linear` and may be used by `op`."""
        if linear.is_constant:
            return self.constant(linear.constant, op)
        [(first, factor), *rest] = linear.terms
        if not rest and factor == 1 and not linear.constant:
            return first
        expression: ir.AffineExpr = ir.AffineExpr.get_constant(linear.constant, op.context)
        for i, (_, coefficient) in enumerate(linear.terms):
            expression = expression + ir.AffineExpr.get_symbol(i, op.context) * coefficient
        applied = ir.AffineMap.get(0, len(linear.terms), [expression], op.context)
        return affine.AffineApplyOp(applied, [v for v, _ in linear.terms], loc=op.location, ip=ir.InsertionPoint(op)).result

    def constant(self, number: int, op: AnyOp) -> Any:
        """The index constant `number`, at a position that dominates `op`."""
        if self._last[0] is not op:
            self._last = (op, *entry(op))
        _, block, anchor = self._last
        if block not in self._constants:
            self._constants[block] = _index_constants(block)
        constants = self._constants[block]
        value = constants.get(number)
        if value is None:
            value = constants[number] = index_constant(number, op.location, ir.InsertionPoint.at_block_begin(block))
            return value
        owner = value.owner.operation
        if anchor.block == block and not owner.is_before_in_block(anchor):
            owner.move_before(block.operations[0])
        return value


def entry(op: AnyOp) -> tuple[Any, Any]:
    """The entry block of the innermost isolated region around `op`, and the operation of that block that contains `op`."""
    inner = op.operation
    while (outer := inner.parent) is not None and not outer.operation.has_trait(ir.IsIsolatedFromAboveTrait):
        inner = outer.operation
    return inner.block.region.blocks[0], inner


def _index_constants(block: ir.Block) -> dict[int, ir.Value]:
    values: dict[int, ir.Value] = {}
    index = ir.IndexType.get(block.owner.context)
    for op in block.operations:
        if op.name != "arith.constant" or op.results[0].type != index:
            continue
        number = constant_of(op.results[0])
        if number is not None:
            values.setdefault(number, op.results[0])
    return values
