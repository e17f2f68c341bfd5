"""`transform.air.fuse_elementwise_linalg`: fuses elementwise operations."""

from allo_air.mlir import ir
from allo_air.passes.linalg._fusion import fuse_elementwise
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Fuses the elementwise operations of the functions into their users; returns the functions."""

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect(target, "func.func")
        fuse_elementwise(target)
        return target

    return call.each(rewrite)
