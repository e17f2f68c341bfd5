"""Erases unused operations."""

from __future__ import annotations

from allo_air.core.walking import is_unused, walk_post_order
from allo_air.mlir import ir

_PURE = ("affine.apply", "affine.min", "affine.max", "memref.cast", "memref.subview")


def erase_unused(root: ir.Operation, *, events: bool = True) -> None:
    """Erases unused arithmetic and views in `root`; with `events`, also unused joins of events and constants."""
    for op in reversed(walk_post_order(root)[:-1]):
        if op.name == "arith.constant" and not events:
            continue
        joins = events and op.name == "airrt.wait_all" and len(op.results)
        if (op.name.startswith("arith.") or op.name in _PURE or joins) and all(map(is_unused, op.results)):
            op.erase()
