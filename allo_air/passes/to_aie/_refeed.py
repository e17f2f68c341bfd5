"""The number of times that the data of a buffer are sent, where an attribute sets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.passes.to_aie._bundles import Bundle

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

REFEED = "air.refeed_count"
_MOST = 2**31 - 1


def refeed_of(put_op: AnyOp, alloc: AnyOp | None, bundle: Bundle) -> int:
    """The number of times that `put_op` sends the data of its buffer: by its own attribute, that of the L2 buffer's `alloc`,
    or the channel's."""
    holders = [
        put_op.operation,
        *((alloc.operation, alloc.operation.parent.operation) if alloc is not None else ()),
        bundle.op.operation,
    ]
    holder = next((op for op in holders if REFEED in op.attributes), None)
    if holder is None:
        return 1
    count = int(holder.attributes[REFEED].value)
    if not 1 <= count <= _MOST:
        raise error_at(holder, f"has {REFEED} = {count}; expected 1 to {_MOST}")
    return count
