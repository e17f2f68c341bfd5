"""Finds loops whose ping-pong buffers mlir-air uses in different orders on the core and in the DMA.

`air-ping-pong-transform` of mlir-air unrolls a loop by two. With an odd trip count, the last iteration gets a third buffer. The
core then uses the buffers A B A B C, but the ring of BDs uses A B C A B. With three trips both orders are A B C
(mlir-air#2000). Our lowering does not have this fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.loops import dim_of
from allo_air.core.walking import enclosing, parents, walk_named
from allo_air.dialects.air import L1
from allo_air.errors import counted
from allo_air.passes._analysis.findings import Findings
from allo_air.passes._analysis.memory import is_in

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

_FIRST_WRONG = 5
"""The smallest odd trip count with which the orders of core and DMA differ."""

_FILLS = ("air.channel.get", "air.dma_memcpy_nd")


def check_odd_trips(op: AnyOp, findings: Findings) -> None:
    """Warns of innermost loops in herds with ping-pong buffers and an odd trip count of 5 or more."""
    loops = [loop for herd in walk_named(op, "air.herd") for loop in walk_named(herd, "scf.for") if _is_doubled(loop)]
    for loop in loops:
        if any(inner != loop and inner in loops for inner in walk_named(loop, "scf.for")):
            continue
        dim = dim_of(loop)
        if dim is None:
            findings.undecided(loop, "whether it runs an even number of times, as mlir-air's ping-pong buffers need")
        elif dim.trips >= _FIRST_WRONG and dim.trips % 2:
            findings.warning(
                loop,
                f"runs {counted(dim.trips, 'time')}, an odd number, and mlir-air gives the last iteration a "
                f"third ping-pong buffer: core"
                " and DMA then use the buffers in different orders; make the trip count even, or 3, or compile with our"
                " pipelines",
                code="pingpong.odd-trips",
            )


def _is_doubled(loop: AnyOp) -> bool:
    """Whether mlir-air doubles the buffers of a loop: its body allocates a buffer in L1 that a transfer fills."""
    if any("air.disable_ping_pong" in outer.attributes for outer in (loop, *parents(loop))):
        return False
    buffers = [a.results[0] for a in walk_named(loop, "memref.alloc") if is_in(a.results[0].type, L1) and _loop_of(a) == loop]
    return any(_is_filled(buffer) for buffer in buffers)


def _loop_of(op: AnyOp) -> Any:
    return enclosing(op, "scf.for", "air.herd")


def _is_filled(buffer: ir.Value) -> bool:
    """Whether a transfer writes `buffer`, or the result of an `air.execute` that yields it."""
    for use in buffer.uses:
        op = use.owner.operation
        if op.name == "air.execute_terminator":
            execute = op.parent.operation
            if _is_filled(execute.results[use.operand_number + 1]):
                return True
        elif op.name in _FILLS and (op.name == "air.channel.get" or op.opview.dst == buffer):
            return True
    return False
