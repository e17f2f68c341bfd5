"""Finds the operations that configure a DMA task, for sequences with loops and branches."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import AnyOp, ir
from allo_air.target.npu_values import inner_of

CONFIGURES = ("aiex.dma_configure_task", "aiex.dma_configure_task_for")
_CARRY = ("scf.for", "scf.if", "scf.index_switch", "scf.while")


def steps(view: AnyOp) -> list[Any]:
    """The operations of a sequence and of its loops and branches, in order, without those inside of tasks."""
    inside = {inner for op in _all(view) if op.name in CONFIGURES for region in op.regions for inner in _nested(region)}
    return [op for op in _all(view) if op not in inside]


def _all(view: AnyOp) -> list[Any]:
    return [op for block in view.operation.regions[0].blocks for op in inner_of(block)]


def _nested(region: ir.Region) -> list[Any]:
    return [op for block in region.blocks for op in inner_of(block)]


def origins(value: Any) -> list[Any]:
    """The operations that may have configured task `value`, which loops may carry and branches may yield."""
    results: list[Any] = []
    seen, work = set(), [value]
    while work:
        reached = work.pop()
        if reached in seen:
            continue
        seen.add(reached)
        owner = reached.owner
        if isinstance(owner, ir.Block):
            holder = owner.owner.operation
            if holder.name != "scf.for":
                continue
            place = reached.arg_number - 1
            work += [list(holder.operands)[3 + place], _yielded(holder.regions[0], place)]
        elif owner.operation.name in CONFIGURES:
            results.append(owner.operation)
        elif owner.operation.name == "scf.for":
            place = list(owner.operation.results).index(reached)
            work += [list(owner.operation.operands)[3 + place], _yielded(owner.operation.regions[0], place)]
        elif owner.operation.name in _CARRY:
            place = list(owner.operation.results).index(reached)
            work += [_yielded(region, place) for region in owner.operation.regions if len(region.blocks)]
        elif owner.operation.name == "arith.select":
            work += list(owner.operation.operands)[1:]
    return results


def _yielded(region: ir.Region, place: int) -> Any:
    block = region.blocks[0]
    return list(block.operations[-1].operation.operands)[place]
