"""Finds the buffer of which a memref value is a view."""

from __future__ import annotations

from typing import Any

from allo_air.dialects.air_values import outer_operand
from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import ir

VIEWS = {
    "memref.assume_alignment",
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.memory_space_cast",
    "memref.reinterpret_cast",
    "memref.reshape",
    "memref.subview",
    "memref.transpose",
    "memref.view",
}
"""Operations whose result is a view of their first operand."""

_BUFFERS = ("memref.alloc", "memref.alloca")


def root_of(memref: Any) -> ir.Value:
    """The value of which `memref` is a view: an allocation, a block argument, or the result of an operation that makes no view.

    Follows views, results of `air.execute`, and arguments of hierarchies to their operands.
    """
    while True:
        if isinstance(memref, ir.OpResult) and memref.owner.name in VIEWS:
            memref = memref.owner.operands[0]
        elif (outer := outer_operand(memref)) is not None:
            memref = outer
        else:
            return memref


def are_distinct(a: ir.Value, b: ir.Value) -> bool:
    """Whether two roots cannot share memory: two allocations, or buffers of different memory spaces."""
    if a == b:
        return False
    if _is_buffer(a) and _is_buffer(b):
        return True
    spaces = [_space(root.type) for root in (a, b) if isinstance(root.type, ir.MemRefType)]
    return len(spaces) == 2 and spaces[0] != spaces[1]


def _space(kind: ir.MemRefType) -> int | str:
    """The memory space of a memref type; 0 if it has none. (The bindings raise if their None is compared with an attribute.)"""
    space = memory_space(kind)
    return str(kind.memory_space) if space is None else space


def _is_buffer(root: ir.Value) -> bool:
    return isinstance(root, ir.OpResult) and root.owner.name in _BUFFERS
