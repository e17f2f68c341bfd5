"""GEMM core kernels and whole arrays (docs/sources.md#timing; AMD GEMM study, arXiv 2512.13282)."""

from __future__ import annotations

from functools import cache, partial

import core_kernels as kernels
import ml_dtypes
import numpy as np

import allo_air
from allo_air.arch import ARCHITECTURES
from allo_air.arch.timing import LAUNCH_MICROSECONDS

from .array_gemm import ArrayGemm
from .best import best_design
from .row import Row

_STUDY = "arXiv 2512.13282"


def _kernel_row(row: kernels.Row) -> Row:
    name = f"{row.arch} {'-'.join(row.types)} {'x'.join(map(str, row.sizes))} in L1"
    return Row("core GEMM", name, row.published, "MACs/cycle", "informed", _STUDY, lambda: kernels.predicted(row)[0])


def kernel_cycles(arch: str, types: tuple[str, str], tile: tuple[int, int, int], compiled: bool = False) -> int:
    """Cycles of a core's m x k x n by the model, with register blocks that fill the accumulators."""
    rate, _ = kernels.predicted(kernels.row_of(arch, types, tile), compiled)
    return round(tile[0] * tile[1] * tile[2] / rate)


COMPILED = (
    ((512, 512, 4096), "pack-peel", 1807),
    ((512, 4096, 512), "pack-peel", 2451),
    ((512, 4096, 512), "four-level tiling", 1218),
)


def _our_cycles(device: str, dtype: str, sizes: tuple[int, int, int], mhz: float) -> int:
    """Cycles of this project's own plan of an M x N x K product."""
    m, n, k = sizes
    program = allo_air.compile(shape=sizes, dtype=dtype, device=device)
    kind = ml_dtypes.bfloat16 if dtype == "bf16" else np.dtype(dtype.replace("i", "int"))
    result = np.zeros((m, n), np.float32 if dtype == "bf16" else np.int32)
    timing = ARCHITECTURES["AIE2" if device == "npu1" else "AIE2p"].timing(mhz)
    return int(
        allo_air.simulate(
            program.text(), np.zeros((m, k), kind), np.zeros((k, n), kind), result, timing=timing, code="scheduled"
        ).cycles
    )


def _our_plan(device: str, dtype: str, sizes: tuple[int, int, int], mhz: float) -> float:
    """Microseconds of this project's own plan, as a host would see them."""
    return _our_cycles(device, dtype, sizes, mhz) / mhz + LAUNCH_MICROSECONDS


def _our_share(dtype: str, side: int, peak: int) -> float:
    """Per cent of the array's `peak` MACs per cycle that this project's own plan of side^3 on npu1 reaches at 1.0 GHz."""
    return 100 * side**3 / _our_cycles("npu1", dtype, (side, side, side), 1000) / peak


@cache
def _best(device: str, types: tuple[str, str]) -> float:
    """10^12 operations per second of the core tile that the model's bounds prefer for about 4096^3."""
    arch, mhz = ("AIE2", 1000) if device == "npu1" else ("AIE2p", 1800)
    design = best_design(device, types, 4096, 16, cache(lambda tile: kernel_cycles(arch, types, tile)))
    return 2 * design.macs / design.run(ARCHITECTURES[arch].timing(mhz)).cycles * mhz * 1e6 / 1e12


def _hand_written() -> float:
    """Cycles of the bf16 kernel of 32 x 32 x 32 without loops, in register blocks."""
    rate, _ = kernels.predicted(kernels.row_of("AIE2", ("bf16", "f32"), (32, 32, 32)), unrolled=True)
    return 32**3 / rate


NATIVE = kernels.Row("AIE2p", ("bf16", "f32"), (64, 88, 64), (4, 8, 4), (4, 4), 0)
"""bf16 without block floating point takes a micro-tile of four rows (docs/sources.md#core-kernels: 16 MACs an instruction)."""


@cache
def _native_bf16() -> float:
    """At 1.8 GHz; K is the next multiple of 88 that takes an even number of steps, M and N are halved to save time."""
    cycles = round(64 * 88 * 64 / kernels.predicted(NATIVE)[0])
    design = ArrayGemm("npu2", ("bf16", "f32"), (2048, 4224, 2048), (64, 88, 64), cycles)
    return 2 * design.macs / design.run(ARCHITECTURES["AIE2p"].timing(1800)).cycles * 1800 * 1e6 / 1e12


@cache
def _tera_ops(device: str, types: tuple[str, str], sizes: tuple[int, int, int], tile: tuple[int, int, int], run: int) -> float:
    """10^12 operations per second of a whole array at the clock of the measurements."""
    arch, mhz = ("AIE2", 1000) if device == "npu1" else ("AIE2p", 1800)
    design = ArrayGemm(device, types, sizes, tile, kernel_cycles(arch, types, tile), run)
    report = design.run(ARCHITECTURES[arch].timing(mhz))
    return 2 * design.macs / report.cycles * mhz * 1e6 / 1e12


