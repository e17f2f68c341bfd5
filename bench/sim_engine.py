"""Words per second of the simulator's engine, with all its checks: long and short BDs, strided walks, broadcast, blocks off.

    python bench/sim_engine.py [--words 2000000]

A word counts once for each DMA channel that moves it.
"""

import argparse
import time

import numpy as np

from allo_air.sim import _engine
from allo_air.sim.timing import for_arch

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
    array = _engine.Array("AIE2", 1, 6, for_arch("AIE2").as_dict() | {"burst": burst}, 0)
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


def main() -> None:
    """Prints one line per pattern."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=2_000_000)
    words = parser.parse_args().words
    print(f"{'pattern':34} {'M words/s':>9}")
    for name, length, dims, dests, burst in (
        ("BDs of 2048 words", 2048, (0, 1, 1), 1, 1),
        ("BDs of 2048 words, 3 destinations", 2048, (0, 1, 1), 3, 1),
        ("BDs of 2048 words, runs of 4", 2048, (4, 1, 8), 1, 1),
        ("BDs of 64 words", 64, (0, 1, 1), 1, 1),
        ("BDs of 2048 words, word by word", 2048, (0, 1, 1), 1, 0),
    ):
        moved, seconds = run(words, length, dims, dests, burst)
        print(f"{name:34} {moved / seconds / 1e6:9.1f}")


if __name__ == "__main__":
    main()
