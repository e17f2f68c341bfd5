"""AIE2, which AMD calls AIE-ML: npu1 and the Versal parts xcve2302 and xcve2802."""

from allo_air.arch.architecture import Architecture
from allo_air.arch.core import Contraction, Core
from allo_air.arch.memory import ExternalMemory
from allo_air.arch.timing import Timing
from allo_air.arch.vector_forms import VectorForms

AIE2 = Architecture(
    "AIE2",
    Core(
        "AIE2",
        load_bytes=32,  # docs/sources.md#timing: 2 x 256-bit loads and 1 x 256-bit store per cycle
        store_bytes=32,
        contractions=(
            Contraction("i8", "i32", (4, 8, 8), signed=(False, True)),
            Contraction("i16", "i32", (4, 2, 8), signed=(False, True)),
            Contraction("i16", "i64", (4, 4, 4), signed=(False, True)),  # signs: taken to be as those of i32
            Contraction("bf16", "f32", (4, 8, 4)),
        ),
        forms=VectorForms(
            differences=False, products=True, f32_products=True, short_sums=False, wide_casts=False, functions=False,
            rsqrt_of_bf16=True, transposes=True,
            truncated={
                ("i16", "i8"): (32,), ("i32", "i8"): (32,), ("i32", "i16"): (16, 32), ("i64", "i32"): (16,),
                ("i64", "i16"): (16,),
            },
        ),
        # docs/sources.md#core-kernels and, for the rates, mlir-aie's programming guide 4c
        mac_shapes={
            ("i8", "i4"): (4, 16, 8), ("i8", "i8"): (4, 8, 8), ("i16", "i8"): (4, 4, 8), ("i16", "i16"): (4, 2, 8),
            ("i32", "i16"): (4, 2, 4), ("i32", "i32"): (4, 1, 4), ("bf16", "bf16"): (4, 8, 4),
        },
        lanes={"i8": 32, "i16": 32, "i32": 16, "bf16": 16, "f32": 16},  # 4c, docs/sources.md#core-kernels
        peak_macs={"i8": 256, "i16": 64, "i32": 16, "bf16": 128},  # 4c
    ),
    Timing(),
    # docs/sources.md#timing, GEMM study: 785 MB in runs of 112 bytes at 1.27 TFLOPS are 16.6 ns a run, of 448 bytes at 3.12
    # TFLOPS at most 26.3: 11.6 ns for each and 32 GB/s besides, which is what the eight MM2S channels take. Runs of 350 bytes
    # then get 15.6 GB/s; the study's average is 15.
    memory=ExternalMemory(peak=32.0, run_ns=11.6),
    mhz=1000,
    clock_source="AM020's nominal one, at which the GEMM study measured XDNA",
    burst_lengths=(64, 128, 256),
    caveat="cycles are a prediction by constants that others measured on Phoenix",
)  # fmt: skip
