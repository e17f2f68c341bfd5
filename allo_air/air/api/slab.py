"""The part of a buffer that belongs to the calling core."""

from __future__ import annotations

from typing import Any

from allo_air.air.api.errors import ValueError
from allo_air.air.api.trace import Trace
from allo_air.mlir import memref


def slab(trace: Trace, buffer: Any) -> Any:
    """The memref of the core's own buffer; for a buffer that cores share, the subview at the core's position in the herd."""
    whole = trace.frame.value(buffer, buffer.label)
    if buffer.scope.kind != "shared":
        return whole
    herd = trace.frame.context
    lead, shape = buffer.packed.lead, tuple(buffer.shape)
    physical = tuple(herd.physical) + (1,) * (2 - len(herd.physical))
    if len(lead) != 2 or any(n not in (1, p) for n, p in zip(lead, physical, strict=True)):
        raise ValueError(
            f"{buffer.label} leads with {list(lead)}, and the herd has the shape {list(physical)}: each core needs a slab of "
            "its own"
        )
    ids = [i if n > 1 else 0 for i, n in zip(trace.frame.op.ids, lead, strict=True)]
    offsets = [*ids, *[0] * (len(shape) - 2)]
    return memref.subview(whole, offsets, [1, 1, *shape[2:]], [1] * len(shape))
