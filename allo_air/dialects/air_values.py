"""The values of AIR's operations: tokens and their users, and corresponding values inside and outside of a body."""

from __future__ import annotations

import weakref
from typing import Any

from allo_air.core.walking import span_of
from allo_air.mlir import AnyOp, ir

HIERARCHIES = ("air.launch", "air.segment", "air.herd", "air.rank")
TRANSFERS = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get")
ASYNC = frozenset((*HIERARCHIES, *TRANSFERS, "air.execute", "air.wait_all", "air.custom"))
"""Operations whose first operands are the tokens they wait for."""

LITERAL_LISTS = "air.literal_lists"
"""Attribute (not printed) of a transfer whose lists have literals for constants in August's assembly: its text had one, its
builder got a number, or `canonicalize` has processed it."""

JOIN = "air.wait_all"
ONLY_DEPS = ("air.execute", "air.wait_all")
_NO_TOKENS = (ir.IndexType, ir.MemRefType, ir.IntegerType, ir.FloatType, ir.VectorType)
"""Types that are known not to be tokens, since printing a type takes longer."""

_token: tuple[weakref.ref[ir.Context], int] | None = None
"""The context in which a token was last seen, and the hash of the type, which is unique in that context."""


def is_token(value: Any) -> bool:
    """Whether `value` is an `!air.async.token`."""
    global _token
    kind = value.type
    if isinstance(kind, _NO_TOKENS):
        return False
    context = kind.context
    if _token is not None and _token[0]() is context and _token[1] == hash(kind):
        return True
    if str(kind) != "!air.async.token":
        return False
    _token = weakref.ref(context), hash(kind)
    return True


def is_wait(op: AnyOp) -> bool:
    """Whether `op` only waits: a `wait_all` with attributes other than its number (`air.launch_end`, ...) marks a position."""
    return op.name == JOIN and all(name == "id" for name, _ in op.attributes.items())


def is_join(op: AnyOp) -> bool:
    """Whether `op` only joins tokens into one."""
    return is_wait(op) and len(op.results) == 1


def dep_count(op: AnyOp) -> int:
    """The number of dependences among the operands of an asynchronous `op`; they come first."""
    if op.name in ONLY_DEPS:
        return len(op.operands)
    return span_of(op, "operandSegmentSizes", 0, 1)[1] if "operandSegmentSizes" in op.attributes else 0


def grid_of(hierarchy: AnyOp) -> list[Any]:
    """The sizes of a hierarchy's grid."""
    start, rank = _grid(hierarchy)
    return list(hierarchy.operands)[start : start + rank]


def _grid(hierarchy: AnyOp) -> tuple[int, int]:
    """The index of the first size among the operands, and the number of sizes."""
    return span_of(hierarchy, "operandSegmentSizes", 2 if hierarchy.name == "air.rank" else 1, 1)


def outer_operand(value: Any) -> Any:
    """The operand for a size or an argument of a hierarchy's body, or the value yielded for a result of `air.execute`; else
    None.
    """
    if isinstance(value, ir.BlockArgument):
        owner = value.owner.owner
        if owner is None or owner.name not in HIERARCHIES:
            return None
        start, rank = _grid(owner)
        index = value.arg_number - rank
        return None if index < 0 else owner.operands[start + index]
    owner = value.owner
    if owner.name != "air.execute" or value.result_number == 0:
        return None
    blocks = list(owner.regions[0].blocks)
    last = blocks[0].operations[-1] if blocks and len(blocks[0].operations) else None
    return last.operands[value.result_number - 1] if last is not None and last.name == "air.execute_terminator" else None


def forwarded_value(use: ir.OpOperand) -> Any:
    """The block argument for a hierarchy's operand, or the result outside for a value yielded in `air.execute`; else None."""
    user, number = use.owner, use.operand_number
    if user.name == "air.execute_terminator":
        return user.operation.parent.operation.results[number + 1]
    if user.name not in HIERARCHIES:
        return None
    start, rank = _grid(user)
    return user.regions[0].blocks[0].arguments[number - start + rank] if number >= start + rank else None


def regroup_operands(op: ir.Operation) -> None:
    """Updates the segment sizes of a hierarchy's operands, which group equal types, after the type of one has changed."""
    view: Any = op.opview
    sizes: list[int] = []
    for field in view.DECL.operands:
        result = getattr(view, field.name)
        several = result if isinstance(result, list) else [v for v in (result,) if v is not None]
        sizes += field.segments([v.type for v in several])
    op.attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(sizes)
