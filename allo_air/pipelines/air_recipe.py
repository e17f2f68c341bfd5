"""Pipeline air-recipe: the bf16 GEMM recipe of MLIR-AIR's case study, stage by stage. GEMM pipelines share its stages."""

from dataclasses import dataclass

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.options import option
from allo_air.passes.kernel.air_linalg_to_func import AirLinalgToFunc
from allo_air.passes.place.air_collapse_herd import AirCollapseHerd
from allo_air.passes.place.air_place_herds import AirPlaceHerds
from allo_air.passes.runtime.air_to_std import AirToStd
from allo_air.passes.runtime.airrt_to_npu import AirrtToNpu
from allo_air.passes.to_aie.air_to_aie import AirToAie
from allo_air.pipelines.air_bind import BIND_COPIES, BIND_PARALLEL, CLEANUP

CALL_KERNELS = Stage("call-kernels", "tiled", ("buffer-results-to-out-params", AirLinalgToFunc(link_with=option("link_with"))))
"""Linalg operations on L1 become calls of external kernels."""

DEPENDENCES = Stage(
    "dependences",
    "air",
    (
        "air-dependency{whole-loops=true}",
        "air-hoist-dma-in-accum-pattern",
        "air-broadcast-detection",
        "air-specialize-dma-broadcast{fold-offsets=true}",
    ),
)
"""Adds tokens, hoists accumulators out of loops, and detects broadcasts."""

CHANNELS = Stage(
    "channels",
    "channel",
    ("air-dma-to-channel{count-cores=true share-nests=true}", *CLEANUP, "air-dependency-canonicalize", *CLEANUP),
)
"""Copies become puts and gets."""

L2 = Stage(
    "l2",
    "channel",
    (
        "func.func(air-split-l2-memref)",
        "air-isolate-async-dma-loop-nests{merge-herds=false}",
        *CLEANUP,
        "func.func(air-loop-fusion)",
        "air-label-scf-for-to-ping-pong{calls-overwrite=true}",
        "air-ping-pong-transform{keep-memref-dealloc=true}",
        *CLEANUP,
        "air-specialize-channel-wrap-and-stride",
        *CLEANUP,
    ),
)
"""Splits L2 buffers over memtiles, fuses the loops around them, double-buffers, and folds transfers into BDs."""

PLACEMENT = Stage(
    "placement",
    "channel",
    (
        AirCollapseHerd(device=option("device"), cols=option("cols")),
        *CLEANUP,
        AirPlaceHerds(num_cols=option("cols"), device=option("device")),
        "func.func(air-renumber-dma)",
    ),
)
"""Places herds on the array."""

TO_AIE = Stage(
    "to-aie",
    "aie",
    (
        AirToAie(device=option("device"), emit_while_loop=True, use_lock_race_condition_fix=True, logical_tiles=False),
        "canonicalize",
    ),
)
"""Cores, buffers, locks, DMA programs and flows."""

HOST = (AirToStd(fewest_waits=True), "canonicalize", "symbol-dce")
"""The host's program, without the operations that run on the device."""

SEQUENCE = ("affine-expand-index-ops", AirrtToNpu(order="planned"), "link-kernels", "canonicalize")
"""The runtime sequence of the host's program."""

RUNTIME = Stage(
    "runtime",
    "npu",
    (
        *HOST,
        "func.func(affine-loop-opt{affine-opt-tile-sizes=4,4})",
        "func.func(air-unroll-outer-affine-loops{depth=2})",
        *SEQUENCE,
    ),
)
"""The host's program becomes the runtime sequence; its outer loops are tiled and unrolled."""

CHECKS = Stage("checks", "npu", ("aie-check-resources", "aie-check-core-code"))
"""Checks that memory, locks, BDs, streams and tasks fit the device, and that the tool chain compiles the cores' code."""

MAP_BOUND = (BIND_COPIES, DEPENDENCES, CHANNELS, L2, PLACEMENT)
"""The stages from hierarchies (launches, segments, herds) to placed herds that communicate by channels."""


@dataclass(frozen=True)
class RecipeOptions:
    """The device, its usable columns (0: all), and the object file of the kernels."""

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    link_with: str = "mm.o"
    """The object file of the kernels that cores call."""


AIR_RECIPE = NamedPipeline(
    name="air-recipe",
    title="The recipe of MLIR-AIR's case study, from tiled parallel loops to the AIE dialect and its runtime sequence",
    stages=(CALL_KERNELS, BIND_PARALLEL, *MAP_BOUND, TO_AIE, RUNTIME, CHECKS),
    options=RecipeOptions,
)
