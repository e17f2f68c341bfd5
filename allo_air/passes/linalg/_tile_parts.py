"""Parts of packed tiles, and arithmetic on their offsets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.mlir import ir
from allo_air.passes.linalg._operand_tiles import sliced


@dataclass(frozen=True)
class Part:
    """A part of a packed tile: `size` blocks of micro-tiles from block `offset` on, in dimension `dim`; all of it if `size` is
    0.
    """

    dim: int = 0
    offset: Any = 0
    size: int = 0

    def _lists(self, value: ir.Value) -> tuple[list[Any], list[int]]:
        shape = list(value.type.shape)
        offsets: list[Any] = [0] * len(shape)
        offsets[self.dim], shape[self.dim] = self.offset, self.size
        return offsets, shape

    def of(self, value: ir.Value) -> Any:
        """This part of `value`."""
        if not self.size:
            return value
        offsets, shape = self._lists(value)
        return sliced(value, offsets, shape, shape)

    def insert(self, part: ir.Value, into: ir.Value) -> Any:
        """`into` with `part` inserted at this part."""
        from allo_air.mlir import tensor

        if not self.size:
            return part
        offsets, shape = self._lists(into)
        dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
        static = [n if isinstance(n, int) else dynamic for n in offsets]
        values = [n for n in offsets if not isinstance(n, int)]
        return tensor.InsertSliceOp(part, into, values, [], [], static, shape, [1] * len(shape)).result


def is_below(offset: ir.Value, size: int, unpack: ir.Operation) -> Any:
    """Whether `offset` is in [0, size); a negative offset is a large unsigned number."""
    from allo_air.mlir import arith

    return arith.CmpIOp(arith.CmpIPredicate.ult, offset, index_constant(size, unpack.location)).result


def minus(a: ir.Value | int, b: ir.Value | int) -> Any:
    """a - b; an int must be 0."""
    if isinstance(b, int):
        return a
    d0, d1 = ir.AffineDimExpr.get(0), ir.AffineDimExpr.get(1)
    return applied(0 - d0, [b]) if isinstance(a, int) else applied(d0 - d1, [a, b])


def divided(value: ir.Value, by: int) -> Any:
    """`value` / `by`, rounded down."""
    if isinstance(value, int):
        return value // by
    return applied(ir.AffineExpr.get_floor_div(ir.AffineDimExpr.get(0), ir.AffineConstantExpr.get(by)), [value])


def applied(expr: ir.AffineExpr, values: list[ir.Value]) -> Any:
    """An affine.apply of `expr`, whose dimensions are `values`."""
    from allo_air.mlir import affine

    return affine.AffineApplyOp(ir.AffineMap.get(len(values), 0, [expr]), values).result
