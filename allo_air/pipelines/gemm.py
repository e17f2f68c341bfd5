"""Pipelines gemm-bf16, gemm-i8, ...: the stages of `npu` for one matrix multiplication of a type, with optional sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.options import option
from allo_air.passes.kernel.air_linalg_to_func import AirLinalgToFunc
from allo_air.pipelines.air_recipe import CHECKS, MAP_BOUND, RUNTIME, TO_AIE
from allo_air.pipelines.npu import NPU
from allo_air.pipelines.presets import preset
from allo_air.pipelines.tile_options import BlockOptions, TileOptions
from allo_air.pipelines.tiles import BIND_TILES


@dataclass(frozen=True)
class SizeOptions(TileOptions):
    """The tile options, and tile sizes and cores in both directions; 0 leaves a size to the planner."""

    herd_m: int = 0
    """Rows of a core's tile of the result, 0 for the best."""
    herd_n: int = 0
    """Columns of a core's tile of the result, 0 for the best."""
    k_step: int = 0
    """Elements along k in a step of a core, 0 for the best."""
    cores_m: int = 0
    """Cores along the rows of the result, 0 for the best."""
    cores_n: int = 0
    """Cores along the columns of the result, 0 for the best."""
    panel: Literal["auto", "none", "a", "b"] = "auto"
    """The operand of which a panel stays in L2 for several tiles of the result."""


@dataclass(frozen=True)
class GemmOptions(SizeOptions):
    """The options of a GEMM whose core code this compiler generates."""

    l2_buffers: Literal[0, 1, 2] = 0
    """Copies of each buffer in memtiles, to fill one while the other is read; 0 means 2, or 1 if sizes are set."""

    def __post_init__(self) -> None:
        super().__post_init__()
        value = self.herd_m or self.herd_n or self.k_step or self.cores_m or self.cores_n
        object.__setattr__(self, "l2_buffers", self.l2_buffers or (1 if value else 2))


@dataclass(frozen=True)
class BF16Options(BlockOptions, GemmOptions):
    """The options of a GEMM with bf16 results, whose sums may be rounded."""

    narrow_sums: bool = False
    """Keep the sums of a result that is cast to bf16 as bf16 in L1, rounded after each step along k."""


@dataclass(frozen=True)
class RecipeOptions(SizeOptions):
    """The options of a GEMM whose cores call external kernels."""

    link_with: str = "mm.o"
    """The object file of the kernels that cores call."""


Element = Literal["bf16", "f32", "i8", "i16", "i32"]
_SIZES = {name: option(name) for name in ("herd_m", "herd_n", "k_step", "cores_m", "cores_n", "panel", "shim_channels")}


def gemm(
    element: Element, result: str, options: type = GemmOptions, *, share_channels: bool = True, **more: object
) -> NamedPipeline:
    """The preset for operands of type `element`. `more` are settings of plan-gemm."""
    sizes = {"strict": True, "element": element, "bfp16": False, **_SIZES, **more}
    return preset(
        NPU,
        f"gemm-{element}",
        f"From a linalg.matmul of {element} into {result} on tensors to the AIE dialect and its runtime sequence",
        options,
        keep={
            "partition": (),
            "plan": ("normalize-matmul", "plan-gemm", "pad-families"),
            "relayouts": (),
            "tile": ("expand-families",),
        },
        settings={"normalize-matmul": {"strict": True, "share_channels": share_channels}, "plan-gemm": sizes},
    )


GEMM_I8 = gemm("i8", "i32")
GEMM_I16 = gemm("i16", "i32")
GEMM_I32 = gemm("i32", "i32")
GEMM_F32 = gemm("f32", "f32")
GEMM_BF16 = gemm("bf16", "f32", BF16Options, bfp16=option("bfp16"), narrow_sums=option("narrow_sums"))

CALL_KERNELS = Stage("call-kernels", "tiled", (AirLinalgToFunc(link_with=option("link_with"), derive_library_call=True),))
"""The recipe's first stage: fill and packed matmul become calls of external kernels, named after their types."""

_RECIPE = gemm("bf16", "f32", RecipeOptions, share_channels=False, shim_channels=1).stages
_TILED = tuple(stage for stage in _RECIPE if stage.name in ("plan", "tile", "bufferize"))

GEMM_BF16_RECIPE = NamedPipeline(
    name="gemm-bf16-recipe",
    title="The recipe of MLIR-AIR's case study, from a linalg.matmul of bf16 to cores that call an external kernel",
    stages=(*_TILED, CALL_KERNELS, BIND_TILES, *MAP_BOUND, TO_AIE, RUNTIME, CHECKS),
    options=RecipeOptions,
)
