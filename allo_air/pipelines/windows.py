"""Pipelines conv2d and pool: a convolution or pooling on tensors, with elementwise operations around it, to AIE devices."""

from allo_air.passes.map.expect_operator import ExpectOperator
from allo_air.pipelines.npu import NPU
from allo_air.pipelines.presets import preset

CONV2D = preset(
    NPU,
    "conv2d",
    "From a convolution on tensors to AIE devices and a runtime sequence",
    inserted_after={"simplify-linalg": ExpectOperator("conv2d")},
)
POOL = preset(
    NPU,
    "pool",
    "From a pooling on tensors to AIE devices and a runtime sequence",
    inserted_after={"simplify-linalg": ExpectOperator("pool")},
)
