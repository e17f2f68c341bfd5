"""Words and events per second of the simulator's engine, with all its checks, and whole gemms beside numpy.

    python bench/sim_engine.py [--words 2000000] [--gemm 512x512x512 ...]

Patterns: long and short BDs, strided walks, broadcast, blocks off. A word counts once for each DMA channel that moves it, an
event is one step of a core, a net of streams, a channel's end or the controller. A gemm's call is its second one: it makes the
array and compiles its cores again, which the engine's seconds leave out.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

import allo_air
from allo_air.arch import ARCHITECTURES
from allo_air.sim import _engine

S2MM, MM2S = 0, 1


def core_bd(
    length: int, dims: tuple[int, int, int] = (0, 1, 1), acquire: int = 0, release: int = 1, following: int = 0
) -> list[int]:
    """Six words of a core tile's BD: dims (wrap 0, step 0, step 1), lock ids; it takes one unit, gives one and goes on."""
    wrap, step0, step1 = dims
    locks = 1 << 25 | 1 << 26 | following << 27 | 1 << 18 | release << 13 | 1 << 12 | (-1 & 127) << 5 | acquire
    return [length, 0, (step1 - 1) << 13 | (step0 - 1), wrap << 13, 0, locks]


def run(words: int, length: int, dims: tuple[int, int, int], dests: int, burst: float) -> tuple[int, float]:
    """Moves `words` words from one core tile to `dests` others; returns words moved and seconds."""
    array = _engine.Array("AIE2", 1, 6, ARCHITECTURES["AIE2"].timing().as_dict() | {"burst": burst}, 0)
    array.add_tile(0, 0, "shim", 0, 16, 16, 2, 2)
    for row in range(2, 6):
        array.add_tile(0, row, "core", 65536, 16, 16, 2, 2)
    array.mark_written(0, 2, 0, 65536)
    array.add_route((0, 2, "DMA", 0), None, [(0, 3 + i, "DMA", 0, 4, 4, False) for i in range(dests)])
    for row in range(2, 3 + dests):
        array.set_lock(0, row, 0, 1)
        array.write_bd(0, row, 0, core_bd(length, dims, 0, 0))
        array.start_channel(0, row, S2MM if row > 2 else MM2S, 0, 0)
    wait = [0x80, 16, 0, 1 << 16 | 1 << 8]  # for a token that never comes: the run ends at its limit of cycles
    array.load(np.array([0x06030100, 0x104, 1, 32, *wait], np.uint32))
    start = time.perf_counter()
    result = array.run(max_cycles=words, strict=False)
    return result.words_moved, time.perf_counter() - start


def gemm(shape: tuple[int, int, int]) -> None:
    """Prints what the whole array's gemm-bf16 of `shape` takes on the simulator, beside numpy's own matmul."""
    m, n, k = shape
    program = allo_air.compile(shape=shape, pipeline="gemm-bf16", device="npu1")
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(s).astype(ml_dtypes.bfloat16) for s in ((m, k), (k, n)))
    program(a, b)  # compiles the cores
    start = time.perf_counter()
    program(a, b)
    whole = time.perf_counter() - start
    wide = [x.astype(np.float32) for x in (a, b)]
    numpy = min(timed(lambda: wide[0] @ wide[1]) for _ in range(3))
    run = program.report().run
    rates = [count / run.engine_seconds / 1e6 for count in (run.words_moved, run.steps, run.cycles)]
    print(f"{f'gemm-bf16 {m}x{n}x{k}, 4x4 cores':38}", *(f"{rate:10.2f}" for rate in rates), end="")
    print(f" {run.engine_seconds:9.2f} {whole:9.2f} {whole / numpy:12.0f}")


def timed(call: Callable[[], Any]) -> float:
    """Seconds that `call` takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Prints one line per pattern, and one per gemm."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=2_000_000)
    parser.add_argument("--gemm", nargs="*", default=["512x512x512"], metavar="MxNxK", help="shapes of whole gemms")
    options = parser.parse_args()
    print(f"{'pattern':34} {'M words/s':>9}")
    for name, length, dims, dests, burst in (
        ("BDs of 2048 words", 2048, (0, 1, 1), 1, 1),
        ("BDs of 2048 words, 3 destinations", 2048, (0, 1, 1), 3, 1),
        ("BDs of 2048 words, runs of 4", 2048, (4, 1, 8), 1, 1),
        ("BDs of 64 words", 64, (0, 1, 1), 1, 1),
        ("BDs of 2048 words, word by word", 2048, (0, 1, 1), 1, 0),
    ):
        moved, seconds = run(options.words, length, dims, dests, burst)
        print(f"{name:34} {moved / seconds / 1e6:9.1f}")
    if options.gemm:
        heads = ("words", "events", "cycles")
        print(
            f"\n{'design':38}",
            *(f"{f'M {head}/s':>10}" for head in heads),
            f"{'engine s':>9} {'call s':>9} {'call / numpy':>12}",
        )
    for text in options.gemm:
        m, n, k = (int(size) for size in text.split("x"))
        gemm((m, n, k))


if __name__ == "__main__":
    main()
