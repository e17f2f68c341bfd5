"""conv2d and pool: from a convolution or a pooling on tensors, with what is elementwise around it, to AIE devices."""

from __future__ import annotations

from dataclasses import replace

from allo_air.pipelines.npu import NPU

CONV2D = replace(NPU, name="conv2d", title="From a convolution on tensors to AIE devices and a runtime sequence")
POOL = replace(NPU, name="pool", title="From a pooling on tensors to AIE devices and a runtime sequence")
