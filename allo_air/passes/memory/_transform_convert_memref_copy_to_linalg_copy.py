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
                    op = ir.Operation.create(
                        "linalg.copy",
                        [],
                        [source, destination],
                        {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
                        regions=1,
                    )
                    kinds = [v.type.element_type for v in (source, destination)]
                    block = op.regions[0].blocks.append(*kinds, arg_locs=[copy.location] * 2)
                    linalg.YieldOp([block.arguments[0]], ip=ir.InsertionPoint(block))
                if copy == target:
                    target = op
                copy.erase()
        return target

    return call.each(rewrite)
