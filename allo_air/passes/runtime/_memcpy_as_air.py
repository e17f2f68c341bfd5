"""Writes transfers of the control program like mlir-air: with unfolded constants and casts before each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes.runtime._hazards import HostSide
from allo_air.passes.runtime._memcpy import RANK, MemcpyBuilder


class MemcpyAsAir(MemcpyBuilder):
    """A MemcpyBuilder that also accepts transfers of more than four dimensions, and whole buffers with strided rows."""

    _plain: dict[tuple[int, str], Any] | None = None
    """The constants of the current transfer."""

    def constant(self, value: int, type_: str = "i64") -> Any:
        if self._plain is None:
            return super().constant(value, type_)
        key = (value, type_)
        if key not in self._plain:
            self._plain[key] = arith.constant(ir.Type.parse(type_), value)
        return self._plain[key]

    def as_i64(self, value: ir.Value) -> Any:
        return super().as_i64(value) if self._plain is None else _cast(value)

    def build(self, op: AnyOp, side: HostSide, place: tuple[ir.Value, ...] = ()) -> Any:
        if len(side.sizes) > RANK:
            return super().build(op, side, place)
        self._plain = {}
        try:
            return super().build(op, side, place)
        finally:
            self._plain = None

    def head(self, number: int, place: tuple[ir.Value, ...]) -> tuple[Any, Any]:
        if self._plain is None:
            return super().head(number, place)
        for value, type_ in ((0, "i64"), (0, "index"), (1, "index"), (number, "i32")):
            self.constant(value, type_)
        x, y = (*(_cast(p) for p in place), self.constant(0), self.constant(0))[:2]
        return x, y

    def lists(self, op: AnyOp, side: HostSide) -> tuple[list[Any], list[Any], list[Any]]:
        if self._plain is None:
            return super().lists(op, side)
        zero, one = self.constant(0, "index"), self.constant(1, "index")
        sizes: Sequence[Any] = [self.mapped(v) for v in side.sizes]
        strides: Sequence[Any] = [self.mapped(v) for v in side.strides]
        offsets: Sequence[Any] = [self.mapped(v) for v in side.offsets]
        if not sizes:
            _, lengths, steps = self.numbers_of_whole(op, side)
            results = {0: zero, 1: one}
            sizes, strides = ([results.get(n) or self.constant(n, "index") for n in numbers] for numbers in (lengths, steps))
        columns = []
        for values, fill in ((offsets, zero), (strides, zero), (sizes, one)):
            columns.append([_cast(v) for v in (*[fill] * (RANK - len(values)), *values)])
        return columns[0], columns[2], columns[1]


def _cast(value: ir.Value) -> Any:
    i64 = ir.IntegerType.get_signless(64)
    return value if value.type == i64 else arith.index_cast(i64, value)
