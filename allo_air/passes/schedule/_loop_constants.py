"""Copies the constants that a loop uses to the beginning of its body."""

from __future__ import annotations

from collections.abc import Iterator

from allo_air.core.walking import defining_op, walk_post_order
from allo_air.mlir import AnyOp, ir

_CONSTANTS = ("arith.constant", "ub.poison")
_INSIDE = ("air.execute",)
"""Operations whose bodies count as parts of the loop's body."""


def constants_into_loops(root: AnyOp) -> None:
    """Copies the constants that the body of each scf.for with a token in `root` uses into the body, as mlir-air does.

    Nested loops and branches are treated separately: only their operands count. Canonicalization undoes this.
    """
    token = ir.Type.parse("!air.async.token")
    for loop in reversed([op for op in walk_post_order(root) if op.name == "scf.for"]):
        if not any(v.type == token for v in loop.results):
            continue
        block = loop.regions[0].blocks[0]
        first = block.operations[0].operation
        values: dict[ir.Value, ir.Value] = {}
        for op in list(_users(block)):
            for n, value in enumerate(op.operands):
                owner = defining_op(value, *_CONSTANTS)
                if owner is None or owner.block == block:
                    continue
                if value not in values:
                    values[value] = owner.clone(ip=ir.InsertionPoint(first)).results[0]
                op.operands[n] = values[value]


def _users(block: ir.Block) -> Iterator[ir.Operation]:
    for op in [o.operation for o in block.operations]:
        yield op
        if op.name in _INSIDE:
            yield from _users(op.regions[0].blocks[0])
