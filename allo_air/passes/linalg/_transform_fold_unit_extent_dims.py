"""`transform.air.fold_unit_extent_dims`: removes dimensions of extent 1 from linalg operations."""

from allo_air.core.upstream import run_upstream
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes.linalg._unit_dims import fold_unit_loops
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Removes dimensions of extent 1 from the linalg operations of the functions; returns the functions."""

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect(target, "func.func")
        for op in walk_named(target, "linalg.generic"):
            fold_unit_loops(op)
        run_upstream(target, "linalg-fold-unit-extent-dims")
        return target

    return call.each(rewrite)
