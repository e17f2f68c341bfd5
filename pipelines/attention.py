"""attention: softmax(f(Q K^T)) V on tensors to the AIE dialect and its runtime sequence; scores never leave the array."""

from dataclasses import dataclass

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.options import option
from allo_air.device import DEVICES
from allo_air.passes.map.plan_attention import PlanAttention
from allo_air.passes.map.tile_attention import TileAttention
from allo_air.pipelines.core_code import CORE_CODE
from allo_air.pipelines.gemm import BANKS, BIND_TILES, BUFFERIZE, CHECKS, HOST_LOOPS, MAP, TO_AIE


@dataclass(frozen=True)
class AttentionOptions:
    """Device, columns that may be used (0: all), queries a core and keys a step (0: planned).

    `shim_channels` bounds the channels from external memory (0: those of the columns).
    """

    device: str = "npu1"
    cols: int = 0
    queries: int = 0
    keys: int = 0
    shim_channels: int = 0

    def __post_init__(self) -> None:
        if self.device not in DEVICES:
            return
        device = DEVICES[self.device]
        object.__setattr__(self, "cols", self.cols or device.columns)
        object.__setattr__(self, "shim_channels", self.shim_channels or self.cols * device.tiles["shim_noc"].channels[1])


PLAN = Stage(
    "plan",
    "linalg",
    (PlanAttention(device=option("device"), cols=option("cols"), queries=option("queries"), keys=option("keys"), strict=True),),
)
"""The tiles of a function that is attention as a whole."""

TILE = Stage("tile", "linalg", (TileAttention(),))
"""Tiles for launches and cores, and the loop over the keys."""

ATTENTION = NamedPipeline(
    name="attention",
    title="From softmax(f(Q K^T)) V on tensors to the AIE dialect and its runtime sequence, the scores in the cores alone",
    stages=(PLAN, TILE, BUFFERIZE, BIND_TILES, *MAP, CORE_CODE, TO_AIE, BANKS, HOST_LOOPS, CHECKS),
    options=AttentionOptions,
)
