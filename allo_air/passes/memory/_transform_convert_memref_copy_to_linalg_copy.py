"""`transform.air.convert_memref_copy_to_linalg_copy`."""

from allo_air.core.walking import walk_named
from allo_air.mlir import ir, linalg
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """The same operations, with linalg.copy for each memref.copy of ranked memrefs, also if it is the target itself."""

    def rewrite(target: ir.Operation) -> ir.Operation:
        for copy in walk_named(target, "memref.copy"):
            source, destination = copy.operands
            if all(isinstance(v.type, ir.MemRefType) for v in (source, destination)):
                with ir.InsertionPoint(copy), copy.location:
                    op = linalg.CopyOp([], [source], [destination]).operation
                    linalg.fill_builtin_region(op)
                if copy == target:
                    target = op
                copy.erase()
        return target

    return call.each(rewrite)
