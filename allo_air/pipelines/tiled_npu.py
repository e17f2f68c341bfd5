"""Pipeline tiled-npu: tiled loops, whose bodies are linalg or vector operations, to the AIE dialect and its runtime
sequence.
"""

from allo_air.core.named import NamedPipeline
from allo_air.pipelines.tile_options import TileOptions
from allo_air.pipelines.tiles import FROM_TILES, scheduled

TILED_NPU = NamedPipeline(
    name="tiled-npu",
    title="From tiled loops around linalg or vector operations to the AIE dialect and its runtime sequence",
    stages=FROM_TILES,
    options=TileOptions,
    scheduled=scheduled,
)
