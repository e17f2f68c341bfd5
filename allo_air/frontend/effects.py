"""Which buffers a program reads before it writes them, and which it writes; trip counts of its loops."""

from __future__ import annotations

import re
from typing import Any

from allo_air.frontend.coverage import coverage
from allo_air.mlir import AnyOp, ir


def directions(buffer: ir.Value) -> tuple[bool, bool]:
    """Whether the initial value of `buffer` is used, and whether the program writes the buffer."""
    result = coverage(buffer)
    return bool(result.needed.any() or (result.writes and not result.written.all())), result.writes


def bound(block: ir.Block, items: list[tuple[bool, bool]]) -> list[tuple[bool, bool]]:
    """The directions of a block's arguments. An argument that is completely written before anything is received counts as an
    input, too.

    A core runs forever. It would otherwise send such a result again before it waits for the data of the next call.
    """
    ops = [op.operation for op in block.operations]
    needed = {a for a, (reads, _) in zip(block.arguments, items, strict=True) if reads}
    received = next((n for n, op in enumerate(ops) if _receives(op, needed)), len(ops))
    last = {a: max((n for n, op in enumerate(ops) if _uses_any(op, {a})), default=-1) for a in block.arguments}
    return [(r or (w and last[a] < received), w) for a, (r, w) in zip(block.arguments, items, strict=True)]


def _receives(op: ir.Operation, needed: set[Any]) -> bool:
    return op.name == "air.channel.get" or _uses_any(op, needed) or any(_receives(inner, set()) for inner in inner_ops(op))


def _uses_any(op: ir.Operation, values: set[object]) -> bool:
    """Whether an operation, or one in it, uses one of `values`."""
    return any(o in values for o in op.operands) or any(_uses_any(inner, values) for inner in inner_ops(op))


def inner_ops(op: AnyOp) -> list[ir.Operation]:
    """The operations directly in the regions of `op`."""
    return [inner.operation for region in op.regions for block in region.blocks for inner in block.operations]


def constant_trip(op: ir.Operation) -> int | None:
    """The trip count of an affine.for with constant bounds."""
    bounds = [
        re.fullmatch(r"affine_map<\(\) -> \((-?\d+)\)>", str(op.attributes[f"{end}BoundMap"])) for end in ("lower", "upper")
    ]
    if bounds[0] is None or bounds[1] is None:
        return None
    step = int(str(op.attributes["step"]).split(" ")[0])
    return max(0, -(-(int(bounds[1][1]) - int(bounds[0][1])) // step))
