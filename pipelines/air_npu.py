"""air-npu: hand-written AIR (launches, segments, herds, channels explicit) to the AIE dialect and its runtime sequence."""

from dataclasses import dataclass

from allo_air.core.named import NamedPipeline, Stage
from allo_air.passes.bind.air_insert_launch_around_herd import AirInsertLaunchAroundHerd
from allo_air.pipelines.air_bind import CLEANUP
from allo_air.pipelines.air_recipe import CHANNELS, CHECKS, DEPENDENCES, L2, PLACEMENT, RUNTIME, TO_AIE
from allo_air.pipelines.gemm import SCALAR_KERNEL

ENTER = Stage("enter", "air", (AirInsertLaunchAroundHerd(insert_segment=True), *CLEANUP))
"""A herd by itself gets a launch and a segment."""


@dataclass(frozen=True)
class AirNpuOptions:
    """Device, and columns of the array that may be used (0: all)."""

    device: str = "npu1"
    cols: int = 0


AIR_NPU = NamedPipeline(
    name="air-npu",
    title="From hand-written AIR to the AIE dialect and its runtime sequence",
    stages=(ENTER, DEPENDENCES, CHANNELS, L2, SCALAR_KERNEL, PLACEMENT, TO_AIE, RUNTIME, CHECKS),
    options=AirNpuOptions,
)
