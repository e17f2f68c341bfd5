"""attention: softmax(f(Q K^T)) V on tensors to the AIE dialect and its runtime sequence; scores never leave the array."""

from dataclasses import dataclass

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.options import option
from allo_air.passes.map.plan_attention import PlanAttention
from allo_air.passes.map.tile_attention import TileAttention
from allo_air.pipelines.core_code import CORE_CODE
from allo_air.pipelines.gemm import BIND_TILES, BUFFERIZE, CHECKS, HOST_LOOPS, MAP, TO_AIE, BlockOptions, TileOptions, doubled


@dataclass(frozen=True)
class AttentionOptions(BlockOptions, TileOptions):
    """Beside those of tiles and blocks: queries a core and keys a step (0: planned)."""

    queries: int = 0
    """Queries of a core, 0 for the best."""
    keys: int = 0
    """Keys of a step, 0 for the best."""


PLAN = Stage(
    "plan",
    "linalg",
    (
        PlanAttention(
            device=option("device"),
            cols=option("cols"),
            queries=option("queries"),
            keys=option("keys"),
            bfp16=option("bfp16"),
            strict=True,
        ),
    ),
)
"""The tiles of a function that is attention as a whole."""

TILE = Stage("tile", "linalg", (TileAttention(),))
"""Tiles for launches and cores, and the loop over the keys."""

ATTENTION = NamedPipeline(
    name="attention",
    title="From softmax(f(Q K^T)) V on tensors to the AIE dialect and its runtime sequence, the scores in the cores alone",
    stages=(PLAN, TILE, BUFFERIZE, BIND_TILES, *MAP, CORE_CODE, TO_AIE, doubled(2), HOST_LOOPS, CHECKS),
    options=AttentionOptions,
)
