"""pad-families."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp
from allo_air.passes.linalg._families import family_of
from allo_air.plan.schema import plan_or_unplanned


@dataclass(frozen=True)
class PadFamilies(Pass):
    """Gives planned kernels the padded shapes of their plans; callers, or the host, pass longer tensors.

    Arguments and results of matrix multiplications and of attention become larger: the data is in the leading corner, and the
    zeros after it add nothing. A kernel that the plan divides evenly stays unchanged. In a grouped matrix multiplication, all
    blocks get the plan's number of rows. A block that ends after its group writes rows that the next block overwrites; the last
    one needs longer arrays.

    Before (blocks of 32 rows):

        func.func private @k(%x: tensor<50x60xf32>, %w: tensor<2x60x32xf32>) -> tensor<50x32xf32> {
          %a = linalg.matmul ins(%x[0, 0] [20, 60], %w[0, 0, 0] [1, 60, 32])
          %b = linalg.matmul ins(%x[20, 0] [30, 60], %w[1, 0, 0] [1, 60, 32])
          %r = tensor.concat dim(0) %a, %b

    After:

        func.func private @k(%x: tensor<52x64xf32>, %w: tensor<2x64x32xf32>) -> tensor<52x32xf32> {
          %a = linalg.matmul ins(%x[0, 0] [32, 64], %w[0, 0, 0] [1, 64, 32])
          %0 = tensor.insert_slice %a into %empty[0, 0] [32, 32]
          %b = linalg.matmul ins(%x[20, 0] [32, 64], %w[1, 0, 0] [1, 64, 32])
          %r = tensor.insert_slice %b into %0[20, 0] [32, 32]
    """

    name = "pad-families"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for kernel in walk_named(op, "func.func"):
            plan = plan_or_unplanned(kernel)
            if (family := family_of(plan.family)) is not None:
                family.pad(kernel, plan)
