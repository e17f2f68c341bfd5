"""Memory spaces of memrefs, and the buffer under a chain of views."""

from __future__ import annotations

from typing import Any

from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import ir
from allo_air.passes._analysis.views import chain

LEVELS = {"L1": 2, "L2": 1, "L3": 0}
"""Memory spaces by the names of their levels."""
HOIST = "hoist_alloc"
"""Attribute of a `memref.alloc` that is to be moved out of the loop around it."""


def space(kind: Any) -> int:
    """Memory space of memref type `kind`: 0 = L3 (also the default), 1 = L2, 2 = L1; `1` and `1 : i32` are equal.

    Raises ValueError if the space is not an integer.
    """
    result = memory_space(kind)
    if result is None:
        raise ValueError(f"memory space {kind.memory_space} is not an integer")
    return result


def is_in(kind: ir.Type, level: int) -> bool:
    """Whether `kind` is a memref, ranked or not, in memory space `level`."""
    return memory_space(kind) == level


def buffer(value: ir.Value) -> Any:
    """The memref at the start of the chain of views that makes `value`."""
    views = chain(value)
    return views[0].operands[0] if views else value
