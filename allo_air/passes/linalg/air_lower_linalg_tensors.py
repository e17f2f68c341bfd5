"""air-lower-linalg-tensors."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.upstream import run_upstream
from allo_air.mlir import AnyOp

_BUFFERS = (
    "one-shot-bufferize{allow-unknown-ops=1 bufferize-function-boundaries=1"
    " function-boundary-type-conversion=identity-layout-map}"
)


@dataclass(frozen=True)
class AirLowerLinalgTensors(Pass):
    """Lowers linalg operations to affine loops on buffers; tensors, including arguments and results, become memrefs first.

    This is MLIR-AIR's lowering for cores of AIE1. For today's devices use `air-linalg-to-func` or a pipeline.

    Before:

        func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
          %0 = linalg.add ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>

    After:

        func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) -> memref<8xf32> {
          affine.for %i = 0 to 8 {
            %1 = affine.load %a[%i] : memref<8xf32>
            %2 = arith.addf %1, %1 : f32
            affine.store %2, %b[%i] : memref<8xf32>
          }
    """

    name = "air-lower-linalg-tensors"
    anchor = "builtin.module"
    leaves_valid = True
    works_on = ("linalg.*", "tensor.*", "bufferization.*")

    def run(self, op: AnyOp, /) -> None:
        for step in (_BUFFERS, "linalg-generalize-named-ops", "convert-linalg-to-affine-loops"):
            run_upstream(op, step)
