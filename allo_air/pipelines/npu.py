"""Pipeline npu: any linalg operations on tensors of static shape to AIE devices and a runtime sequence."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.named import NamedPipeline, Stage, late
from allo_air.core.options import option
from allo_air.passes.linalg.normalize_matmul import NormalizeMatmul
from allo_air.passes.linalg.outline_families import OutlineFamilies
from allo_air.passes.linalg.plan_gemm import PlanGemm
from allo_air.pipelines.air_bind import CLEANUP
from allo_air.pipelines.layouts import LAYOUTS
from allo_air.pipelines.tile_options import BlockOptions, TileOptions
from allo_air.pipelines.tiles import BUFFERIZE, FROM_HERDS, scheduled


@dataclass(frozen=True)
class NpuOptions(BlockOptions, TileOptions):
    """The tile options, and the options that allow more rounding."""

    @property
    def l2_buffers(self) -> int:
        """Number of copies of each memtile buffer; with two, one is filled while the other is read."""
        return 2


PARTITION = Stage(
    "partition",
    "linalg",
    (
        "raise-to-tensors",
        "flatten-control",
        "fold-quantization",
        "simplify-linalg",
        "legalize-boundary-types",
        OutlineFamilies(device=option("device"), cols=option("cols"), bfp16=option("bfp16")),
        late("outline-moves", device=option("device"), cols=option("cols")),
        late("generalize-movement", device=option("device")),
        "generalize-windows",
        "cut-loops",
        *CLEANUP,
        late("split-reductions", device=option("device")),
        late("partition-kernels", device=option("device")),
        *CLEANUP,
        late("pack-convolutions", device=option("device"), cols=option("cols"), bfp16=option("bfp16")),
        late("split-paddings", device=option("device")),
    ),
)
"""Simplifies operations and groups them into kernels, each a function."""

_FUSE = ("func.func(linalg-fuse-elementwise-ops)",)  # before padding, since this pass may swap pads and reshapes
_PLAN_TILES = late("plan-tiles", device=option("device"), cols=option("cols"))

PLAN = Stage(
    "plan",
    "linalg",
    (
        "join-results",
        "collapse-dimensions",
        NormalizeMatmul(strict=False, device=option("device")),
        "mask-padding",
        PlanGemm(device=option("device"), cols=option("cols"), bfp16=option("bfp16"), strict=False),
        *_FUSE,
        "pad-families",
        "factor-sums",
        _PLAN_TILES,
    ),
)
"""Simplifies kernels, chooses the sizes of their tiles, and pads operands if the tiles require it."""

RELAYOUTS = Stage(
    "relayouts",
    "linalg",
    (
        "collapse-dimensions",
        _PLAN_TILES,
        *LAYOUTS.passes,
        late("fit-columns", device=option("device"), cols=option("cols"), bfp16=option("bfp16")),
    ),
)
"""Plans the kernels that the layouts stage created, which only move elements, and lets kernels share configurations."""

KERNELS = (PARTITION, PLAN, LAYOUTS, RELAYOUTS)
"""The stages from any function to planned kernels, with the data movement between them."""

TILE = Stage("tile", "linalg", ("expand-families",))
"""Tiles kernels for launches and cores."""

NPU = NamedPipeline(
    name="npu",
    title="From linalg on tensors to AIE devices and a runtime sequence",
    stages=(*KERNELS, TILE, BUFFERIZE, *FROM_HERDS),
    options=NpuOptions,
    scheduled=scheduled,
)
