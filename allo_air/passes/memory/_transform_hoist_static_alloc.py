"""`transform.air.hoist_static_alloc`."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import parents, walk_named
from allo_air.mlir import ir, memref
from allo_air.passes._analysis.alias import VIEWS
from allo_air.transform.operations import Application

_STAY_IN = ("scf.parallel", "scf.forall", "affine.parallel")


def apply(call: Application) -> list[list[ir.Operation]]:
    """Moves allocations of static shape to the start of the function, with one deallocation before its end.

    Allocations in isolated regions (herds) stay, as do those in parallel loops, whose iterations would share them, and those
    that a loop or branch passes on.
    """

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect(target, "func.func")
        entry = target.regions[0].blocks[0]
        for alloc in walk_named(target, "memref.alloc"):
            if alloc.block != entry and len(alloc.operands) == 0 and _can_leave(alloc, target):
                _hoist(alloc, entry, target)
        return target

    call.each(rewrite)
    return []


def _can_leave(alloc: ir.Operation, function: ir.Operation) -> bool:
    for outer in parents(alloc):
        if outer == function:
            break
        if outer.name in _STAY_IN or outer.name.startswith("air."):
            return False
    todo = [alloc.results[0]]
    while todo:
        for use in todo.pop().uses:
            user = use.owner.operation
            if user.name in VIEWS:
                todo += list(user.results)
            if user.name.endswith(("yield", "return", "terminator")) or user.name in ("scf.for", "scf.while", "affine.for"):
                return False
    return True


def _hoist(alloc: ir.Operation, entry: Any, function: ir.Operation) -> None:
    for use in list(alloc.results[0].uses):
        if use.owner.operation.name == "memref.dealloc":
            use.owner.operation.erase()
    alloc.move_before(entry.operations[0])
    for block in function.regions[0].blocks:
        end = block.operations[-1]
        if end.operation.name == "func.return":
            with ir.InsertionPoint(end), alloc.location:
                memref.DeallocOp(alloc.results[0])
