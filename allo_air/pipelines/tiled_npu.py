"""tiled-npu: tiled loops with linalg or vector leaves to the AIE dialect and its runtime sequence."""

from allo_air.core.named import NamedPipeline
from allo_air.pipelines.gemm import FROM_TILES, TileOptions, scheduled

TILED_NPU = NamedPipeline(
    name="tiled-npu",
    title="From tiled loops with linalg or vector leaves to the AIE dialect and its runtime sequence",
    stages=FROM_TILES,
    options=TileOptions,
    scheduled=scheduled,
)
