"""Finds which arguments of a runtime sequence it reads, and which it writes."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import enclosing, walk_named
from allo_air.dialects.declarations import declarations
from allo_air.mlir import AnyOp, ir

_S2MM, _MM2S = 0, 1
_TASKS = {"aiex.dma_configure_task_for": "alloc", "aiex.npu.dma_memcpy_nd": "metadata"}


def uses_of(sequence: AnyOp) -> tuple[frozenset[int], frozenset[int]]:
    """Numbers of the arguments that `sequence` reads, and of those that it writes; an argument is in both if a transfer's
    direction is unknown.
    """
    device = enclosing(sequence, "aie.device").opview
    directions = {o.sym_name: int(o.channel_dir) for o in declarations(device) if o.operation.name == "aie.shim_dma_allocation"}
    reads, writes = set[int](), set[int]()
    for op in walk_named(sequence, "aie.dma_bd", "aiex.npu.dma_memcpy_nd"):
        direction = directions.get(_allocation(op))
        for operand in op.operands:
            number = _argument(operand)
            if number is None:
                continue
            if direction != _S2MM:
                reads.add(number)
            if direction != _MM2S:
                writes.add(number)
    return frozenset(reads), frozenset(writes)


def _allocation(op: ir.Operation) -> str:
    """The shim DMA allocation of a transfer; empty if it names none."""
    holder: ir.Operation | None = op
    while holder is not None and holder.name != "aie.runtime_sequence":
        if holder.name in _TASKS:
            return str(holder.attributes[_TASKS[holder.name]].value)
        holder = holder.parent.operation if holder.parent is not None else None
    return ""


def _argument(value: Any) -> int | None:
    """The argument that `value` is, or is a view of."""
    while not isinstance(value, ir.BlockArgument):
        owner = value.owner.operation
        if not owner.name.startswith("memref.") or not len(owner.operands):
            return None
        value = owner.operands[0]
    return value.arg_number if value.owner.owner.operation.name == "aie.runtime_sequence" else None
