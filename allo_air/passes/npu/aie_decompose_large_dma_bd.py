"""aie-decompose-large-dma-bd."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air import dialects
from allo_air.access.decompose import decomposed, fits_bd
from allo_air.access.dims import start_of
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import aiex
from allo_air.dialects.declarations import declarations
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes.npu._decompose_tasks import TASKS, decompose_task

SHIM_BDS = 16


@dataclass(frozen=True)
class AieDecomposeLargeDmaBd(Pass):
    """Splits constant transfers that exceed the fields of a shim's BD into transfers that fit and move the same data in order.

    A dimension N becomes a x b if a dimension is free; otherwise the outermost one is cut into separate transfers. Contiguous
    transfers, and those with run-time values, stay unchanged. Only the last transfer issues the token; further transfers take
    BDs that no transfer of the sequence names. In a task they are a chain of BDs.

    Before:

        aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 2048][0, 0, 0, 2]) {id = 0 : i64, metadata = @in} : memref<4096xi32>

    After:

        aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 4, 512][0, 0, 1024, 2]) ...
    """

    name = "aie-decompose-large-dma-bd"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        dialects.load(op.context, ("aiex",))
        for sequence in declarations(op, "aie.runtime_sequence"):
            transfers = [o.opview for o in walk_named(sequence, "aiex.npu.dma_memcpy_nd")]
            free = sorted(set(range(SHIM_BDS)) - {t.id for t in transfers})
            for transfer in transfers:
                _decompose(transfer, free)
            for task in walk_named(sequence, *TASKS):
                decompose_task(task.opview)


def _decompose(op: ir.OpView, free: list[int]) -> None:
    lists = [_constants(getattr(op, f"static_{kind}"), list(getattr(op, kind))) for kind in ("offsets", "sizes", "strides")]
    bits = element_bits(op.memref.type)
    if bits is None or bits > 32 or any(values is None or len(values) != 4 for values in lists):
        return
    offsets, sizes, strides = lists
    assert offsets is not None and sizes is not None and strides is not None
    if min(sizes) < 1 or fits_bd(sizes, strides, bits):
        return
    walks = decomposed(sizes, strides, bits)
    if walks is None:
        raise error_at(op, f"moves {sizes} elements by strides {strides}, which no BDs do; make the innermost runs whole words")
    start = start_of(offsets, strides)
    if len(walks) - 1 > len(free):
        raise error_at(
            op, f"needs {len(walks)} BDs, and {len(free)} of the shim are left that no transfer of the sequence uses"
        )
    keys = ("packet", "metadata", "burst_length", "offset_parameter", "offset_state_table_idx")
    fields = {key: getattr(op, key) for key in keys}
    for i, (offset, n, t) in enumerate(walks):
        unit = t[-1] or 1
        first = start + offset
        chunk_offsets = [0, 0, 0, first // unit] if first % unit == 0 else None
        if chunk_offsets is None:
            raise error_at(op, f"has a piece from element {first}, which its innermost stride {unit} does not divide")
        aiex.NpuDmaMemcpyNdOp(
            memref=op.memref,
            static_offsets=chunk_offsets,
            static_sizes=list(n),
            static_strides=list(t),
            id=op.id if i == 0 else free.pop(0),
            issue_token=op.issue_token and i == len(walks) - 1,
            **fields,
            loc=op.location,
            ip=ir.InsertionPoint(op),
        )
    op.operation.erase()


def _constants(static: list[int], values: list[ir.Value]) -> list[int] | None:
    value = iter(values)
    constants = [constant_of(next(value)) if n == -(2**63) else n for n in static]
    return None if None in constants else [int(n) for n in constants if n is not None]
