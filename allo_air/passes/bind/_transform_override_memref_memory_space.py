"""`transform.air.override_memref_memory_space`: applies air-override-memref-memory-space to single scopes."""

from typing import Any

from allo_air.core.walking import enclosing, walk_named
from allo_air.dialects.air import L3
from allo_air.mlir import ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.bind._retype import retype
from allo_air.transform.operations import Application

_SCOPES = ("air.herd", "air.segment", "air.launch", "func.func")


def apply(call: Application) -> list[list[ir.Operation]]:
    """Moves the scopes' own allocations, in no space or L3, to `memory_space`; returns the scopes."""
    space = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), call.option("memory_space", 0))

    def rewrite(target: ir.Operation) -> Any:
        call.expect(target, *_SCOPES)
        for alloc in walk_named(target, "memref.alloc"):
            scope = enclosing(alloc, *_SCOPES)
            if scope == target and is_in(alloc.results[0].type, L3):
                retype(alloc.results[0], space)
        return target

    return call.each(rewrite)
