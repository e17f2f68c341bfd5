"""Finds loops for which mlir-air's tools make a ring of three buffers that the core walks in pairs.

mlir-air's `air-ping-pong-transform` unrolls a loop with an odd trip count by two, and the remaining iteration gets a third
buffer: the core uses A B A B C, the ring of BDs A B C. With three trips both agree (mlir-air#2000). Our lowering does not have
this fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.loops import dim_of
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air import L1
from allo_air.passes._analysis.findings import Findings
from allo_air.passes._analysis.memory import is_in

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

_OUT_OF_STEP = 5
"""The fewest odd trips at which core and ring walk apart."""

_FILLS = ("air.channel.get", "air.dma_memcpy_nd")


def check_odd_trips(op: AnyOp, findings: Findings) -> None:
    """Warns of the innermost loops in herds that would be doubled so."""
    loops = [loop for herd in walk_named(op, "air.herd") for loop in walk_named(herd, "scf.for") if _is_doubled(loop)]
    for loop in loops:
        if any(inner != loop and inner in loops for inner in walk_named(loop, "scf.for")):
            continue
        dim = dim_of(loop)
        if dim is None:
            findings.undecided(loop, "whether it runs an even number of times, as mlir-air's ping-pong buffers need")
        elif dim.trips >= _OUT_OF_STEP and dim.trips % 2:
            findings.warning(
                loop,
                f"runs {dim.trips} times, and mlir-air doubles its buffers: the last trip gets a third slot, which the core"
                " walks at another time than its DMA; make the trips even, or three, or compile it with our pipelines",
                code="pingpong.odd-trips",
            )


def _is_doubled(loop: AnyOp) -> bool:
    """Whether each iteration has a buffer in L1 of its own that a transfer fills."""
    if any("air.disable_ping_pong" in outer.attributes for outer in (loop, *parents(loop))):
        return False
    own = [a.results[0] for a in walk_named(loop, "memref.alloc") if is_in(a.results[0].type, L1) and _loop_of(a) == loop]
    return any(_is_filled(buffer) for buffer in own)


def _loop_of(op: AnyOp) -> Any:
    return next((outer for outer in parents(op) if outer.name in ("scf.for", "air.herd")), None)


def _is_filled(buffer: ir.Value) -> bool:
    """Whether a transfer writes `buffer`, which an `air.execute` around its allocation may hand out."""
    for use in buffer.uses:
        op = use.owner.operation
        if op.name == "air.execute_terminator":
            around = op.parent.operation
            if _is_filled(around.results[use.operand_number + 1]):
                return True
        elif op.name in _FILLS and (op.name == "air.channel.get" or op.opview.dst == buffer):
            return True
    return False
