"""gemm-bf16, gemm-i8, ...: from a linalg.matmul on tensors to the AIE dialect and its runtime sequence; a splice a type."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.options import option
from allo_air.device import DEVICES, known_as
from allo_air.errors import OptionError
from allo_air.passes.bind.air_insert_launch_around_herd import AirInsertLaunchAroundHerd
from allo_air.passes.bind.air_par_to_herd import AirParToHerd
from allo_air.passes.bind.air_par_to_launch import AirParToLaunch
from allo_air.passes.bind.fit_herds import FitHerds
from allo_air.passes.bind.promote_tiles import PromoteTiles
from allo_air.passes.bind.wrap_l1_with_parallel import WrapL1WithParallel
from allo_air.passes.canonical.canonicalize import Canonicalize
from allo_air.passes.channel.air_fuse_channels import AirFuseChannels
from allo_air.passes.kernel.air_linalg_to_func import AirLinalgToFunc
from allo_air.passes.linalg.apply_schedule import ApplySchedule
from allo_air.passes.linalg.normalize_matmul import NormalizeMatmul
from allo_air.passes.linalg.pad_gemm import PadGemm
from allo_air.passes.linalg.plan_gemm import PlanGemm
from allo_air.passes.linalg.tile_planned_gemm import TilePlannedGemm
from allo_air.passes.memory.air_alternate_l2_channels import AirAlternateL2Channels
from allo_air.passes.memory.air_split_l2_memref import AirSplitL2Memref
from allo_air.passes.memory.air_split_l2_panels import AirSplitL2Panels
from allo_air.passes.memory.air_widen_l2_transfers import AirWidenL2Transfers
from allo_air.passes.resources.aie_double_memtile_buffers import AieDoubleMemtileBuffers
from allo_air.passes.schedule.air_label_scf_for_to_ping_pong import AirLabelScfForToPingPong
from allo_air.pipelines.air_bind import BIND_COPIES, CLEANUP
from allo_air.pipelines.air_recipe import (
    CHANNELS,
    CHECKS,
    DEPENDENCES,
    HOST,
    L2,
    MAP_BOUND,
    PLACEMENT,
    RUNTIME,
    SEQUENCE,
    TO_AIE,
)
from allo_air.pipelines.core_code import CORE_CODE
from allo_air.pipelines.settle import SETTLE

TILE = Stage("tile", "linalg", (TilePlannedGemm(),))
"""Tiles for launches, cores and micro-tiles."""

BUFFERIZE = Stage(
    "bufferize",
    "tiled",
    (
        *CLEANUP,
        "eliminate-empty-tensors",
        "one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map}",
        "canonicalize",
        "drop-repeated-results",
        "buffer-results-to-out-params{hoist-static-allocs=1 modify-public-functions=1}",
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
    (
        "bind-moves",
        WrapL1WithParallel(),
        AirParToHerd(depth=-1, device=option("device"), cols=option("cols")),
        AirParToLaunch(has_air_segment=True),
        AirInsertLaunchAroundHerd(insert_segment=True),
    ),
)
"""The innermost tiles' loop becomes a herd, what is around it a launch, also where that is a single tile."""

_KEEP_NESTS = Canonicalize(disable_patterns=("{anonymous}::MergeNestedParallelLoops",))


def _keeping_nests(step: Any) -> Any:
    """The step, where a canonicalization leaves nested loops over tiles two."""
    if step == "canonicalize":
        return _KEEP_NESTS
    return replace(step, disable_patterns=_KEEP_NESTS.disable_patterns) if isinstance(step, Canonicalize) else step


_PEEL = ("peel-tiles", _KEEP_NESTS)

BUFFERIZE_TILES = Stage(
    BUFFERIZE.name,
    BUFFERIZE.level,
    (
        "func.func(convert-elementwise-to-linalg)",
        "keep-arguments",
        *_PEEL,
        *_PEEL,
        *map(_keeping_nests, BUFFERIZE.passes),
        FitHerds(device=option("device"), cols=option("cols")),
        "outline-tiled-loops",  # before loops of one tile, which fit-herds may leave over, fold into what stands around them
        _KEEP_NESTS,
        PromoteTiles(),
    ),
)
"""The same for tiles of anybody's: a loop has tiles of one size and fits on the array, several loops are kernels, nested loops
over tiles stay two, and tiles without memory spaces get them."""

