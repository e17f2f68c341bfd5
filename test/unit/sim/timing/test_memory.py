"""DDR: short runs, refresh, clock and noise."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from allo_air import simulate
from allo_air.arch import ARCHITECTURES, Timing

QUIET = replace(ARCHITECTURES["AIE2"].timing(), token_tail=0.0, controller_patch=0.0, controller_maskwrite=0.0)
"""Tasks are pushed fast, so that all channels start together."""


def relay(access: str, words: int = 16384, channels: int = 2, *, back: bool = False) -> str:
    """`access` of `words` words goes to the memtile, by every channel of every column at once; `back`: and back from it."""
    columns = 4
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
            for way in ("S2MM", "MM2S")[: 1 + back]:
                starts.append(
                    f"%{way}{n} = aie.dma_start({way}, {n}, ^{way}{n}, ^e{way}{n})\n^{way}{n}:\n"
                    f"aie.dma_bd(%b{c}_{n} : memref<{words}xi32>, 0, {words})\naie.next_bd ^{way}{n}\n^e{way}{n}:"
                )
            transfers = [(f"@in{c}_{n}", n), (f"@out{c}_{n}", n + 8)][: 1 + back]
            ops += [
                f"aiex.npu.dma_memcpy_nd(%a{access}) {{id = {bd} : i64, metadata = {channel}, issue_token = true}} "
                ": memref<65536xi32>"
                for channel, bd in transfers
            ]
            if back:
                parts += [
                    f"aie.flow(%m{c}, DMA : {n}, %s{c}, DMA : {n})",
                    f"aie.shim_dma_allocation @out{c}_{n} (%s{c}, S2MM, {n})",
                ]
        parts.append(f"aie.memtile_dma(%m{c}) {{\n" + "\n".join(starts) + "\naie.end\n}")
    names = ("in", "out")[: 1 + back]
    waits = [f"aiex.npu.dma_wait {{symbol = @{w}{c}_{n}}}" for c in range(columns) for n in range(channels) for w in names]
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


def test_reads_share_a_path_that_writes_do_not_use() -> None:
    moved, path = 8 * 16384 * 4, replace(QUIET, ddr_read_bytes_per_cycle=16.0)
    assert cycles(ROWS, path) == pytest.approx(moved * ARCHITECTURES["AIE2"].memory.share(4096) / 16, rel=0.1)
    both = [
        simulate(relay(ROWS, channels=1, back=True), np.zeros(65536, np.int32), timing=t, strict=False).cycles
        for t in (QUIET, replace(path, ddr_read_bytes_per_cycle=20.0))
    ]
    assert both[1] == pytest.approx(both[0], rel=0.02)  # half of the bus is enough for the reads


def test_a_run_takes_as_long_to_begin_on_the_path_of_reads_as_on_the_bus() -> None:
    path, runs = replace(QUIET, ddr_read_bytes_per_cycle=16.0), 8 * 16384 // 4
    assert cycles(SHORT, path) == pytest.approx(runs * (64 / 16 + ARCHITECTURES["AIE2"].memory.run_ns), rel=0.05)


def test_reads_alone_are_slower_on_npu2() -> None:
    npu1, npu2 = ARCHITECTURES["AIE2"], ARCHITECTURES["AIE2p"]
    assert npu1.read_bytes == npu1.memory_bytes
    assert npu2.read_bytes * npu2.mhz / 1000 == pytest.approx(52.7)
    assert npu2.timing(900).ddr_read_bytes_per_cycle == 2 * npu2.timing(1800).ddr_read_bytes_per_cycle


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
