"""Loops of core code over whole buffers."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from allo_air.mlir import ir, memref, scf


def flat(buffer: ir.Value, ip: ir.InsertionPoint) -> ir.Value:
    """The buffer reshaped to one dimension."""
    kind = buffer.type
    if kind.rank == 1:
        return buffer
    row = ir.MemRefType.get([prod(kind.shape)], kind.element_type, memory_space=kind.memory_space)
    return memref.collapse_shape(row, buffer, [range(kind.rank)], ip=ip)


def each_vector(
    size: int, lanes: int, constant: Callable[[Any, int], Any], ip: ir.InsertionPoint, body: Callable[[Any, Any], None]
) -> None:
    """A loop over 0, `lanes`, ... below `size`: `body(index, insertion point)` builds its body, `constant` builds its
    bounds."""
    loop = scf.ForOp(*[constant(ir.IndexType.get(), n) for n in (0, size, lanes)], ip=ip)
    inner = ir.InsertionPoint(loop.body)
    body(loop.induction_variable, inner)
    scf.YieldOp([], ip=inner)
