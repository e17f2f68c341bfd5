"""air-herd-assign."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Dim
from allo_air.core.pass_ import Pass
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.affine_loops import LABEL, body_of, dims_of, labelled


@dataclass(frozen=True)
class AirHerdAssign(Pass):
    """Combines two adjacent loops of labelled perfect nests into an `affine.parallel`, for air-par-to-herd.

    Their iterations must be independent.

    Before:

        affine.for %i = 0 to 4 {
          affine.for %j = 0 to 2 {
            "use"(%i, %j) : (index, index) -> ()
          }
        } {affine_opt_label = "nest"}

    After:

        affine.parallel (%i, %j) = (0, 0) to (4, 2) {
          "use"(%i, %j) : (index, index) -> ()
        }
    """

    name = "air-herd-assign"
    anchor = "func.func"
    works_on = ("affine.for",)
    herd_assign_depth: int = 0
    """Depth of the outer loop of the two, from 0."""

    def run(self, op: AnyOp, /) -> None:
        depth = self.herd_assign_depth
        for nest in labelled(op, ""):
            if not 0 <= depth <= len(nest) - 2:
                raise error_at(
                    nest[0],
                    f"is a perfect nest of "
                    f"{counted(len(nest), 'loop')}, which has no two at depths {depth} and {depth + 1}; give a"
                    " herd-assign-depth that it has",
                )
            _assign(nest[depth], nest[depth + 1])
            if depth and LABEL in nest[0].attributes:
                del nest[0].attributes[LABEL]


def _assign(outer: ir.Operation, inner: ir.Operation) -> None:
    dims = dims_of([outer, inner], "made parallel")
    with ir.InsertionPoint(outer), outer.location:
        result = _parallel(dims)
    block = body_of(result)
    end = block.operations[0].operation
    for op in [o.operation for o in body_of(inner).operations][:-1]:
        op.move_before(end)
    for dim, argument in zip(dims, block.arguments, strict=True):
        dim.iv.replace_all_uses_with(argument)
    outer.erase()


def _parallel(dims: list[Dim]) -> ir.Operation:
    index, i64 = ir.IndexType.get(), ir.IntegerType.get_signless(64)
    groups = ir.Attribute.parse(f"dense<1> : tensor<{len(dims)}xi32>")

    def bounds(numbers: list[int]) -> Any:
        return ir.AffineMapAttr.get(ir.AffineMap.get(0, 0, [ir.AffineExpr.get_constant(n) for n in numbers]))

    op = ir.Operation.create(
        "affine.parallel",
        attributes={
            "lowerBoundsMap": bounds([d.lower for d in dims]),
            "upperBoundsMap": bounds([d.upper for d in dims]),
            "lowerBoundsGroups": groups,
            "upperBoundsGroups": groups,
            "steps": ir.ArrayAttr.get([ir.IntegerAttr.get(i64, d.step) for d in dims]),
            "reductions": ir.ArrayAttr.get([]),
        },
        regions=1,
    )
    block = op.regions[0].blocks.append(*[index] * len(dims), arg_locs=[op.location] * len(dims))
    ir.Operation.create("affine.yield", ip=ir.InsertionPoint(block), loc=op.location)
    return op
