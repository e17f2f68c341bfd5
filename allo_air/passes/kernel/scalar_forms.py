"""scalar-forms."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.requantisation import constant_splat


@dataclass(frozen=True)
class ScalarForms(Pass):
    """Rewrites scalar operations that mlir-aie's tool chain would lower to something else.

    An i32 is shifted as an index: its arithmetic right shift would become a vector shift, which rounds by the core's rounding
    mode (docs/sources.md#vector-kernels).

    Before:

        %r = arith.shrsi %x, %n : i32

    After:

        %i = arith.index_cast %x : i32 to index
        %m = arith.index_cast %n : i32 to index
        %s = arith.shrsi %i, %m : index
        %r = arith.index_cast %s : index to i32
    """

    name = "scalar-forms"
    works_on = ("arith.shrsi",)

    def run(self, op: AnyOp, /) -> None:
        for shift in walk_named(op, "arith.shrsi"):
            if str(shift.results[0].type) != "i32" or constant_splat(shift.operands[1]) == 0:
                continue
            with ir.InsertionPoint(shift), shift.location:
                index = ir.IndexType.get()
                shifted = arith.shrsi(*(arith.index_cast(index, v) for v in shift.operands))
                shift.results[0].replace_all_uses_with(arith.index_cast(shift.results[0].type, shifted))
            shift.erase()