CALL_KERNELS = Stage("bind-leaves", "tiled", (AirLinalgToFunc(link_with=option("link_with"), derive_library_call=True),))
"""The recipe's first stage: fill and packed matmul become calls of external kernels, named after their types."""

SPLIT_L2 = Stage(
    L2.name,
    L2.level,
    (
        "air-label-channels-to-fuse",
        AirSplitL2Memref(fewer_parts=True, max_launch_channels_mm2s=option("shim_channels"), memtiles=option("cols")),
        AirWidenL2Transfers(device=option("device"), channels=option("shim_channels")),
        *L2.between("func.func(air-split-l2-memref)", "func.func(air-loop-fusion)"),
        "func.func(air-loop-fusion)",
        "air-interleave-shared-channels",
        AirAlternateL2Channels(device=option("device"), channels=option("shim_channels")),
        *L2.after("func.func(air-loop-fusion)"),
        AirFuseChannels(same_source=True, repeats=False),
        AirSplitL2Panels(device=option("device")),
        "func.func(air-pair-l2-channels,air-split-multiplexed-transfers)",
        AirFuseChannels(repeats=False),
    ),
)
"""The recipe's stage: L2 buffers split as far as the shims have channels, panels in the order of reading, channels shared,
whose transfers take turns where a loop of the cores has both."""

MAP = (BIND_COPIES, DEPENDENCES, CHANNELS, SPLIT_L2, PLACEMENT)
"""From bound hierarchies to placed herds that talk over channels."""

BANKS = Stage("banks", "aie", ("fuse-into-contractions", *CLEANUP, "aie.device(aie-spread-buffers)"))
"""What follows contractions in their loops; the cores' buffers where their accesses meet least in a bank."""


def doubled(buffers: Any) -> Stage:
    """The same, with so many of each buffer that memtiles hand on."""
    *first, last = BANKS.passes
    return replace(BANKS, passes=(*first, AieDoubleMemtileBuffers(buffers), last))


def mapped(buffers: Any) -> tuple[Stage, ...]:
    """MAP, where there will be so many of each buffer that memtiles hand on."""
    label = AirLabelScfForToPingPong(l2_copies=buffers)
    split = replace(SPLIT_L2, passes=tuple(label if step == label.name else step for step in SPLIT_L2.passes))
    return tuple(split if stage is SPLIT_L2 else stage for stage in MAP)


HOST_LOOPS = Stage(RUNTIME.name, RUNTIME.level, (*HOST, *SEQUENCE))
"""The recipe's stage with the loops of the launches as they are: descriptors iterate and repeat, instead of unrolled copies."""

FROM_TILES = (BUFFERIZE_TILES, BIND_TILES, *MAP, CORE_CODE, TO_AIE, BANKS, HOST_LOOPS, CHECKS)
"""All stages behind somebody's own tiling."""


def scheduled(script: str) -> tuple[Stage, ...]:
    """A user's transform script, and all stages behind it."""
    return (Stage("schedule", "linalg", (ApplySchedule(script),)), *FROM_TILES)


@dataclass(frozen=True)
class TileOptions:
    """Device, columns that may be used and channels from external memory (0: all that there are)."""

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    shim_channels: int = 0
    """Channels from external memory, and to it, that may be used, 0 for all."""

    def __post_init__(self) -> None:
        device = DEVICES.get(known_as(self.device))
        if device is None:
            return
        object.__setattr__(self, "cols", self._of("cols", device.columns))
        object.__setattr__(self, "shim_channels", self._of("shim_channels", self.cols * device.tiles["shim_noc"].channels[1]))

    def _of(self, name: str, there: int) -> int:
        """What an option says, all that `there` are for 0; OptionError for more."""
        given: int = getattr(self, name)
        if not 0 <= given <= there:
            have = f"{self.device} has {there} columns" if name == "cols" else f"{self.cols} columns have {there} channels"
            raise OptionError(f"option '{name.replace('_', '-')}' is {given}, and {have}: give 1 to {there}, or 0 for all")
        return given or there


@dataclass(frozen=True)
class BlockOptions:
    """What may be rounded more than the operands' type says."""

    bfp16: bool = False
    """Multiply bf16 in AIE2p's block floating point, which rounds operands to blocks of 8 with one exponent."""


