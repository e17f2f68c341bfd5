"""Checks that operations in herds use memories that they can reach: a core computes on L1 only, and its DMA reaches L1."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import walk_named
from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.findings import Findings

_NAMES = {0: "L3", 1: "L2", 2: "L1"}
_MOVES = ("linalg.copy", "linalg.transpose", "linalg.pack", "linalg.unpack")
"""Linalg operations that move data between memories, before they become DMA copies."""


def check_spaces(module: AnyOp, findings: Findings) -> None:
    """Reports linalg operations in herds on memory other than L1, and puts and gets in herds of memory other than L1."""
    for herd in walk_named(module, "air.herd"):
        for op in walk_named(herd, "air.channel.put", "air.channel.get"):
            view = op.opview
            memref = view.src if op.name == "air.channel.put" else view.dst
            result = memory_space(memref.type)
            if result in (0, 1):
                findings.error(
                    op,
                    f"has its end in {_NAMES[result]} ({memref.type}) inside a herd; a core's DMA reaches L1 (memory space 2):"
                    " move it out of the herd, to where that memory is, or use air.dma_memcpy_nd and air-dma-to-channel",
                )
        for op in (o.operation for o in walk_named_linalg(herd)):
            for value in op.operands:
                if (result := memory_space(value.type)) in (0, 1):
                    findings.error(
                        op,
                        f"computes on {_NAMES[result or 0]} ({value.type}) inside a herd; a core reaches L1 (memory"
                        " space 2) only: copy the operand to an L1 buffer first",
                    )
                    break


def walk_named_linalg(herd: ir.Operation) -> list[Any]:
    """The linalg operations of `herd` that compute, in order."""
    results: list[Any] = []

    def visit(op: ir.Operation) -> Any:
        if op.name.startswith("linalg.") and op.name not in _MOVES:
            results.append(op)
        return ir.WalkResult.ADVANCE

    herd.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return results
