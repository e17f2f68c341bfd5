"""Splits BDs of shim tasks that exceed the fields: one BD with more dimensions, or a chain of BDs."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.access.decompose import decomposed, fits_bd
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.device import SHIM_TILE
from allo_air.dialects import aie
from allo_air.dialects._places import paired, size_stride_pairs
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_dma import DMABDOp

_DIMS = "bd_dim_layout_array"
TASKS = ("aiex.dma_configure_task", "aiex.dma_configure_task_for")


def decompose_task(task: AnyOp) -> None:
    """Decomposes the BDs of a task of a shim tile, in place."""
    if not _is_of_shim(task):
        return
    for bd in [o.opview for o in walk_named(task, "aie.dma_bd")]:
        _decompose(task, bd)


def _is_of_shim(task: Any) -> bool:
    if TASKS[1] == task.OPERATION_NAME:
        return True
    tile = task.tile.owner.opview
    return tile.OPERATION_NAME == "aie.tile" and tile.row == 0


def _decompose(task: AnyOp, bd: DMABDOp) -> None:
    bits = element_bits(bd.buffer.type)
    if bits is None or bits > 32 or not bd.is_static or bd.dimensions is None:
        return
    dims = size_stride_pairs(bd.dimensions)
    if len(dims) > 4 or min(n for n, _ in dims) < 1:
        return
    turn_dims, walked = (dims[:1], dims[1:]) if len(dims) == 4 and dims[0][0] > 1 else ([], dims)
    while len(walked) < 4:
        walked = [(1, 0), *walked]
    sizes, strides = [n for n, _ in walked], [t for _, t in walked]
    if fits_bd(sizes, strides, bits):
        return
    walks = decomposed(sizes, strides, bits)
    if walks is None:
        raise error_at(bd, f"moves {sizes} elements by strides {strides}, which no BDs do; make the innermost runs whole words")
    count = len(walk_named(task, "aie.dma_bd")) - 1 + len(walks)
    if count > SHIM_TILE.bds:
        raise error_at(bd, f"needs a chain of {count} BDs, and a shim tile has {SHIM_TILE.bds}; move less in a task")
    if len(walks) > 1 and any(o.operation.name == "aie.use_lock" for o in bd.operation.block.operations):
        raise error_at(bd, f"needs {len(walks)} BDs, and takes locks, which each of them would take; move less in a BD")
    start = bd.offset
    for number, (offset, n, t) in enumerate(walks):
        here = bd if number == 0 else _following_bd(bd)
        here.offset, here.len = start + offset, prod(n)
        results = [*turn_dims, *zip(n[1:], t[1:], strict=True)]
        while not turn_dims and len(results) > 1 and results[0][0] == 1:
            results = results[1:]
        here.dimensions = paired(results, _DIMS)
        bd = here


def _following_bd(bd: DMABDOp) -> Any:
    """A new BD after `bd`, in a new block with the terminator of `bd`'s block."""
    block = bd.operation.block
    last = block.operations[-1].operation
    following = block.create_after()
    own = ("bd_id", "next_bd_id", "operandSegmentSizes")
    fields = {key: bd.operation.attributes[key] for key in bd.operation.attributes if key not in own}
    with ir.InsertionPoint(following), bd.location:
        op = aie.DMABDOp(buffer=bd.buffer, attributes=fields)
    if last.name == "aie.next_bd":
        aie.NextBDOp(dest=last.successors[0], loc=last.location, ip=ir.InsertionPoint(following))
    else:
        aie.EndOp(loc=last.location, ip=ir.InsertionPoint(following))
    last.erase()
    aie.NextBDOp(dest=following, loc=bd.location, ip=ir.InsertionPoint(block))
    return op
