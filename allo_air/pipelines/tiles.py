"""The stages after tiling, shared by all pipelines from linalg and from tiled loops."""

from __future__ import annotations

from dataclasses import replace

from allo_air.core.named import Stage
from allo_air.core.options import option
from allo_air.passes.bind.air_insert_launch_around_herd import AirInsertLaunchAroundHerd
from allo_air.passes.bind.air_par_to_herd import AirParToHerd
from allo_air.passes.bind.air_par_to_launch import AirParToLaunch
from allo_air.passes.bind.fit_herds import FitHerds
from allo_air.passes.bind.promote_tiles import PromoteTiles
from allo_air.passes.bind.wrap_l1_with_parallel import WrapL1WithParallel
from allo_air.passes.canonical.canonicalize import Canonicalize
from allo_air.passes.channel.air_fuse_channels import AirFuseChannels
from allo_air.passes.linalg.apply_schedule import ApplySchedule
from allo_air.passes.memory.air_split_l2_memref import AirSplitL2Memref
from allo_air.passes.memory.air_widen_l2_transfers import AirWidenL2Transfers
from allo_air.passes.resources.aie_double_memtile_buffers import AieDoubleMemtileBuffers
from allo_air.passes.schedule.air_label_scf_for_to_ping_pong import AirLabelScfForToPingPong
from allo_air.pipelines.air_bind import BIND_COPIES, CLEANUP
from allo_air.pipelines.air_recipe import CHANNELS, CHECKS, DEPENDENCES, HOST, L2, PLACEMENT, RUNTIME, SEQUENCE, TO_AIE
from allo_air.pipelines.core_code import CORE_CODE

_ONE_SHOT = "one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map}"
_RESULTS = (
    "drop-repeated-results",
    "buffer-results-to-out-params{hoist-static-allocs=1 modify-public-functions=1}",
    "func.func(scf-forall-to-parallel)",
)

BUFFERIZE = Stage("bufferize", "tiled", (*CLEANUP, _ONE_SHOT, *CLEANUP, *_RESULTS, "chunk-l2-copies"))
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
"""The loop over the innermost tiles becomes a herd, and the loops around it a launch, even for a single tile."""

_KEEP_NESTS = Canonicalize(disable_patterns=("{anonymous}::MergeNestedParallelLoops",))
_KEEP_NESTS_CSE = replace(_KEEP_NESTS, cse=True)
_PEEL = ("peel-tiles", _KEEP_NESTS)

BUFFERIZE_TILES = Stage(
    BUFFERIZE.name,
    BUFFERIZE.level,
    (
        "legalize-arguments",
        "func.func(convert-elementwise-to-linalg)",
        "keep-arguments",
        *_PEEL,
        *_PEEL,
        _KEEP_NESTS_CSE,
        "eliminate-empty-tensors",
        _ONE_SHOT,
        _KEEP_NESTS,
        *_RESULTS,
        _KEEP_NESTS_CSE,
        "chunk-l2-copies",
        _KEEP_NESTS_CSE,
        FitHerds(device=option("device"), cols=option("cols")),
        "outline-tiled-loops",  # before the cleanup, which folds loops of a single tile that fit-herds may create
        _KEEP_NESTS,
        PromoteTiles(),
    ),
)
"""The stage for tiles from any source: each loop gets tiles of one size and fits the array, several loops become kernels,
nested loops over tiles stay nested, and tiles without memory spaces get them.
"""

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
        "func.func(air-alternate-l2-channels)",
        AirLabelScfForToPingPong(l2_copies=option("l2_buffers"), calls_overwrite=True),
        "air-ping-pong-transform{keep-memref-dealloc=true}",
        "air-specialize-channel-wrap-and-stride",
        AirFuseChannels(same_source=True, repeats=False),
        "func.func(air-split-l2-pieces)",
        AirFuseChannels(repeats=False),
    ),
)
"""Like the recipe's stage: splits L2 buffers as far as the shims have channels, loads panels in the order of reading, and
shares channels, whose transfers alternate if a loop of the cores has both.
"""


def _without_cleanup(stage: Stage) -> Stage:
    """`stage` without the canonicalization at its end: the next stage reads its IR as it is."""
    return replace(stage, passes=stage.passes[:-1])


MAP = (_without_cleanup(BIND_COPIES), DEPENDENCES, _without_cleanup(CHANNELS), SPLIT_L2, PLACEMENT)
"""The stages from hierarchies (launches, segments, herds) to placed herds that communicate by channels."""

BANKS = Stage(
    "banks",
    "aie",
    (
        "fuse-into-contractions",
        "share-rare-code",
        "unroll-vector-loops",
        *CLEANUP,
        AieDoubleMemtileBuffers(option("l2_buffers")),
        "aie.device(aie-spread-buffers)",
    ),
)
"""Fuses elementwise loops into contractions and unrolls the others, doubles the memtiles' buffers, and spreads the cores'
buffers over memory banks.
"""

HOST_LOOPS = Stage(RUNTIME.name, RUNTIME.level, (HOST[0], *SEQUENCE))
"""Like the recipe's stage, but the loops of launches are kept: descriptors iterate and repeat instead of being copied."""

DEVICES = replace(TO_AIE, passes=TO_AIE.passes[:-1])
"""Like the recipe's stage; the next stage canonicalizes the devices."""

FROM_HERDS = (BIND_TILES, *MAP, CORE_CODE, DEVICES, BANKS, HOST_LOOPS, CHECKS)
"""All stages after tiles are bufferized."""

FROM_TILES = (BUFFERIZE_TILES, *FROM_HERDS)
"""All stages after a user's tiling."""


def scheduled(script: str) -> tuple[Stage, ...]:
    """A user's transform script, followed by all later stages."""
    return (Stage("schedule", "linalg", (ApplySchedule(script),)), *FROM_TILES)
