"""Modules of `aie.extras` that tests of the peer's programs import."""

import pytest

from allo_air.aie.dialects import aie, arith
from allo_air.aie.extras.context import mlir_mod_ctx
from allo_air.aie.extras.meta import region_op
from allo_air.aie.extras.testing import filecheck, mlir_ctx  # noqa: F401

EXPECTED = """
module {
  func.func @f(%x: i32, %m: memref<2xi32>) -> i32 {
    %a = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %b = arith.addi %x, %x : i32
    return %b : i32
  }
  func.func @g(%x: i32) -> i32 {
    return %x : i32
  }
}
"""


def test_names_of_values_do_not_matter():
    with mlir_mod_ctx(EXPECTED) as ctx:
        filecheck(EXPECTED, ctx.module)
        with pytest.raises(
            ValueError, match=r"line 5 of the expected text is not in the module after its line 3:\n .* arith.muli"
        ):
            filecheck(EXPECTED.replace("addi", "muli"), ctx.module)


def test_a_region_is_filled_by_the_function_below(mlir_ctx):  # noqa: F811
    core = region_op(aie.CoreOp, lambda _: aie.EndOp())

    @aie.device(aie.AIEDevice.npu2)
    def device():
        tile = aie.tile(0, 2)

        @core(tile)
        def body():
            arith.constant(7)

    filecheck(
        """
        aie.device(npu2) {
          %t = aie.tile(0, 2)
          aie.core(%t) {
            %c = arith.constant 7
            aie.end
        """,
        mlir_ctx.module,
    )
