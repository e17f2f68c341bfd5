"""Loops and the buffers that they allocate in each iteration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from allo_air.core.constants import constant_of
from allo_air.mlir import ir
from allo_air.passes._analysis.memory import is_in

OmitSpace = Literal["", "L1", "L2"]
"""The memory space whose buffers are left alone."""

_VALUES = (ir.IndexType, ir.MemRefType, ir.IntegerType, ir.FloatType)  # printing a type takes longer than telling these
UNROLL, HOIST, DISABLE = "unroll", "hoist_alloc", "air.disable_ping_pong"


@dataclass(frozen=True)
class Buffer:
    """A buffer that `execute` allocates in each iteration of a loop."""

    execute: Any
    alloc: Any

    @property
    def value(self) -> Any:
        """The memref as the loop's body sees it."""
        return self.execute.results[1]

    @property
    def root(self) -> Any:
        """The memref as `memref.alloc` makes it."""
        return self.alloc.results[0]


def buffers(loop: Any, omit: OmitSpace) -> list[Buffer]:
    """The buffers that `loop` allocates directly in its body, without those in the space to omit."""
    found = []
    for op in body_of(loop):
        inside = body_of(op) if op.name == "air.execute" else []
        if len(inside) == 2 and inside[0].name == "memref.alloc" and len(op.results) == 2:
            alloc = inside[0]
            if not (omit and is_in(alloc.results[0].type, {"L1": 2, "L2": 1}[omit])):
                found.append(Buffer(op, alloc))
    return found


def body_of(op: Any) -> list[Any]:
    """The operations of the first region's only block, as `ir.Operation`; none where there is no block."""
    return [inner.operation for block in op.regions[0].blocks for inner in block.operations]


def block_of(loop: Any) -> Any:
    return loop.regions[0].blocks[0]


def is_token(value: Any) -> bool:
    return not isinstance(value.type, _VALUES) and str(value.type) == "!air.async.token"


def trip_count(loop: Any) -> int | None:
    """How often an scf.for runs; None where its bounds are not constant."""
    lower, upper, step = (constant_of(v) for v in list(loop.operands)[:3])
    if lower is None or upper is None or step is None or step <= 0:
        return None
    return max(0, -((lower - upper) // step))


def freed_by(op: Any) -> Any:
    """The memref that `air.execute` does nothing but deallocate; None for any other operation."""
    inside = body_of(op) if op.name == "air.execute" else []
    return inside[0].operands[0] if len(inside) == 2 and inside[0].name == "memref.dealloc" else None
