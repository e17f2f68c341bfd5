"""Handles launches whose last block extends over the array's end: transfers move the part inside, followed by zeros."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at, warn_at
from allo_air.core.walking import parents, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes.bind._edge_walks import Walk, shortened, walk_of

if TYPE_CHECKING:
    from allo_air.dialects.air import LaunchOp

PUT, GET, DMA = "air.channel.put", "air.channel.get", "air.dma_memcpy_nd"
_MOST_PADDED = 31


@dataclass(frozen=True)
class Edge:
    """Dimension `number` of the launch, whose blocks have `block` elements. Only `real` elements of the last block are
    inside.
    """

    number: int
    block: int
    real: int


def pad_at_edge(launch: LaunchOp, edge: Edge, end: str) -> None:
    """Cuts the reads of `launch` from the argument of `edge` to the part inside; the memtile adds zeros (with `end`, the source
    does).

    Blocks are still computed from the launch id.
    """
    if edge.number >= len(launch.args):
        return
    array, id_ = root_of(launch.body_args[edge.number]), launch.ids[edge.number]
    buffers: dict[Any, tuple[int, int, int]] = {}
    for op in list(walk_named(launch, PUT, DMA)):
        if root_of(op.opview.src) == array:
            _cut_source(launch, op, id_, edge, end, buffers)
    for op in list(walk_named(launch, PUT, DMA)):
        buffer = buffers.get(root_of(op.opview.src))
        if buffer is not None:
            _pad(op, *buffer)


def _cut_source(launch: AnyOp, op: ir.Operation, id_: ir.Value, edge: Edge, edge_end: str, buffers: dict[Any, Any]) -> None:
    walk = walk_of(op, "src", IndexValues())
    dim, start = _overhanging(walk, id_, edge)
    if dim is None:
        return
    group = [s.size for s in walk.steps if s.dim == dim]
    last = max(n for n, s in enumerate(walk.steps) if s.dim == dim)
    inside = prod(s.size for s in walk.steps[last + 1 :])
    real = edge.real - start
    steps, remainders = shortened(walk, dim, real)
    if not any(remainders):
        return
    if edge_end == "source":
        walk.rebuilt(steps, remainders)
        return
    ends = _gets_of(launch, op)
    result = walk.rebuilt(steps)
    for end in [result] if result.name == DMA else ends:
        _cut_target(end, (prod(group), inside, real), buffers)


def _overhanging(walk: Walk, id_: ir.Value, edge: Edge) -> tuple[int | None, int]:
    """The dimension of the array in which `walk` moves with the launch id, and its start in the block."""
    for dim, _ in enumerate(walk.strides):
        offset = walk.offset_in(dim)
        factor = next((f for v, f in offset.terms if v == id_), 0)
        if not factor:
            continue
        if factor != edge.block or len(offset.terms) > 1:
            raise error_at(
                walk.op,
                f"starts at {factor} times the launch's id plus {len(offset.terms) - 1} other values, not at a fixed position"
                f" in the block of {edge.block}; run canonicalize, or unroll the loop around it",
            )
        return dim, offset.constant
    return None, 0


def _gets_of(launch: AnyOp, op: ir.Operation) -> list[ir.Operation]:
    """The gets of the channel of `op` in the segment; none for a DMA, which writes its target directly."""
    ends = [g for g in walk_named(launch, GET) if op.name == PUT and g.opview.chan_name == op.opview.chan_name]
    for end in ends or [op]:
        if any(p.name == "air.herd" for p in parents(end)):
            raise error_at(
                op,
                "moves a block that overhangs its array directly to a core, without a memtile that could add zeros; use"
                " pad-location=source, or move the block through L2",
            )
    return ends


def _cut_target(op: ir.Operation, items: tuple[int, int, int], buffers: dict[ir.Value, object]) -> None:
    """Cuts the write of `op` into a memtile like its source: `items` is (rows, elements of a row, valid rows)."""
    count, inside, real = items
    walk = walk_of(op, "dst", IndexValues())
    for first in range(len(walk.steps)):
        for last in range(first, len(walk.steps)):
            dims = {s.dim for s in walk.steps[first : last + 1]}
            sizes = prod(s.size for s in walk.steps[first : last + 1])
            if len(dims) == 1 and sizes == count and prod(s.size for s in walk.steps[last + 1 :]) == inside:
                [dim] = dims
                start = walk.offset_in(dim)
                if not start.is_constant:
                    break
                memref = root_of(op.opview.dst)
                steps, _ = shortened(walk, dim, real)
                walk.rebuilt(steps)
                buffers[memref] = (dim, start.constant, max(real, 1))
                return
    raise error_at(
        op,
        f"takes {count} rows of {inside} elements of a block that overhangs its array, but has no dimensions of these sizes;"
        " keep the rows of the array together in L2",
    )


def _pad(op: ir.Operation, dim: int, start: int, real: int) -> None:
    """Sends only the valid part of the buffer, and zeros for the rest."""
    walk = walk_of(op, "src", IndexValues())
    offset = walk.offset_in(dim)
    if not offset.is_constant:
        raise error_at(
            op,
            "has an offset that depends on a loop, in a buffer that is partly padding; unroll the loop around it (canonicalize,"
            " air-split-l2-memref), so that each transfer starts at a constant",
        )
    steps, remainders = shortened(walk, dim, real - (offset.constant - start))
    if not any(remainders):
        return
    if max(remainders) > _MOST_PADDED:
        warn_at(op, f"is padded by {max(remainders)} elements in a dimension, and a memtile adds at most {_MOST_PADDED}")
    walk.rebuilt(steps, remainders)