def _registry(compiled: bool) -> float:
    """Microseconds of mlir-air's 2048^3: its eight columns share M, its four rows N; B's runs are a core tile's 128 columns."""
    cycles = kernel_cycles("AIE2p", ("bf16", "f32"), (64, 32, 128), compiled)
    design = ArrayGemm("npu2", ("bf16", "f32"), (2048, 2048, 2048), (128, 32, 64), cycles, 128)
    return design.run(ARCHITECTURES["AIE2p"].timing(1800)).cycles / 1800 + LAUNCH_MICROSECONDS


def _native_compiled() -> float:
    """Microseconds of 2048^3 in native bf16, compiled, one accumulator at a time (assumed): the cores' part of it."""
    row = kernels.Row("AIE2p", ("bf16", "f32"), (64, 64, 64), (4, 8, 4), (1, 1), 0)
    return 2048**3 / 32 / kernels.predicted(row, compiled=True)[0] / 1800 + LAUNCH_MICROSECONDS


ARRAYS = (
    ("npu1", ("i8", "i32"), (4160, 4224, 4224), (80, 88, 96), 0, 4.42, "informed"),
    ("npu1", ("i8", "i16"), (4224, 4032, 4224), (96, 112, 96), 448, 5.85, "calibration"),
    ("npu1", ("bf16", "bf16"), (4224, 4032, 4224), (96, 56, 96), 224, 3.12, "calibration"),
    ("npu1", ("bf16", "bf16"), (4224, 4032, 4224), (96, 56, 96), 56, 1.27, "calibration"),
    ("npu2", ("i8", "i32"), (4096, 4032, 4480), (128, 56, 80), 0, 21.67, "informed"),
    ("npu2", ("i8", "i32"), (4224, 4224, 4608), (96, 64, 96), 384, 24.74, "calibration"),
)
"""M x K x N, core tile m x k x n, elements of a run along K (0: the study's choice is not known)."""
BEST = (("npu1", "i8", 6.76), ("npu1", "bf16", 3.14), ("npu2", "i8", 38.05), ("npu2", "bf16", 14.71))
ROWS = (
    *map(_kernel_row, kernels.ROWS),
    Row("core GEMM", "AIE2 bf16 32x32x32, 288 instructions unrolled by hand, one bank each", 296, "cycles", "prediction",
        "timing-2.md", _hand_written),
    *(Row("array GEMM", f"{d} {'-'.join(t)} {'x'.join(map(str, s))}, tile {'x'.join(map(str, c))}" + f", runs of {r}" * bool(r),
          p, "TOPS", kind, _STUDY, partial(_tera_ops, d, t, s, c, r), slow=True) for d, t, s, c, r, p, kind in ARRAYS),
    Row("array GEMM", "npu2 native bf16 4096^3, core tile 64x88x64 (1.8 GHz assumed)", 1.6, "TFLOPS", "informed", "timing.md",
        _native_bf16, slow=True),
    *(Row("array GEMM (mlir-air)", f"npu2 bf16-f32 2048^3, tile 64x32x128, {how} (1.8 GHz assumed)", p, "us", "informed",
          "mlir-air kernel_registry", partial(_registry, compiled), slow=True)
      for how, p, compiled in (("external kernel", 2019, False), ("compiled from MLIR", 3115, True))),
    Row("array GEMM", "npu2 native bf16 2048^3, core tile 64^3, compiled; the cores' part here", 24679, "us", "context",
        "timing-2.md", _native_compiled),
    *(Row("array GEMM", f"npu1 bf16 M x N x K = {'x'.join(map(str, s))}: {how} measured, our plan modelled", p, "us", "context",
          "timing.md", partial(_our_plan, "npu1", "bf16", s, 1600), slow=True) for s, how, p in COMPILED),
    Row("array GEMM", "npu2 i8 M x N x K = 512x4096x512: hand-written kernel measured, our plan modelled (at 1.8 GHz)", 836,
        "us", "context", "timing.md", partial(_our_plan, "npu2", "i8", (512, 4096, 512), 1800), slow=True),
    *(Row("array GEMM", f"{d} {t}-{t} of the best shape, about 4096^3 here in the tile of the model's choice", p, "TOPS",
          "informed", _STUDY, partial(_best, d, (t, t)), slow=True) for d, t, p in BEST),
    *(Row("array GEMM", f"npu1 {t}: {what} measured, our plan of 2048^3 modelled", share, "% of peak", "context",
          "arXiv 2510.14871", partial(_our_share, t, 2048, peak), slow=True)
      for t, what, share, peak in (("i16", "MLIR-AIR, best of its shapes", 78.7, 1024), ("bf16", "MLIR-AIR", 49, 2048))),
)  # fmt: skip
"""External memory's rates come from the arrays that count as calibration."""