@dataclass(frozen=True)
class SizeOptions(TileOptions):
    """Beside those: tile sizes and cores in the two directions, 0 where they are planned."""

    herd_m: int = 0
    """Rows of the result that a launch computes, 0 for the best."""
    herd_n: int = 0
    """Columns of the result that a launch computes, 0 for the best."""
    k_step: int = 0
    """Elements along k that a core gets at once, 0 for the best."""
    cores_m: int = 0
    """Cores along the rows of the result, 0 for the best."""
    cores_n: int = 0
    """Cores along the columns of the result, 0 for the best."""
    panel: Literal["auto", "none", "a", "b"] = "auto"
    """The operand of which a panel stays in L2 for several tiles of the result."""


@dataclass(frozen=True)
class GemmOptions(SizeOptions):
    """Those of a GEMM whose cores' code is ours."""

    l2_buffers: Literal[0, 1, 2] = 0
    """Copies of each buffer that memtiles hold, one filled while the other is read; 0 is 2, and 1 where sizes are given."""

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.herd_m or self.herd_n or self.k_step or self.cores_m or self.cores_n
        object.__setattr__(self, "l2_buffers", self.l2_buffers or (1 if given else 2))


Element = Literal["bf16", "f32", "i8", "i16", "i32"]


def pad(element: Element, bfp16: Any = False, narrow_sums: Any = False, *, share_channels: bool = True) -> Stage:
    """One matmul in its plainest form, the tile sizes chosen, its operands padded to whole tiles."""
    plan = PlanGemm(
        device=option("device"),
        cols=option("cols"),
        shim_channels=option("shim_channels") if share_channels else 1,
        element=element,
        herd_m=option("herd_m"),
        herd_n=option("herd_n"),
        k_step=option("k_step"),
        cores_m=option("cores_m"),
        cores_n=option("cores_n"),
        panel=option("panel"),
        bfp16=bfp16,
        narrow_sums=narrow_sums,
    )
    return Stage("pad", "linalg", (NormalizeMatmul(share_channels, device=option("device")), plan, PadGemm()))


def gemm(element: Element, result: str, kernel: Stage) -> NamedPipeline:
    """The pipeline for operands of type `element`."""
    return NamedPipeline(
        name=f"gemm-{element}",
        title=f"From a linalg.matmul of {element} into {result} on tensors to the AIE dialect and its runtime sequence",
        stages=(
            pad(element),
            SETTLE,
            TILE,
            BUFFERIZE,
            BIND_TILES,
            *mapped(option("l2_buffers")),
            kernel,
            TO_AIE,
            doubled(option("l2_buffers")),
            HOST_LOOPS,
            CHECKS,
        ),
        options=GemmOptions,
        scheduled=scheduled,
    )


@dataclass(frozen=True)
class BF16Options(BlockOptions, GemmOptions):
    """Beside those: sums that may be rounded."""

    narrow_sums: bool = False
    """Keep the sums of a result that is cast to bf16 as bf16 in L1, rounded after each step along k."""


@dataclass(frozen=True)
class RecipeOptions(SizeOptions):
    """Those of a GEMM whose cores call kernels."""

    link_with: str = "mm.o"
    """The object file of the kernels that cores call."""


GEMM_I8 = gemm("i8", "i32", CORE_CODE)
GEMM_I16 = gemm("i16", "i32", CORE_CODE)
GEMM_I32 = gemm("i32", "i32", CORE_CODE)
GEMM_F32 = gemm("f32", "f32", CORE_CODE)
GEMM_BF16 = replace(
    (_BF16 := gemm("bf16", "f32", CORE_CODE)),
    stages=(pad("bf16", option("bfp16"), option("narrow_sums")), *_BF16.stages[1:]),
    options=BF16Options,
)
GEMM_BF16_RECIPE = NamedPipeline(
    name="gemm-bf16-recipe",
    title="From a linalg.matmul of bf16 through the case study's recipe, stage for stage, with an external kernel in the cores",
    stages=(pad("bf16", share_channels=False), TILE, BUFFERIZE, CALL_KERNELS, BIND_TILES, *MAP_BOUND, TO_AIE, RUNTIME, CHECKS),
    options=RecipeOptions,
)
