"""The memory that a memref of a core's program lies in."""

from __future__ import annotations

from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.mlir import ir
from allo_air.sim.cores.program import ENTRY

_VIEWS = (
    "memref.subview", "memref.cast", "memref.reinterpret_cast", "memref.collapse_shape", "memref.expand_shape", "memref.view",
    "memref.transpose", "memref.reshape",
)  # fmt: skip


def root_of(memref: ir.Value) -> Any | None:
    """The buffer, allocation or constant that `memref` is a view of; None if that is not known."""
    while True:
        owner = memref.owner
        if isinstance(owner, ir.Block):
            return memref if _is_entry(owner) else None
        name = owner.operation.name
        if name in ("memref.alloca", "memref.alloc", "memref.get_global"):
            return memref
        if name not in _VIEWS:
            return None
        memref = owner.operation.operands[0]


def _is_entry(block: ir.Block) -> bool:
    """Whether the arguments of `block` are the core's buffers, each a memory of its own."""
    function = block.owner.operation
    is_core = function.name == "func.func" and sym_name_of(function) == ENTRY
    return is_core and block == function.regions[0].blocks[0]


def is_local(root: ir.Value) -> bool:
    """Whether `root` lies outside of the tiles' buffers: on the core's stack, or a constant."""
    return not isinstance(root, ir.BlockArgument)
