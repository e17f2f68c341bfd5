"""gemm-bf16, gemm-i8, ...: from a linalg.matmul on tensors to the AIE dialect and its runtime sequence; a splice a type."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.options import option
from allo_air.passes.air_insert_launch_around_herd import AirInsertLaunchAroundHerd
from allo_air.passes.air_par_to_herd import AirParToHerd
from allo_air.passes.air_par_to_launch import AirParToLaunch
from allo_air.passes.plan_gemm import PlanGemm
from allo_air.pipelines.air_bind import CLEANUP
from allo_air.pipelines.air_recipe import MAP_BOUND, RUNTIME, TO_AIE

BUFFERIZE = Stage(
    "bufferize",
    "tiled",
    (
        *CLEANUP,
        "eliminate-empty-tensors",
        "one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map}",
        "buffer-results-to-out-params{hoist-static-allocs=1 modify-public-functions=1}",
        *CLEANUP,
        "func.func(scf-forall-to-parallel)",
        *CLEANUP,
        "chunk-l2-copies",
        *CLEANUP,
    ),
)
"""Tensors become buffers, results out-parameters, and the tiles' loops scf.parallel."""

BIND_TILES = Stage(
    "bind-parallel",
    "air",
    (AirParToHerd(depth=-1), AirParToLaunch(has_air_segment=True), AirInsertLaunchAroundHerd(insert_segment=True)),
)
"""The innermost tiles' loop becomes a herd, what is around it a launch, also where that is a single tile."""

VECTOR_KERNEL = Stage("kernel", "channel", ("vectorize-gemm", "func.func(convert-linalg-to-loops)", *CLEANUP))
"""The cores' code: one vector.contract for each micro-tile."""

SCALAR_KERNEL = Stage("kernel", "channel", ("func.func(convert-linalg-to-loops)", *CLEANUP))
"""The cores' code as scalar loops, for types without MAC instructions of their own."""


@dataclass(frozen=True)
class GemmOptions:
    """Device, columns that may be used, and tile sizes; sizes of 0 are planned."""

    device: str = "npu1"
    cols: int = 4
    herd_m: int = 0
    herd_n: int = 0
    k_step: int = 0


def gemm(element: Literal["bf16", "f32", "i8", "i16", "i32"], result: str, kernel: Stage) -> NamedPipeline:
    """The pipeline for operands of type `element`."""
    plan = PlanGemm(
        device=option("device"),
        element=element,
        herd_m=option("herd_m"),
        herd_n=option("herd_n"),
        k_step=option("k_step"),
    )
    return NamedPipeline(
        name=f"gemm-{element}",
        title=f"From a linalg.matmul of {element} into {result} on tensors to the AIE dialect and its runtime sequence",
        stages=(Stage("tile", "tiled", (plan,)), BUFFERIZE, BIND_TILES, *MAP_BOUND, kernel, TO_AIE, RUNTIME),
        options=GemmOptions,
    )


GEMM_BF16 = gemm("bf16", "f32", VECTOR_KERNEL)
GEMM_I8 = gemm("i8", "i32", VECTOR_KERNEL)
GEMM_I16 = gemm("i16", "i32", VECTOR_KERNEL)
GEMM_I32 = gemm("i32", "i32", SCALAR_KERNEL)
GEMM_F32 = gemm("f32", "f32", SCALAR_KERNEL)
