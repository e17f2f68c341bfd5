"""expand-families."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes.linalg._families import family_of
from allo_air.plan.schema import plan_or_unplanned


@dataclass(frozen=True)
class ExpandFamilies(Pass):
    """Carries out the plans of kernels: tiles them for launches and cores, and copies operands to L2 and L1.

    Each family of plans has its own expansion:

    * `plan-tiles`: the last operation is tiled, and its producers are fused into its tiles. Operations without tiles run on
      one core.
    * Matrix multiplication: transform scripts tile it, and each core applies the epilogue to its tile.
    * Attention: the scores never leave the core that computes them.
    * Grouped matrix multiplication: one kernel computes a block of rows. The caller calls it for each block, so that the array
      is configured once. The blocks are parts of the caller's arrays, which `link-kernels` passes without a copy.

    Before:

        func.func private @k(%x: tensor<52x64xf32>, %w: tensor<2x64x32xf32>) -> tensor<52x32xf32> { two matmuls of 32 rows }
        func.func @main(%x, %w) {
          %r = call @k(%x, %w)

    After:

        func.func private @k_block_0(%a: tensor<32x64xf32>, %b: tensor<64x32xf32>) -> tensor<32x32xf32> { one of them }
        func.func @main(%x, %w) {
          %a = call @k_block_0(%x[0, 0] [32, 64], %w[0, 0, 0] [1, 64, 32])
          %0 = tensor.insert_slice %a into %empty[0, 0] [32, 32]
          %b = call @k_block_0(%x[20, 0] [32, 64], %w[1, 0, 0] [1, 64, 32])
          %r = tensor.insert_slice %b into %0[20, 0] [32, 32]
    """

    name = "expand-families"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        finished: set[ir.Operation] = set()
        while kernels := [f for f in walk_named(op, "func.func") if f not in finished]:
            finished.update(kernels)
            for kernel in kernels:
                plan = plan_or_unplanned(kernel)
                if (family := family_of(plan.family)) is not None:
                    family.expand(kernel, plan)
