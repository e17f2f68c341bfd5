"""Finds the buffers that a loop allocates in each iteration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from allo_air.core.walking import body_of
from allo_air.mlir import ir
from allo_air.passes._analysis.memory import LEVELS, is_in

OmitSpace = Literal["", "L1", "L2"]
"""The memory space whose buffers are not doubled."""

UNROLL = "unroll"


@dataclass(frozen=True)
class Buffer:
    """A buffer that `execute` allocates in each iteration of a loop."""

    execute: ir.Operation
    alloc: Any

    @property
    def value(self) -> Any:
        """The memref that the loop's body uses."""
        return self.execute.results[1]

    @property
    def root(self) -> ir.Value:
        """The memref that `memref.alloc` returns."""
        return self.alloc.results[0]


def buffers(loop: ir.Operation, omit: OmitSpace) -> list[Buffer]:
    """The buffers that `loop` allocates directly in its body, without those in the omitted space."""
    results = []
    for op in body_of(loop):
        inside = body_of(op) if op.name == "air.execute" else []
        if len(inside) == 2 and inside[0].name == "memref.alloc" and len(op.results) == 2:
            alloc = inside[0]
            if not (omit and is_in(alloc.results[0].type, LEVELS[omit])):
                results.append(Buffer(op, alloc))
    return results


def freed_by(op: ir.Operation) -> Any:
    """The memref that an `air.execute` only deallocates; None for any other operation."""
    inside = body_of(op) if op.name == "air.execute" else []
    return inside[0].operands[0] if len(inside) == 2 and inside[0].name == "memref.dealloc" else None
