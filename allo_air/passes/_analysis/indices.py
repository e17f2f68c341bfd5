"""Expresses index values as sums of loop variables, hierarchy ids and other values, and finds their ranges."""

from __future__ import annotations

from typing import Any

from allo_air.access.linear import Linear
from allo_air.core.constants import constant_of
from allo_air.core.folding import RULES
from allo_air.core.loops import LOOPS, Bounds, Loop, trip_count
from allo_air.dialects.air_values import HIERARCHIES, grid_of, outer_operand
from allo_air.mlir import ir
from allo_air.passes._analysis.arithmetic import evaluate


class IndexValues:
    """Expresses index values as linear sums, with a cache. The IR must not change while the object is in use."""

    def __init__(self) -> None:
        self._found: dict[Any, Linear] = {}
        self._ranges: dict[Any, tuple[int, int, int] | None] = {}
        self._blocks: dict[Any, Any] = {}

    def resolved(self, linear: Linear | None) -> Linear | None:
        """`linear` with each of its values replaced by the value's sum; None stays None."""
        if linear is None or not linear.terms:
            return linear
        total = Linear(linear.constant)
        for value, factor in linear.terms:
            total += self.value(value).scaled(factor)
        return total

    def value(self, value: ir.Value) -> Linear:
        """The sum for `value`; if it cannot be expressed, `value` itself."""
        linear = self._found.get(value)
        if linear is None:
            linear = self._found[value] = self._made_of(value)
        return linear

    def constant(self, value: ir.Value) -> int | None:
        """The number that `value` always has; None if unknown."""
        constant_value = self.value(value)
        return constant_value.constant if constant_value.is_constant else None

    def block_of(self, value: ir.Value) -> ir.Block:
        """The block that defines `value`."""
        if value not in self._blocks:
            self._blocks[value] = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
        return self._blocks[value]

    def range_of(self, value: ir.Value) -> tuple[int, int, int] | None:
        """(lowest value, number of values, step) of a loop variable or id with constant bounds; None for any other value."""
        if value not in self._ranges:
            self._ranges[value] = self._range(value)
        return self._ranges[value]

    def _made_of(self, value: ir.Value) -> Linear:
        number = constant_of(value)
        if number is not None:
            return Linear(number)
        outer = outer_operand(value)
        if outer is not None:
            return self.value(outer)
        result = None
        if isinstance(value, ir.OpResult) and value.owner.name in RULES:
            result = evaluate(value.owner, [self.value(v) for v in value.owner.operands], self._ends)
        return Linear(0, ((value, 1),)) if result is None else result

    def _ends(self, value: ir.Value) -> tuple[int, int] | None:
        range_ = self.range_of(value)
        return None if range_ is None else (range_[0], range_[0] + max(0, range_[1] - 1) * range_[2])

    def _range(self, value: ir.Value) -> tuple[int, int, int] | None:
        if not isinstance(value, ir.BlockArgument):
            return None
        op, number = value.owner.owner.operation, value.arg_number
        bounds: Bounds = (None, None, None)
        if op.name in HIERARCHIES:
            sizes = grid_of(op)
            bounds = (0, self.constant(sizes[number]), 1) if number < len(sizes) else bounds
        elif op.name in LOOPS and number < len(bounds_of_loop := Loop(op).bounds(self.constant)):
            bounds = bounds_of_loop[number]
        lower, upper, step = bounds
        if lower is None or upper is None or step is None or step <= 0:
            return None
        return lower, trip_count(lower, upper, step), step
