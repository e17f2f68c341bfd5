"""Pipeline air-npu: hand-written AIR (explicit launches, segments, herds, channels) to the AIE dialect and its runtime
sequence.
"""

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.options import option
from allo_air.passes.bd.air_isolate_async_dma_loop_nests import AirIsolateAsyncDmaLoopNests
from allo_air.passes.bd.air_opt_memtile_dma_bds import AirOptMemtileDmaBds
from allo_air.passes.bd.air_opt_shim_dma_bds import AirOptShimDmaBds
from allo_air.passes.bind.air_copy_to_dma import AirCopyToDma
from allo_air.passes.bind.air_insert_launch_around_herd import AirInsertLaunchAroundHerd
from allo_air.passes.channel.air_fuse_channels import AirFuseChannels
from allo_air.passes.check.air_verify_hierarchy_locality import AirVerifyHierarchyLocality
from allo_air.passes.kernel.air_linalg_to_func import AirLinalgToFunc
from allo_air.passes.kernel.legalize_arithmetic import LegalizeArithmetic
from allo_air.passes.kernel.legalize_contractions import LegalizeContractions
from allo_air.passes.kernel.round_right_shifts import RoundRightShifts
from allo_air.passes.kernel.signed_contractions import SignedContractions
from allo_air.passes.kernel.unroll_transfers import UnrollTransfers
from allo_air.passes.memory.air_split_l2_memref import AirSplitL2Memref
from allo_air.passes.place.air_place_herds import AirPlaceHerds
from allo_air.passes.runtime.air_to_std import AirToStd
from allo_air.passes.runtime.airrt_to_npu import AirrtToNpu
from allo_air.passes.schedule.air_label_scf_for_to_ping_pong import AirLabelScfForToPingPong
from allo_air.passes.schedule.air_ping_pong_transform import AirPingPongTransform
from allo_air.passes.to_aie.air_to_aie import AirToAie
from allo_air.pipelines.air_bind import CLEANUP
from allo_air.pipelines.air_npu_options import AirNpuOptions
from allo_air.pipelines.air_recipe import CHANNELS, CHECKS
from allo_air.pipelines.core_code import CORE_CODE

ENTER = Stage(
    "enter",
    "air",
    (
        "block-floats-to-bytes",
        "air-annotate-append-barrier",
        "air-annotate-packet-ids{assign=true emit-headers=false}",
        "air-rank-to-launch",
        "buffer-results-to-out-params{hoist-static-allocs=1 modify-public-functions=1}",
        "forward-host-copies",
        "move-host-copies",
        "insert-herd-around-linalg",
        "pad-overhanging-blocks",
        AirInsertLaunchAroundHerd(insert_segment=True),
        "air-expand-static-reshapes",
        "air-merge-segments",
        "air-unroll-segments",
        "herd-l1-transfers",
        "air-exchange-shared-l1",
        "func.func(air-lower-herd-parallel)",
        "scf-forall-to-parallel",
        "rank-host-buffers",
        AirCopyToDma(inside_l2=True),
        *CLEANUP,
    ),
)
"""Normalizes the program: each launch has one segment with one instance, herds share only channels, results are out-parameters,
and copies are DMAs.
"""

SHIFTS = Stage(
    "shifts",
    "air",
    (RoundRightShifts(mode=option("shift_rounding")),),
    lambda o: o.shift_rounding != "floor",
)
"""Makes right shifts round as in cores that the peers' tool chain compiles."""

TOKENS = Stage(
    "dependences",
    "air",
    ("air-dependency{whole-loops=true}", "air-annotate-packet-ids{assign=true}", "air-hoist-dma-in-accum-pattern"),
)
"""Adds tokens, and hoists accumulators out of loops."""

BROADCASTS = Stage(
    "broadcasts",
    "air",
    ("air-broadcast-detection", "air-narrow-broadcasts", "air-specialize-dma-broadcast{fold-offsets=true}"),
    lambda o: not o.omit_auto_broadcast,
)
"""Broadcasts data that several cores read."""

_ISOLATE = (AirIsolateAsyncDmaLoopNests(scope="launch", merge_herds=False), *CLEANUP)
SHARE = Stage(
    "share-channels",
    "channel",
    (
        *_ISOLATE,
        "air-hoist-channels-in-accum-pattern",
        "air-label-channels-to-fuse",
        "air-interleave-shared-channels",
        AirFuseChannels(aggressive_mode=option("channel_multiplexing"), repeats=False),
        *CLEANUP,
    ),
)
"""Keeps accumulators in their cores; lets channels share DMA channels of a core if it has too few."""

SPLIT = Stage(
    "split-l2",
    "channel",
    (
        AirSplitL2Memref(
            fewer_parts=True,
            max_launch_channels_mm2s=option("shim_channels"),
            max_launch_channels_s2mm=option("shim_channels"),
        ),
        *CLEANUP,
        *_ISOLATE,
    ),
    lambda o: o.cols > 1,
)
"""Splits L2 buffers over memtiles, as far as the shims have channels."""

