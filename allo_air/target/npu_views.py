"""Views of a runtime sequence's arguments: which argument a value is, and from which byte on."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.mlir import ir

VIEWS = (
    "memref.subview", "memref.reinterpret_cast", "memref.cast", "memref.collapse_shape", "memref.expand_shape",
)  # fmt: skip
"""Operations that a runtime sequence may look at its arguments through; they make no instructions."""

_DYNAMIC = -(2**63)


def argument_of(sequence: Any, value: Any) -> tuple[int, int] | None:
    """The position of the argument that `value` is or is a view of, and the view's offset in bytes; None for anything else."""
    if value in sequence.arguments:
        return sequence.arguments.index(value), 0
    owner = getattr(value, "owner", None)
    if not isinstance(owner, ir.Operation | ir.OpView) or owner.operation.name not in VIEWS:
        return None
    found = argument_of(sequence, owner.operation.operands[0])
    if found is None:
        return None
    argument, before = found
    return argument, before + _elements(owner.operation) * sequence.bits(value.type) // 8


def _elements(view: Any) -> int:
    """Elements between the start of a view's source and its own."""
    if view.name not in ("memref.subview", "memref.reinterpret_cast"):
        return 0
    offsets = list(view.attributes["static_offsets"])
    if _DYNAMIC in offsets:
        raise error_at(view, "has an offset that is not constant; instruction words need numbers")
    if view.name == "memref.reinterpret_cast":
        return int(offsets[0])
    source = view.operands[0].type
    strides, _ = source.get_strides_and_offset()
    return sum(o * s for o, s in zip(offsets, strides, strict=True))
