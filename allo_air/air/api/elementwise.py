"""`dst[:] = expression`: one loop nest over the tile, with vectors if their length divides the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.air.api.arithmetic import compute, number
from allo_air.air.api.errors import NotImplementedError, TypeError, ValueError
from allo_air.air.api.expression import BufferSlice, Expression, Operation, operand, tiles
from allo_air.air.api.index import Index
from allo_air.air.api.legality import warn_of
from allo_air.air.api.loops import nest
from allo_air.air.api.slab import slab
from allo_air.air.api.trace import Trace, tracing
from allo_air.air.api.types import DType
from allo_air.air.api.values import index_value
from allo_air.mlir import arith, ir, linalg, memref, vector


def assign(dst: Any, source: object) -> None:
    """Computes `source`, an expression or a number, into all of the buffer `dst`."""
    trace = tracing(f"an assignment to {dst.label}")
    expression = operand(source, "=")
    _check(dst, expression)
    warn_of(expression, dst.dtype.name, _lanes(dst), trace.target)
    with trace.emit():
        if dst.packed is not None:
            _fill(trace, dst, expression)
        elif lanes := _lanes(dst):
            _vectors(trace, dst, expression, lanes)
        else:
            _scalars(trace, dst, expression)


def _check(dst: Any, expression: Expression | int) -> None:
    dtype: DType = dst.dtype
    for tile in tiles(expression):
        if tile.buffer.packed is not None or dst.packed is not None:
            raise NotImplementedError(
                f"{tile.buffer.label} in an elementwise expression for {dst.label}: packed buffers can only be filled with "
                "a number"
            )
        if tile.dtype != dtype:
            raise ValueError(
                f"{dst.label} is of {dtype.name}, and {tile.buffer.label} is of {tile.dtype.name}; types must be the same"
            )
        if tuple(tile.shape) != tuple(dst.shape):
            raise ValueError(
                f"{dst.label} has shape {list(dst.shape)}, and {tile.buffer.label} has shape {list(tile.shape)}; "
                "shapes must be the same"
            )
    if dst.packed is not None and isinstance(expression, Expression | Index):
        raise NotImplementedError(f"{dst.label} is packed: it can only be filled with a number")
    if dtype.is_unsigned and not isinstance(expression, BufferSlice):
        raise NotImplementedError(
            f"{dst.label} is of {dtype.name}: unsigned types can be moved and copied whole; use {dtype.signed_name} to compute"
        )


def _lanes(dst: Any) -> int:
    """Lanes of a vector loop; 0 for a scalar one."""
    lanes = dst.dtype.default_vector_width if dst.vector is None else dst.vector
    fits = dst.shape and lanes and dst.shape[-1] % lanes == 0
    return lanes if fits and not dst.dtype.is_unsigned else 0


def _fill(trace: Trace, dst: Any, value: object) -> None:
    linalg.fill(number(value, dst.dtype), outs=[slab(trace, dst)])


def _scalars(trace: Trace, dst: Any, expression: Expression | int) -> None:
    operands = _Operands(trace, dst.dtype, expression, lambda value: value)

    def body(indices: list[ir.Value]) -> None:
        value = operands.value(expression, lambda tile: memref.LoadOp(operands.memrefs[tile.buffer], indices).result)
        memref.StoreOp(value, operands.memref(dst), indices)

    nest(dst.shape, [1] * len(dst.shape), body)


def _vectors(trace: Trace, dst: Any, expression: Expression | int, lanes: int) -> None:
    kind = ir.VectorType.get([lanes], dst.dtype.mlir())
    operands = _Operands(trace, dst.dtype, expression, lambda value: vector.BroadcastOp(kind, value).result)
    rank = len(dst.shape)
    minor = ir.AffineMapAttr.get(ir.AffineMap.get_minor_identity(rank, 1))
    padding: Any = number(0, dst.dtype) if operands.memrefs else None

    def read(tile: BufferSlice, indices: list[ir.Value]) -> Any:
        return vector.TransferReadOp(kind, operands.memrefs[tile.buffer], indices, minor, padding, [True]).result

    def body(indices: list[ir.Value]) -> None:
        value = operands.value(expression, lambda tile: read(tile, indices))
        vector.TransferWriteOp(None, value, operands.memref(dst), indices, minor, [True])

    nest(dst.shape, [1] * (rank - 1) + [lanes], body)


class _Operands:
    """The inputs of an expression: memrefs of buffers, and scalars as values that are defined before the loops."""

    def __init__(self, trace: Trace, dtype: DType, expression: object, spread: Callable[[ir.Value], ir.Value]):
        self._trace, self._dtype, self._spread = trace, dtype, spread
        self._scalars: dict[Any, Any] = {}
        self.memrefs = {tile.buffer: self.memref(tile.buffer) for tile in tiles(expression)}
        self._hold(expression)

    def memref(self, buffer: Any) -> Any:
        """The memref of a buffer."""
        return self._trace.frame.value(buffer, buffer.label)

    def _hold(self, expression: object) -> None:
        if isinstance(expression, Operation):
            if expression.name == "neg":
                self._hold(_ZERO)
            for each in expression.operands:
                self._hold(each)
        elif not isinstance(expression, BufferSlice) and (key := _key(expression)) not in self._scalars:
            self._scalars[key] = self._spread(self._scalar(expression))

    def _scalar(self, value: object) -> Any:
        if not isinstance(value, Index):
            return number(value, self._dtype)
        if self._dtype.is_float:
            raise NotImplementedError(
                f"a coordinate in an expression of {self._dtype.name} is not supported; coordinates are scalars of integers"
            )
        return arith.IndexCastOp(self._dtype.mlir(), index_value(self._trace, value)).result

    def value(self, expression: object, read: Callable[[BufferSlice], object]) -> Any:
        """The expression's value; `read` returns the value of a tile."""
        if isinstance(expression, BufferSlice):
            return read(expression)
        if not isinstance(expression, Operation):
            return self._scalars[_key(expression)]
        operands = [self.value(each, read) for each in expression.operands]
        if expression.name == "neg":
            return compute("sub", self._dtype, [self._scalars[_key(_ZERO)], *operands])
        return compute(expression.name, self._dtype, operands)


_ZERO = -0.0
"""The left operand of a negation as a subtraction: -0.0 - x is -x for all x, also for zeros."""


def _key(scalar: object) -> Any:
    return scalar.key if isinstance(scalar, Index) else (type(scalar), scalar)


def refuse_l2(buffer: Any) -> None:
    """TypeError for buffers of L2."""
    if buffer.scope.level == "L2":
        raise TypeError(
            f"{buffer.label}: a memtile does not compute; name the buffer itself for a transfer of all of it, and load it into "
            "L1 to compute"
        )
