"""Loops of core code over whole buffers."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from allo_air.mlir import ir, scf


def flat(memref: ir.Value, ip: ir.InsertionPoint) -> ir.Value:
    """The buffer reshaped to one dimension."""
    kind = memref.type
    if kind.rank == 1:
        return memref
    groups = ir.Attribute.parse("[[" + ", ".join(f"{i} : i64" for i in range(kind.rank)) + "]]")
    row = ir.MemRefType.get([prod(kind.shape)], kind.element_type, memory_space=kind.memory_space)
    return ir.Operation.create("memref.collapse_shape", [row], [memref], {"reassociation": groups}, ip=ip).results[0]


def each_vector(
    size: int, lanes: int, constant: Callable[[Any, int], Any], ip: ir.InsertionPoint, body: Callable[[Any, Any], None]
) -> None:
    """A loop over 0, `lanes`, ... below `size`: `body(index, insertion point)` builds its body, `constant` builds its
    bounds."""
    index = ir.IndexType.get()
    loop = ir.Operation.create("scf.for", [], [constant(index, n) for n in (0, size, lanes)], regions=1, ip=ip)
    block = loop.regions[0].blocks.append(index, arg_locs=[loop.location])
    inner = ir.InsertionPoint(block)
    body(block.arguments[0], inner)
    scf.YieldOp([], ip=inner)
