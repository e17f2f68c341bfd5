"""Ends of buffers' lifetimes: after their last use, in the block of their allocation, or where the program frees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.air.api.errors import RuntimeError
from allo_air.mlir import ir, memref

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


def end_lifetimes(buffers: Sequence[Any], block: ir.Block) -> None:
    """Deallocates `buffers`, all allocated in `block`; RuntimeError for one that is used after the program deallocated it."""
    for buffer in buffers:
        operations = [o.operation for o in block.operations]
        users = [o for o in (_ancestor(u, block) for u in _users(buffer.op.result)) if o is not None]
        last = max((operations.index(u) for u in [buffer.op.operation, *users]), default=0)
        if buffer.freed is None:
            after = operations[last + 1]
            with block.owner.context, operations[last].location, ir.InsertionPoint(after):
                memref.DeallocOp(buffer.op.result)
        elif last > (freed := operations.index(buffer.freed.operation)):
            raise RuntimeError(
                f"{buffer.label} is used after air.dealloc({buffer.name or '...'}){_at(operations[freed])}: "
                f"the use is{_at(operations[last])}"
            )


def _users(value: ir.Value) -> Iterator[Any]:
    for use in value.uses:
        op = use.owner.operation
        yield op
        if op.name == "memref.subview":
            yield from _users(op.result)


def _ancestor(op: AnyOp, block: ir.Block) -> Any:
    """The operation of `block` that is or holds `op`."""
    while op is not None and op.block != block:
        op = op.parent
    return op


def _at(op: AnyOp) -> str:
    location = op.location
    result = ir.Location.from_attr(location.attr, location.context) if type(location) is ir.Location else location
    return f" in line {result.start_line}" if isinstance(result, ir.FileLineColLoc) else ""
