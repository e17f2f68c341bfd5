"""Waits that mark the end of a launch or a segment."""

from __future__ import annotations

from allo_air.core.walking import is_unused, walk_named
from allo_air.dialects.air import WaitAllOp
from allo_air.mlir import ir
from allo_air.passes._analysis.buffers import CHANNEL_OPS
from allo_air.passes._ir.tokens import token_of

LAUNCH_END, SEGMENT_END = "air.launch_end", "air.segment_end"


def open_tokens(ops: list[ir.Operation]) -> list[ir.Value]:
    """The tokens of `ops` that nothing waits for."""
    return [token for op in ops if (token := token_of(op)) is not None and is_unused(token)]


def moves_data(op: ir.Operation) -> bool:
    """Whether `op` is or contains a transfer of the host: a put or get outside of segments and herds."""
    if op.name in ("air.segment", "air.herd"):
        return False
    return op.name in CHANNEL_OPS or any(moves_data(o.operation) for r in op.regions for b in r.blocks for o in b.operations)


def mark_end(block: ir.Block, mark: str, tokens: list[ir.Value], before: ir.Operation | None = None) -> None:
    """Waits for `tokens` at the end of `block`, or before `before`; the wait has attribute `mark`."""
    successor = before if before is not None else list(block.operations)[-1].operation
    WaitAllOp(deps=tokens, attributes={mark: ir.UnitAttr.get()}, loc=successor.location, ip=ir.InsertionPoint(successor))


def is_marked(root: ir.Operation, mark: str) -> bool:
    """Whether `root` contains a wait with attribute `mark`."""
    return any(mark in op.attributes for op in walk_named(root, "air.wait_all"))