FUSE_LOOPS = Stage("fuse-loops", "channel", ("func.func(air-loop-fusion)",), lambda o: o.air_loop_fusion)
"""Fuses the loops around L2 buffers."""

SINK = Stage(
    "sink-buffers",
    "channel",
    ("func.func(air-fuse-alloc-dealloc)", "func.func(air-shrink-memref-sizes-by-access)"),
    lambda o: not o.air_loop_fusion,
)
"""Moves buffers to their uses, and shrinks them to the parts that are used."""

PING_PONG = Stage(
    "ping-pong",
    "channel",
    (
        AirLabelScfForToPingPong(omit_memory_space=option("omitted_space")),
        AirPingPongTransform(omit_memory_space=option("omitted_space")),
        *CLEANUP,
    ),
    lambda o: o.omit_ping_pong != "all",
)
"""Double-buffers loops (ping-pong)."""

CALLS = Stage(
    "calls",
    "channel",
    (
        AirLinalgToFunc(
            link_with=option("lower_linalg_to_func"), derive_library_call=True, functions=option("linalg_functions")
        ),
    ),
    lambda o: bool(o.lower_linalg_to_func),
)
"""The cores' code: calls of external kernels."""


def _has_loops(o: AirNpuOptions) -> bool:
    """Whether linalg operations become loops."""
    return not o.lower_linalg_to_func or bool(o.linalg_functions)


KEPT = Stage(
    "loops",
    "channel",
    (
        "func.func(convert-linalg-to-loops)",
        SignedContractions(device=option("device")),
        LegalizeContractions(device=option("device")),
        UnrollTransfers(),
        LegalizeArithmetic(device=option("device"), scalars=False),
        *CLEANUP,
    ),
    lambda o: _has_loops(o) and o.core_code == "kept",
)
"""The cores' code, unchanged as mlir-air's driver leaves it, with linalg operations as scalar loops. Operations that mlir-aie's
tool chain rejects or miscompiles are rewritten.
"""

IMPROVED = Stage(
    CORE_CODE.name,
    "channel",
    (*CORE_CODE.passes, "unroll-vector-loops", *CLEANUP),
    lambda o: _has_loops(o) and o.core_code == "improved",
)
"""The cores' code, improved: loops, with vectors if the device has them."""

FOLD = Stage("memtile-bds", "channel", (AirOptMemtileDmaBds(device=option("device")), *CLEANUP))
"""Folds loops around the transfers of memtiles into descriptors."""

PLACE = Stage(
    "placement",
    "channel",
    (
        AirPlaceHerds(
            num_rows=option("rows"),
            num_cols=option("cols"),
            row_anchor=option("row_offset"),
            col_anchor=option("col_offset"),
        ),
        *CLEANUP,
        "air-enforce-channel-fifo-order",
        "func.func(air-renumber-dma)",
        "air-split-launch-for-padding",
    ),
)
"""Places herds on the array."""

VERIFY = Stage(
    "placed-ir-verifiers",
    "channel",
    (AirVerifyHierarchyLocality(strict=option("strict"), herds=False),),
    lambda o: o.placed_ir_verifiers != "off",
)
"""Verifies that instances of launches, segments and herds do not overwrite each other's memory."""

DEVICES_OF = Stage(
    "to-aie",
    "aie",
    (
        AirToAie(
            device=option("device"),
            emit_while_loop=option("emit_while_loop"),
            insert_trace_packet_flow=option("traces"),
            use_lock_race_condition_fix=option("use_lock_race_condition_fix"),
            use_lock_race_condition_fix_v2=option("use_lock_race_condition_fix_v2"),
            stack_size=option("stack_size"),
            logical_tiles=False,
        ),
        "air-merge-unrolled-devices",
        "canonicalize",
    ),
)
"""Creates a device for each segment."""

SEQUENCE = Stage(
    "runtime",
    "npu",
    (
        AirOptShimDmaBds(device=option("device"), shim_dma_tile_sizes=option("runtime_loop_tiling_sizes")),
        *CLEANUP,
        AirToStd(fewest_waits=True),
        "symbol-dce",
        "affine-expand-index-ops",
        *CLEANUP,
        AirrtToNpu(
            trace_size=option("trace_size"),
            trace_offset=option("trace_offset"),
            output_elf=option("elf"),
            coalesce_shim_dma=option("coalesce_shim_dma"),
            order=option("sequence_order"),
        ),
        *CLEANUP,
    ),
)
"""Creates the runtime sequence; loops around the host's transfers become descriptors."""


AIR_NPU = NamedPipeline(
    name="air-npu",
    title="From hand-written AIR to the AIE dialect and its runtime sequence",
    stages=(
        ENTER, SHIFTS, TOKENS, BROADCASTS, CHANNELS, SHARE, SPLIT, FUSE_LOOPS, SINK, PING_PONG, CALLS, KEPT, IMPROVED, FOLD,
        PLACE, VERIFY, DEVICES_OF, SEQUENCE, CHECKS,
    ),
    options=AirNpuOptions,
)  # fmt: skip
