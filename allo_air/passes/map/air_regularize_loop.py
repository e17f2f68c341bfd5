"""air-regularize-loop."""

from dataclasses import dataclass

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._ir.affine_loops import LABEL, body_of

_LOADS, _STORES = ("affine.load", "memref.load"), ("affine.store", "memref.store")


@dataclass(frozen=True)
class AirRegularizeLoop(Pass):
    """Makes labelled nests of `affine.for` perfect: what stands before an inner loop goes into the innermost one.

    That is the inverse of moving invariants out of loops. Only operations that can be done again move: pure ones, and loads
    of memory that the nest does not write.

    Before:

        affine.for %i = 0 to 4 {
          %0 = affine.load %a[%i] : memref<4xf32>
          affine.for %j = 0 to 8 {
            affine.store %0, %b[%i, %j] : memref<4x8xf32>
          }
        } {affine_opt_label = "nest"}

    After:

        affine.for %i = 0 to 4 {
          affine.for %j = 0 to 8 {
            %0 = affine.load %a[%i] : memref<4xf32>
            affine.store %0, %b[%i, %j] : memref<4x8xf32>
          }
        } {affine_opt_label = "nest"}
    """

    name = "air-regularize-loop"
    anchor = "func.func"
    works_on = ("affine.for",)
    air_label: str = ""
    """Take only nests with this `affine_opt_label`."""

    def run(self, op: AnyOp, /) -> None:
        for loop in walk_named(op, "affine.for"):
            if LABEL in loop.attributes and self.air_label in ("", loop.attributes[LABEL].value):
                _regularize(loop)


def _regularize(nest: ir.Operation) -> None:
    written = [root_of(store.operands[1]) for store in walk_named(nest, *_STORES)]
    moving: list[ir.Operation] = []
    loop = nest
    while True:
        inside = [o.operation for o in body_of(loop).operations][:-1]
        inner = [o for o in inside if o.name == "affine.for"]
        if not inner:
            break
        at = inside.index(inner[0])
        if len(inner) > 1 or at != len(inside) - 1:
            other = inner[1] if len(inner) > 1 else inside[at + 1]
            raise error_at(other, "stands behind a loop of a nest that shall be perfect; move it into a nest of its own")
        for op in inside[:at]:
            if not is_pure(op) and not (op.name in _LOADS and root_of(op.operands[0]) not in written):
                raise error_at(op, "cannot be done again in each round of the loop behind it; move it out of the nest")
        moving += inside[:at]
        loop = inner[0]
    first = body_of(loop).operations[0].operation
    for op in moving:
        op.move_before(first)
