"""The role of an AIR operation on the host: a transfer, an operation for the device only, or neither."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import parents, walk_post_order
from allo_air.dialects.air_values import HIERARCHIES, is_token
from allo_air.mlir import AnyOp, ir

L3_OPS = ("air.channel.put", "air.channel.get", "air.dma_memcpy_nd")
YIELDS = (
    "scf.yield", "affine.yield", "air.affine_yield", "scf.reduce", "func.return",
    "air.launch_terminator", "air.segment_terminator", "air.herd_terminator", "air.execute_terminator",
)  # fmt: skip
EVENT = "!airrt.event"


def is_l3(memref: ir.Value) -> bool:
    """Whether a memref is in external memory."""
    space = getattr(memref.type, "memory_space", None)
    return space is None or str(space).split(" ", 1)[0] == "0"


def has_air(op: ir.Operation) -> bool:
    """Whether `op` is or contains an operation of AIR, or has token results."""
    return any(o.name.startswith("air.") or any(map(is_token, o.results)) for o in walk_post_order(op))


def in_hierarchy(op: AnyOp) -> bool:
    """Whether `op` is in a launch, segment or herd."""
    return any(p.name in HIERARCHIES for p in parents(op))


def token_of(op: AnyOp) -> ir.OpResult | None:
    """The token result of `op`; None if it is synchronous."""
    return next((r for r in op.results if is_token(r)), None)


def is_for_device(op: AnyOp) -> bool:
    """Whether `op` only uses buffers of the device, so that the host can ignore it."""
    for inner in walk_post_order(op):
        for value in (*inner.operands, *inner.results):
            if isinstance(value.type, ir.MemRefType | ir.UnrankedMemRefType) and not is_l3(value):
                return True
    return False


def loop_attributes(op: ir.Operation) -> dict[str, Any]:
    """The discardable attributes of a loop, which its copy keeps."""
    return {
        n: a for n, a in op.attributes.items() if n not in ("operandSegmentSizes", "lowerBoundMap", "upperBoundMap", "step")
    }


def selects_channel(op: ir.Operation, index: ir.Value) -> bool:
    """Whether `index` selects, in `op`, the channel of a bundle that a transfer uses."""
    todo, seen = [index], {index}
    while todo:
        for use in todo.pop().uses:
            owner = use.owner.operation
            if owner.name in L3_OPS and owner.name != "air.dma_memcpy_nd" and any(v in seen for v in owner.opview.indices):
                return True
            if owner.name.startswith(("arith.", "affine.apply")):
                todo += [r for r in owner.results if r not in seen]
                seen.update(owner.results)
    return False
