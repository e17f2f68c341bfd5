"""Resolves views of a runtime sequence's arguments: the argument of a value, and its byte offset."""

from __future__ import annotations

from typing import Any

from allo_air.access.dims import start_of
from allo_air.arch.limits import MAX_PATCH
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, ir

VIEWS = (
    "memref.subview", "memref.reinterpret_cast", "memref.cast", "memref.collapse_shape", "memref.expand_shape",
    "memref.assume_alignment", "memref.memory_space_cast", "memref.transpose", "memref.view",
    "builtin.unrealized_conversion_cast",
)  # fmt: skip
"""Operations that a runtime sequence may apply to its arguments to get views."""

_NOTHING = ("memref.get_global", "memref.dim", "memref.rank", "memref.alloc", "memref.alloca", "memref.dealloc", "ub.poison")
_COMPUTES = ("arith.", "affine.apply", "affine.min", "affine.max", "index.", "math.")
_DYNAMIC = -(2**63)


def means_nothing(name: str) -> bool:
    """Whether operations called `name` have no instructions: arithmetic, views, and host memory."""
    return name in VIEWS or name in _NOTHING or name.startswith(_COMPUTES)


def argument_of(sequence: Any, value: ir.Value) -> tuple[int, int] | None:
    """The position of the argument that `value` is or is a view of, and the view's offset in bytes; None for anything else."""
    if value in sequence.bound:
        argument: tuple[int, int] | None = sequence.bound[value]
        return argument
    owner = getattr(value, "owner", None)
    if (
        not isinstance(owner, ir.Operation | ir.OpView)
        or owner.operation.name not in VIEWS
        or not len(owner.operation.operands)
    ):
        return None
    result = argument_of(sequence, owner.operation.operands[0])
    if result is None:
        return None
    number, before = result
    return number, before + _bytes(sequence, owner.operation, value)


def patched_bytes(op: AnyOp, offset: int, bits: int = 0) -> int:
    """The first byte of a transfer in an argument, which a patch adds to an address; DiagnosticError if it has no room for it.

    `offset` is in bytes. With `bits`, it is negative if an i32 of elements of so many bits has wrapped.
    """
    first = offset if offset >= 0 else offset + (bits << 32) // 8
    if 0 <= first < MAX_PATCH:
        return first
    raise error_at(
        op,
        f"begins at byte {first:,} of an argument of the sequence; an address patch holds 32 bits, so transfers begin below "
        f"byte {MAX_PATCH:,}: split the argument on the host",
    )


def number_of(op: ir.Operation, value: ir.Value, what: str) -> int:
    """The constant value of `value`; raises DiagnosticError if it is not constant."""
    owner = defining_op(value, "arith.constant")
    if owner is None:
        raise error_at(op, f"has {what} that is not constant; instruction words need numbers")
    return int(owner.attributes["value"].value)


def filled(op: ir.Operation, static: list[int], values: list[ir.Value], what: str) -> list[int]:
    """The numbers in the attribute `static`, in which run-time entries are replaced by the constants among the operands."""
    value = iter(values)
    return [number_of(op, next(value), what) if n == _DYNAMIC else n for n in static]


def _bytes(sequence: ir.OpView, view: ir.Operation, value: ir.Value) -> int:
    """Bytes between the start of a view's source and its own."""
    if view.name == "memref.view":
        return number_of(view, view.operands[1], "an offset")
    if view.name not in ("memref.subview", "memref.reinterpret_cast"):
        return 0
    offsets = filled(view, list(view.attributes["static_offsets"]), list(view.operands)[1:], "an offset")
    bits: int = sequence.bits(value.type)
    if view.name == "memref.reinterpret_cast":
        return offsets[0] * bits // 8
    strides, _ = view.operands[0].type.get_strides_and_offset()
    return start_of(offsets, strides) * bits // 8
