"""Replaces memory outside of a core of which the core only uses the shape, or a view that is never read."""

from __future__ import annotations

from allo_air.dialects.air import L1
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.to_aie._emit import DeviceBuilder

GLOBAL = "__air_herd_arg"
"""Prefix of the symbols that replace a herd's arguments in external memory."""

_VIEWS = ("memref.cast", "memref.reinterpret_cast", "memref.subview", "memref.expand_shape", "memref.collapse_shape")
_READ_NOTHING = ("memref.dim", "memref.rank", "memref.extract_strided_metadata", "memref.dealloc")


class OuterMemory:
    """The memrefs of a herd outside of L1 of which the core of `block` only uses the type.

    Before:
        air.herd @h tile (%x, %y) in (...) args(%s=%shape) : memref<2xindex> { memref.reshape %b(%s) ... }
    After:
        memref.global "public" @__air_herd_arg : memref<2xindex>
        aie.core(%tile) { %s = memref.get_global @__air_herd_arg : memref<2xindex> ... memref.reshape %b(%s) ... }
    """

    def __init__(self, builder: DeviceBuilder, block: ir.Block):
        self.builder, self.block = builder, block

    def value(self, argument: ir.BlockArgument) -> ir.Value | None:
        """The core's reference to `argument`; None if the core reads or writes the memory."""
        if not isinstance(argument.type, ir.MemRefType) or is_in(argument.type, L1) or not _is_only_named(argument):
            return None
        return self.builder.core_global(argument.type, GLOBAL, self.block)


def _is_only_named(value: ir.Value) -> bool:
    return all(_names(use.owner.operation, use.operand_number) for use in value.uses)


def _names(op: AnyOp, operand: int) -> bool:
    if op.name in _READ_NOTHING:
        return True
    if op.name == "memref.reshape":
        has_static_shape = isinstance(op.results[0].type, ir.MemRefType) and op.results[0].type.has_static_shape
        return has_static_shape if operand else _is_only_named(op.results[0])
    return op.name in _VIEWS and operand == 0 and _is_only_named(op.results[0])
