"""The time model's figure for a workload of your choice, to hold against a measurement of it.

    python bench/predict.py kernel npu1 i8-i32 48x280x48
    python bench/predict.py array npu2 i8-i32 4096x4032x4480 --tile 128x56x80
    python bench/predict.py copy npu1 --columns 4 --channels 2 --words 262144

`kernel` is a core's product m x k x n with its operands in L1, `array` a product M x K x N on all cores in core tiles m x k x n
as arXiv 2512.13282 lays it out, `copy` goes from host memory to host memory through memtiles. Types are those of the factors
and of the result. Clocks are those of the published measurements unless `--mhz` says otherwise.
"""

from __future__ import annotations

import argparse

import core_kernels
import numpy as np
from published_rows.array_gemm import ArrayGemm
from published_rows.copies import copy
from published_rows.gemm import kernel_cycles

from allo_air import simulate
from allo_air.arch import ARCHITECTURES
from allo_air.arch.timing import LAUNCH_MICROSECONDS
from allo_air.errors import AlloAirError

ARCH = {"npu1": "AIE2", "npu2": "AIE2p"}


def _sizes(text: str) -> tuple[int, int, int]:
    m, k, n = (int(part) for part in text.split("x"))
    return m, k, n


def _types(text: str) -> tuple[str, str]:
    factors, result = text.split("-")
    return factors, result


def kernel(options: argparse.Namespace) -> str:
    """MACs per cycle of one core."""
    row = core_kernels.row_of(ARCH[options.device], options.types, options.sizes)
    rate, bound = core_kernels.predicted(row, compiled=options.compiled)
    cycles = np.prod(options.sizes) / rate
    return f"{cycles:,.0f} cycles, {rate:.1f} MACs/cycle, inner loop bound by {bound}"


def array(options: argparse.Namespace) -> str:
    """Time and rate of the whole array."""
    cycles = kernel_cycles(ARCH[options.device], options.types, options.tile, compiled=options.compiled)
    design = ArrayGemm(options.device, options.types, options.sizes, options.tile, cycles, options.run_length or 0)
    found = design.run(ARCHITECTURES[ARCH[options.device]].timing(options.mhz)).cycles
    return f"{_time(found, options.mhz)}, {2 * design.macs / found * options.mhz / 1e6:.2f} TOPS"


def copied(options: argparse.Namespace) -> str:
    """Time and rate one way; each channel moves `words` words."""
    a = np.arange(options.words * options.columns * options.channels, dtype=np.int32)
    text = copy(options.device, options.columns, options.channels, options.words)
    found = simulate(text, a, np.zeros_like(a), timing=ARCHITECTURES[ARCH[options.device]].timing(options.mhz)).cycles
    return f"{_time(found, options.mhz)}, {a.nbytes / found * options.mhz / 1000:.2f} GB/s each way"


def _time(cycles: int, mhz: float) -> str:
    at = cycles / mhz
    return (
        f"{cycles:,} cycles, {at:,.1f} us at {mhz:g} MHz ({at + LAUNCH_MICROSECONDS:,.1f} us with the host's part of a launch)"
    )


def main(arguments: list[str] | None = None) -> None:
    """Prints the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True, metavar="kernel|array|copy")
    for name, run in (("kernel", kernel), ("array", array), ("copy", copied)):
        one = kinds.add_parser(name)
        one.set_defaults(run=run)
        one.add_argument("device", choices=ARCH)
        one.add_argument("--mhz", type=float)
        if name == "copy":
            one.add_argument("--columns", type=int, default=1)
            one.add_argument("--channels", type=int, choices=(1, 2), default=1)
            one.add_argument("--words", type=int, default=262144, help="of each channel, a multiple of 1024")
        else:
            one.add_argument("types", type=_types)
            one.add_argument("sizes", type=_sizes)
            one.add_argument("--compiled", action="store_true", help="core code as Peano compiles it from MLIR, not by hand")
        if name == "array":
            one.add_argument("--tile", type=_sizes, required=True)
            one.add_argument("--run", type=int, dest="run_length", help="elements along K that lie together (the study's k_mt)")
    options = parser.parse_args(arguments)
    options.mhz = options.mhz or ARCHITECTURES[ARCH[options.device]].mhz
    try:
        print(options.run(options))
    except (ValueError, AlloAirError) as wrong:
        parser.error(str(wrong))


if __name__ == "__main__":
    main()
