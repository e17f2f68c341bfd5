"""`reduce`: sums, maxima and minima along an axis."""

from __future__ import annotations

from typing import Any

from allo_air.air.api.arithmetic import compute
from allo_air.air.api.errors import NotImplementedError, TypeError, ValueError
from allo_air.air.api.expression import BufferSlice
from allo_air.air.api.symbol import plain
from allo_air.air.api.token import Token, check_dependency
from allo_air.air.api.trace import tracing
from allo_air.errors import counted
from allo_air.mlir import ir, linalg

__all__ = ["reduce"]

_KINDS = {"sum": "add", "max": "maximum", "min": "minimum"}


def reduce(src: object, acc: object = None, kind: str = "sum", axis: int = -1, dependency: object = None) -> Token:
    """Combines the elements of `src` along `axis` into the buffer `acc`, which has src's shape without that axis.

    `kind` is "sum", "max" or "min". The initial contents of acc are combined, too, as in `dot`: fill it first.
    """
    trace = tracing("reduce")
    check_dependency(dependency, "reduce")
    source, into = _buffer(src, "src"), _buffer(acc, "acc")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"reduce: kind is {kind!r}, expected one of {', '.join(_KINDS)}")
    rank, number = len(source.shape), plain(axis)
    if not isinstance(number, int) or not -rank <= number < rank:
        raise ValueError(f"reduce: axis is {axis!r}, and src has {counted(rank, 'dimension')}")
    along = number % rank
    shape = source.shape[:along] + source.shape[along + 1 :]
    if tuple(into.shape) != shape:
        raise ValueError(f"reduce: acc has shape {list(into.shape)}, expected {list(shape)}")
    if source.dtype != into.dtype:
        raise ValueError(f"reduce: src is of {source.dtype.name}, and acc is of {into.dtype.name}; types must be the same")
    if source.dtype.is_unsigned:
        raise NotImplementedError(f"reduce: {source.dtype.name} is for moving only; use {source.dtype.signed_name}")
    with trace.emit():
        values = [trace.frame.value(x, x.label) for x in (source, into)]
        op = linalg.ReduceOp([], [values[0]], [values[1]], ir.DenseI64ArrayAttr.get([along]))
        element = source.dtype.mlir()
        block = op.operation.regions[0].blocks.append(element, element, arg_locs=[op.operation.location] * 2)
        with ir.InsertionPoint(block):
            linalg.YieldOp([compute(_KINDS[kind], source.dtype, list(block.arguments))])
    return Token()


def _buffer(operand: Any, which: str) -> Any:
    whole = operand.buffer if isinstance(operand, BufferSlice) and operand.region is None else operand
    if not hasattr(type(whole), "as_whole_tile"):
        raise TypeError(f"reduce: {which} is {type(operand).__name__}, expected a whole buffer in L1")
    if whole.scope.level == "L2":
        raise TypeError(f"reduce: {which} is {whole.label}, and a memtile does not compute; load it into L1")
    if whole.packed is not None:
        raise NotImplementedError(f"reduce: {which} is packed; packed buffers can only be filled and multiplied")
    return whole
