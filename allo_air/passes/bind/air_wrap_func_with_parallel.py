"""air-wrap-func-with-parallel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Dim
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.errors import OptionError, counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.greedy import fold_greedily
from allo_air.passes.bind._index_chains import in_index
from allo_air.passes.bind._outline import parallel

ACTUAL_SIZES = "air.actual_sizes"


@dataclass(frozen=True)
class AirWrapFuncWithParallel(Pass):
    """Wraps the body of a kernel, written for one program of a grid, in an scf.parallel over the grid `loop-bounds`.

    The arguments of a Triton-style kernel are memrefs, then a size and then a program id for each dimension of the grid. In the
    body, the ids become the loop's induction variables, and sums and products of them are computed in `index`. The arguments
    stay. `actual-sizes` is recorded as `air.actual_sizes` on every scf.parallel of the function, for problems that are smaller
    than the grid's blocks. Functions without a body stay unchanged.

    Before (`air-wrap-func-with-parallel{loop-bounds=8}`):

        func.func @k(%a: memref<*xf32>, %n: i32, %id: i32) {
          %0 = arith.muli %id, %c64_i32 : i32
          %1 = arith.index_cast %0 : i32 to index
          "use"(%a, %1) : (memref<*xf32>, index) -> ()
          return
        }

    After:

        func.func @k(%a: memref<*xf32>, %n: i32, %id: i32) {
          scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
            %0 = arith.index_cast %i : index to i32
            %1 = arith.index_cast %0 : i32 to index
            %2 = arith.muli %1, %c64 : index
            %3 = arith.index_cast %2 : index to i32
            %4 = arith.index_cast %3 : i32 to index
            "use"(%a, %4) : (memref<*xf32>, index) -> ()
          }
          return
        }
    """

    name = "air-wrap-func-with-parallel"
    anchor = "func.func"
    loop_bounds: tuple[int, ...] = ()
    """The number of programs in each dimension of the grid."""
    actual_sizes: tuple[int, ...] = ()
    """The actual sizes of the problem, recorded for other passes, if the grid's blocks are larger."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(bound < 1 for bound in self.loop_bounds):
            raise OptionError(f"pass '{self.name}': option 'loop-bounds' has a bound below 1")

    def run(self, op: AnyOp, /) -> None:
        if not op.regions[0].blocks:
            return
        block = op.regions[0].blocks[0]
        ids = self._ids(op, list(block.arguments))
        [*body, terminator] = [o.operation for o in block.operations]
        if len(op.regions[0].blocks) > 1 or len(terminator.operands):
            raise error_at(op, "cannot go into a loop: it returns values or has several blocks; pass results as memrefs")
        location = op.location
        with ir.InsertionPoint(body[0] if body else terminator):
            for number in (0, 1):
                index_constant(number, location)
        with ir.InsertionPoint(terminator):
            loop = parallel([Dim(None, 0, bound, 1) for bound in self.loop_bounds], location)
        inner = loop.regions[0].blocks[0]
        end = list(inner.operations)[-1].operation
        for op_of_body in body:
            op_of_body.move_before(end)
        for old, iv in reversed(list(zip(ids, inner.arguments, strict=True))):
            in_index(old, iv)
        fold_greedily(op)
        if self.actual_sizes:
            for op_of_body in walk_named(op, "scf.parallel"):
                op_of_body.attributes[ACTUAL_SIZES] = ir.DenseI64ArrayAttr.get(list(self.actual_sizes))

    def _ids(self, op: AnyOp, arguments: list[ir.Value]) -> list[Any]:
        """The program ids, one for each bound."""
        if not self.loop_bounds:
            raise OptionError(f"pass '{self.name}': option 'loop-bounds' is needed: the number of programs in each dimension")
        memrefs = 0
        for argument in arguments:
            if not isinstance(argument.type, (ir.MemRefType, ir.UnrankedMemRefType)):
                break
            memrefs += 1
        count = len(self.loop_bounds)
        ids = arguments[memrefs + count : memrefs + 2 * count]
        if len(ids) < count or any(not isinstance(a.type, (ir.IntegerType, ir.IndexType)) for a in ids):
            raise error_at(
                op,
                f"has {counted(memrefs, 'memref')} and "
                f"{counted(len(arguments) - memrefs, 'other argument')}; expected after the memrefs {count}"
                f" integers for the grid's sizes and {count} for the program ids, as loop-bounds has "
                f"{counted(count, 'dimension')}",
            )
        return ids
