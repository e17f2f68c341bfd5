"""Which operations of a model the host does from the start, and why."""

from __future__ import annotations

from typing import Any

from allo_air.arch import Architecture
from allo_air.core.walking import walk_post_order
from allo_air.dialects.memrefs import total_bits
from allo_air.mlir import ir

HOST_GIGABYTES = 1.0
"""GB/s at which one thread of the host picks rows from a table. An assumption: copies of short runs reach this on laptops."""


def for_the_host(op: ir.Operation, arch: Architecture) -> str:
    """Why the host does `op` better; "" where the array does it.

    A row is picked from a table by streaming all of the table through the array, which the host need not do.
    """
    table = _table(op)
    if table is None:
        return ""
    streamed = bytes_of(table.type) / arch.memory_gigabytes
    picked = sum(bytes_of(r.type) for r in op.results) / HOST_GIGABYTES
    if picked >= streamed:
        return ""
    return (
        f"picks {_amount(picked)} from a table of {_amount(bytes_of(table.type))}: the host needs about {_time(picked)},"
        f" streaming the table through the array {_time(streamed)}"
    )


def _table(op: ir.Operation) -> Any:
    """The tensor that `op` picks elements of at places that data tells; None where it does not."""
    if op.name != "linalg.generic":
        return None
    body = op.regions[0].blocks[0]
    told: set[Any] = set(list(body.arguments)[: len(op.operands) - len(op.results)])
    for inner in walk_post_order(op):
        if inner.name == "tensor.extract" and any(v in told for v in list(inner.operands)[1:]):
            return inner.operands[0]
        if any(v in told for v in inner.operands):
            told.update(inner.results)
    return None


def bytes_of(kind: Any) -> int:
    """Bytes of a tensor of type `kind`, of static shape."""
    return (total_bits(kind) or 0) // 8


def _amount(size: float) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"


def _time(nanoseconds: float) -> str:
    return f"{nanoseconds / 1e6:.1f} ms" if nanoseconds >= 1e6 else f"{nanoseconds / 1e3:.1f} us"
