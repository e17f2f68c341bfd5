"""DDR: short runs, refresh, clock and noise."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from allo_air import simulate
from allo_air.arch import ARCHITECTURES, Timing

QUIET = replace(ARCHITECTURES["AIE2"].timing(), token_tail=0.0, controller_patch=0.0, controller_maskwrite=0.0)
"""Tasks are pushed fast, so that all channels start together."""


def relay(access: str, words: int = 16384) -> str:
    """`access` of `words` words goes to the memtile, by every channel of every column at once."""
    columns, channels = 4, 2
    parts, ops = [], []
    for c in range(columns):
        parts += [f"%s{c} = aie.tile({c}, 0)", f"%m{c} = aie.tile({c}, 1)"]
        starts = []
        for n in range(channels):
            parts += [
                f"%b{c}_{n} = aie.buffer(%m{c}) : memref<{words}xi32>",
                f"aie.flow(%s{c}, DMA : {n}, %m{c}, DMA : {n})",
                f"aie.shim_dma_allocation @in{c}_{n} (%s{c}, MM2S, {n})",
            ]
            starts.append(
                f"%{n} = aie.dma_start(S2MM, {n}, ^a{n}, ^e{n})\n^a{n}:\n"
                f"aie.dma_bd(%b{c}_{n} : memref<{words}xi32>, 0, {words})\naie.next_bd ^a{n}\n^e{n}:"
            )
            ops.append(
                f"aiex.npu.dma_memcpy_nd(%a{access}) {{id = {n} : i64, metadata = @in{c}_{n}, issue_token = true}} "
                ": memref<65536xi32>"
            )
        parts.append(f"aie.memtile_dma(%m{c}) {{\n" + "\n".join(starts) + "\naie.end\n}")
    waits = [f"aiex.npu.dma_wait {{symbol = @in{c}_{n}}}" for c in range(columns) for n in range(channels)]
    body = "\n".join([*parts, "aie.runtime_sequence(%a : memref<65536xi32>) {", *ops, *waits, "}"])
    return f"module {{ aie.device(npu1) {{\n{body}\n}} }}"


ROWS, COLUMNS = "[0, 0, 0, 0][1, 1, 64, 256][0, 0, 256, 1]", "[0, 0, 0, 0][1, 64, 64, 4][0, 256, 4, 1]"
SHORT = "[0, 0, 0, 0][1, 16, 256, 4][0, 16, 64, 1]"
"""Runs of four words (16 bytes), each in a line of 64 bytes of its own."""


def cycles(access: str, timing: Timing = QUIET, words: int = 16384, **options: Any) -> int:
    return int(simulate(relay(access, words), np.zeros(65536, np.int32), timing=timing, **options).cycles)


def test_contiguous_runs_get_the_whole_bandwidth() -> None:
    moved = 8 * 16384 * 4
    assert cycles(ROWS) == pytest.approx(moved / ARCHITECTURES["AIE2"].memory_gigabytes, rel=0.25)
    assert cycles(COLUMNS) == cycles(ROWS)  # contiguous, in other words


def test_a_run_shorter_than_a_burst_takes_a_whole_one_and_what_it_costs_to_begin() -> None:
    assert cycles(SHORT) == pytest.approx(8 * 16384 * 4 * ARCHITECTURES["AIE2"].memory.share(16) / 32, rel=0.05)
    free = replace(QUIET, ddr_line_words=0.0, ddr_run_bytes=0.0)
    assert cycles(SHORT, free) == pytest.approx(cycles(ROWS, free), rel=0.02)


def test_channels_of_one_column_share_its_port() -> None:
    narrow = replace(QUIET, shim_column_bytes_per_cycle=2.0)
    assert cycles(ROWS, narrow) == pytest.approx(2 * 16384 * 4 / 2, rel=0.1)


def test_memory_does_not_follow_the_clock() -> None:
    quiet = {"token_tail": 0.0, "controller_patch": 0.0, "controller_maskwrite": 0.0}
    slow, fast = (cycles(SHORT, replace(ARCHITECTURES["AIE2"].timing(mhz), **quiet)) / mhz for mhz in (1000, 2000))
    assert slow == pytest.approx(fast, rel=0.1)


def test_reads_pause_at_each_refresh() -> None:
    unlimited = replace(QUIET, ddr_bytes_per_cycle=0.0)
    with_refresh, without = (cycles(ROWS, t) for t in (unlimited, replace(unlimited, ddr_refresh=0.0)))
    assert with_refresh - without == pytest.approx(0.05 * 16384, abs=QUIET.ddr_refresh)


def test_seeds_change_memory_noise_only() -> None:
    noisy = replace(QUIET, ddr_noise=0.5)
    runs = [simulate(relay(ROWS), np.zeros(65536, np.int32), timing=noisy, seed=seed) for seed in (1, 1, 2)]
    assert runs[0].cycles == runs[1].cycles != runs[2].cycles
    assert [c.words for c in runs[0].channels] == [c.words for c in runs[2].channels]
    assert cycles(ROWS, seed=1) == cycles(ROWS, seed=2)


def test_bds_of_one_task_follow_without_a_gap() -> None:
    """Sixteen runs of a BD of 64 words take as long as one BD of 1024 words: only a task pays the way to memory."""
    repeated, whole = "[0, 0, 0, 0][16, 1, 1, 64][64, 0, 0, 1]", "[0, 0, 0, 0][1, 1, 1, 1024][0, 0, 0, 1]"
    quick = replace(QUIET, ddr_bytes_per_cycle=0.0, ddr_refresh=0.0)
    assert cycles(repeated, quick, 1024) == pytest.approx(cycles(whole, quick, 1024), abs=2 * 16)
