"""Constants that a loop uses, at the begin of its body."""

from __future__ import annotations

from collections.abc import Iterator

from allo_air.core.walking import defining_op, walk_post_order
from allo_air.mlir import AnyOp, ir

_CONSTANTS = ("arith.constant", "ub.poison")
_INSIDE = ("air.execute",)
"""Operations whose bodies belong to the loop's."""


def constants_into_loops(root: AnyOp) -> None:
    """Gives each scf.for in `root` that carries a token copies of the constants that its body uses, as mlir-air does.

    Loops and branches in the body are loops and bodies of their own: only what they take counts. canonicalize undoes it.
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
