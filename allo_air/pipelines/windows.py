"""Pipelines conv2d and pool: a convolution or pooling on tensors, with elementwise operations around it, to AIE devices."""

from allo_air.pipelines.npu import NPU
from allo_air.pipelines.presets import preset

CONV2D = preset(NPU, "conv2d", "From a convolution on tensors to AIE devices and a runtime sequence")
POOL = preset(NPU, "pool", "From a pooling on tensors to AIE devices and a runtime sequence")
