"""GEMM core kernels and whole arrays (facts/timing.md; AMD GEMM study, arXiv 2512.13282)."""

from __future__ import annotations

from functools import cache, partial

import core_kernels as kernels
import ml_dtypes
import numpy as np

import allo_air
from allo_air.sim.timing import LAUNCH_MICROSECONDS, for_arch

from .array_gemm import ArrayGemm
from .row import Row

_STUDY = "arXiv 2512.13282"


def _kernel_row(row: kernels.Row) -> Row:
    name = f"{row.arch} {'-'.join(row.types)} {'x'.join(map(str, row.sizes))} in L1"
    return Row("core GEMM", name, row.published, "MACs/cycle", "informed", _STUDY, lambda: kernels.predicted(row)[0])


def kernel_cycles(arch: str, types: tuple[str, str], tile: tuple[int, int, int]) -> int:
    """Cycles of a core's m x k x n by the model, with the register block of the published kernels of that type."""
    like = next(r for r in kernels.ROWS if (r.arch, r.types[0]) == (arch, types[0]))
    rate, _ = kernels.predicted(kernels.Row(arch, types, tile, like.micro, like.block, 0))
    return round(tile[0] * tile[1] * tile[2] / rate)


COMPILED = (
    ((512, 512, 4096), "pack-peel", 1807),
    ((512, 4096, 512), "pack-peel", 2451),
    ((512, 4096, 512), "four-level tiling", 1218),
)


def _our_plan(m: int, n: int, k: int) -> float:
    """Microseconds of this project's own plan of the product on npu1 at 1.6 GHz, as a host would see them."""
    program = allo_air.compile(shape=(m, n, k), dtype="bf16", device="npu1")
    a, b = np.zeros((m, k), ml_dtypes.bfloat16), np.zeros((k, n), ml_dtypes.bfloat16)
    report = allo_air.simulate(program.text(), a, b, np.zeros((m, n), np.float32), timing=for_arch("AIE2", 1600))
    return report.cycles / 1600 + LAUNCH_MICROSECONDS


NATIVE = kernels.Row("AIE2p", ("bf16", "f32"), (64, 88, 64), (4, 8, 4), (4, 4), 0)
"""bf16 without block floating point takes a micro-tile of four rows (facts/core-kernels.md: 16 MACs an instruction)."""


@cache
def _native_bf16() -> float:
    """At 1.8 GHz; K is the next multiple of 88 that takes an even number of steps, M and N are halved to save time."""
    cycles = round(64 * 88 * 64 / kernels.predicted(NATIVE)[0])
    design = ArrayGemm("npu2", ("bf16", "f32"), (2048, 4224, 2048), (64, 88, 64), cycles)
    return 2 * design.macs / design.run(for_arch("AIE2p", 1800)).cycles * 1800 * 1e6 / 1e12


@cache
def _tera_ops(device: str, types: tuple[str, str], sizes: tuple[int, int, int], tile: tuple[int, int, int]) -> float:
    """10^12 operations per second of a whole array at the clock of the measurements."""
    arch, mhz = ("AIE2", 1000) if device == "npu1" else ("AIE2p", 1800)
    design = ArrayGemm(device, types, sizes, tile, kernel_cycles(arch, types, tile))
    report = design.run(for_arch(arch, mhz))
    return 2 * design.macs / report.cycles * mhz * 1e6 / 1e12


ARRAYS = (
    ("npu1", ("i8", "i32"), (4160, 4224, 4224), (80, 88, 96), 4.42),
    ("npu2", ("i8", "i32"), (4096, 4032, 4480), (128, 56, 80), 21.67),
)
ROWS = (
    *map(_kernel_row, kernels.ROWS),
    *(Row("array GEMM", f"{d} {'-'.join(t)} {'x'.join(map(str, s))}, core tile {'x'.join(map(str, c))}", p, "TOPS",
          "calibration", _STUDY, partial(_tera_ops, d, t, s, c), slow=True) for d, t, s, c, p in ARRAYS),
    Row("array GEMM", "npu2 native bf16 4096^3, core tile 64x88x64 (1.8 GHz assumed)", 1.6, "TFLOPS", "informed", "timing.md",
        _native_bf16, slow=True),
    *(Row("array GEMM", f"npu1 bf16 M x N x K = {'x'.join(map(str, s))}: {how} measured, our plan modelled", p, "us", "context",
          "timing.md", partial(_our_plan, *s), slow=True) for s, how, p in COMPILED),
)  # fmt: skip
"""The arrays count as calibration: the effective DDR bandwidth that bounds them comes from the same study."""
