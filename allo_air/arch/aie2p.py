"""AIE2p, which AMD calls AIE-ML v2: npu2."""

from allo_air.arch.architecture import Architecture
from allo_air.arch.core import Contraction, Core
from allo_air.arch.memory import ExternalMemory
from allo_air.arch.timing import Timing
from allo_air.arch.vector_forms import VectorForms

AIE2P = Architecture(
    "AIE2p",
    Core(
        "AIE2p",
        load_bytes=64,  # docs/sources.md#timing: 512-bit loads
        store_bytes=64,  # assumed: as wide as its loads
        contractions=(
            Contraction("i8", "i32", (8, 8, 8)),
            Contraction("i16", "i32", (8, 2, 8), signed=(False, False)),
            Contraction("bf16", "f32", (8, 8, 4), instructions=8),
            Contraction("bf16", "f32", (4, 8, 4), instructions=8),
            Contraction("bf16", "f32", (8, 8, 8), blocks=True),
            Contraction("bf16", "f32", (4, 8, 8), blocks=True),
        ),
        forms=VectorForms(
            truncated={
                ("i16", "i8"): (32, 64), ("i32", "i8"): (32, 64), ("i32", "i16"): (16, 32, 64), ("i64", "i32"): (16,),
                ("i64", "i16"): (16,),
            },
        ),
        # i8, i16 and bfp16: docs/sources.md#timing; bf16: docs/sources.md#core-kernels; the other products are assumed to be
        # twice AIE2's, as those of equal types are.
        mac_shapes={
            ("i8", "i8"): (8, 8, 8), ("i16", "i8"): (8, 4, 8), ("i16", "i16"): (8, 2, 8), ("i32", "i16"): (4, 2, 8),
            ("i32", "i32"): (4, 1, 8), ("bf16", "bf16"): (8, 1, 4), ("bfp16", "bfp16"): (8, 8, 8),
        },
        # bf16: docs/sources.md#timing ("64 multipliers elementwise"); the others are assumed to fill the registers.
        lanes={"i8": 64, "i16": 32, "i32": 32, "bf16": 64, "f32": 32},
        powers_of_two=True,  # the exp2 of the AIE API is an instruction on AIE2p only
        f32_lanes_cycles=37,  # the code splits both factors
        # mlir-aie's mmul sizes; bf16: the 64 multipliers of its ArchSpec, of which an instruction of a contraction uses 32.
        peak_macs={"i8": 512, "i16": 128, "bf16": 64, "bfp16": 512},
    ),
    Timing(
        stream_words_per_cycle=2,  # docs/sources.md#timing: 64 bit per cycle (AM027)
        shim_mm2s_cycles_per_word=1 / 2,  # docs/sources.md#timing: 1 KiB in 128 cycles (npu2 trace)
        shim_s2mm_cycles_per_word=1 / 2,  # as above
        controller_push_interval=0,  # the figure of AIE2 is about Phoenix only
    ),
    # docs/sources.md#timing: a copy of 16 M i32 at 66.6 GB/s (68.1 without the launch) in contiguous transfers, a product at 60
    # GB/s in runs of 384 bytes (64 while it does not start or end), 16-byte bursts at about 10: 71 GB/s and 0.55 ns a run.
    # A column of weights by one channel: 10.16 GB/s, of which refreshes have taken 5 %; by two: 14.35. Eight columns that only
    # read: 52.7; concurrent writes are added, up to the copy's rate.
    memory=ExternalMemory(peak=71.0, run_ns=0.55, channel=10.67, column=14.35, reads=52.7),
    mhz=1800,
    clock_source="that of the GEMM study on XDNA2; 1250 in the ArchSpec of AIE2P",
    burst_lengths=(64, 128, 256, 512),
    reload_microseconds=375,  # a configuration that an ELF holds, at a launch's boundary (mlir-air, April to September 2026)
    holds_tasks=True,  # docs/sources.md#timing: in elementwise kernels on npu2, short tiles wait for no task after the others
    scratchpad=True,
    loads_elf=True,
    memtile_window=True,  # the real tool adds a memtile's own base on AIE2p only
    pad_values=True,  # docs/sources.md#device: only AIE2p has the register
    caveat="cycles are a prediction; rates are XDNA2's, but latencies of DMAs, locks, shim tasks and the controller were "
    "measured on Phoenix (XDNA1)",
)  # fmt: skip
