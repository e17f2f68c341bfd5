"""The model against the microbenchmarks that it claims (sources.md#simulator-semantics, sources.md#timing), and determinism."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from allo_air.arch import ARCHITECTURES
from allo_air.sim import _engine

HW = SimpleNamespace


def cycles_of(result: Any, name: str, row: int) -> list[int]:
    events = result.events
    code = _engine.EVENT_NAMES.index(name)
    return [int(c) for c in events["cycle"][(events["event"] == code) & (events["row"] == row)]]


def test_burst_of_512_words_repeats_every_513_cycles(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(512 * 8, np.int32))
    rig.array.mark_written(0, 2, 0, 4096)
    rig.flow((0, 2, "DMA", 0), (0, 3, "DMA", 0))
    rig.array.write_bd(0, 2, 0, hw.core_bd(512))
    rig.array.write_bd(0, 3, 0, hw.core_bd(512))
    rig.array.start_channel(0, 2, hw.MM2S, 0, 0, repeat=7)
    rig.array.start_channel(0, 3, hw.S2MM, 0, 0, repeat=7)
    ends = cycles_of(rig.run(trace=True), "DMA_S2MM_0_FINISHED_BD", 3)
    assert np.diff(ends).tolist() == [513] * 7


@pytest.mark.parametrize("length", [8, 16])
def test_small_s2mm_bds_follow_without_a_bubble(hw: HW, length: int) -> None:
    rig = hw.Rig()
    rig.array.mark_written(0, 2, 0, 4096)
    rig.flow((0, 2, "DMA", 0), (0, 3, "DMA", 0))
    rig.array.write_bd(0, 2, 0, hw.core_bd(length * 16))
    rig.array.write_bd(0, 3, 0, hw.core_bd(length))
    rig.array.start_channel(0, 2, hw.MM2S, 0, 0)
    rig.array.start_channel(0, 3, hw.S2MM, 0, 0, repeat=15)
    ends = cycles_of(rig.run(trace=True), "DMA_S2MM_0_FINISHED_BD", 3)
    assert np.diff(ends).tolist() == [length] * 15


def test_lock_latencies_of_the_golden_traces(hw: HW) -> None:
    rig = hw.Rig()
    lock = hw.lock(0, 2, 0)
    rig.array.mark_written(0, 2, 0, 4096)
    rig.array.set_lock(0, 2, 0, 0)
    rig.flow((0, 2, "DMA", 0), (0, 3, "DMA", 0))
    rig.array.write_bd(0, 2, 0, hw.core_bd(64, acquire=(0, -1)))
    rig.array.write_bd(0, 3, 0, hw.core_bd(64, release=(1, 1)))
    rig.array.start_channel(0, 2, hw.MM2S, 0, 0)
    rig.array.start_channel(0, 3, hw.S2MM, 0, 0)
    rig.array.add_core(0, 2, hw.program([("work", 0, 1, 200), ("use_lock", lock, 1, 1, 0)]), 0)
    rig.array.add_core(0, 3, hw.program([("use_lock", hw.lock(0, 3, 1), 2, 1, 0), ("event", 0)]), 0)
    result = rig.run(trace=True)
    [release] = cycles_of(result, "LOCK_RELEASE", 2)
    channels = {(c.row, c.direction): c for c in result.channels}
    first = channels[2, hw.MM2S].first_cycle + int(ARCHITECTURES["AIE2"].timing().dma_mm2s_fill)
    assert first - release == 12  # core release -> MM2S stream start
    [event] = cycles_of(result, "INSTR_EVENT_0", 3)
    last = channels[3, hw.S2MM].last_cycle
    [begins, ends] = cycles_of(result, "LOCK_STALL", 3)
    assert ends - last == 9  # S2MM last beat -> LOCK_STALL deasserts
    assert event - ends == 2  # stall end -> INSTR_EVENT_0
    [asked] = cycles_of(result, "LOCK_ACQUIRE", 3)
    assert begins - asked == 3  # LOCK_STALL begins 3 cycles after the lock instruction


def test_control_sequence_costs(hw: HW) -> None:
    def cycles(*ops: list[int]) -> int:
        rig = hw.Rig()
        rig.words.ops = list(ops)
        return rig.run().controller.done_cycle

    write, mask = [0, 0, 2 << 20 | 0x400, 0, 1, 24], [3, 0, 2 << 20 | 0x400, 0, 1, 1, 28]
    block = [1, 0, 0x1D000, 48, *[0] * 8]
    assert cycles(*[write] * 10) == pytest.approx(1005, abs=1)
    assert cycles(*[block] * 10) == pytest.approx(2030, rel=0.01)
    assert cycles(*[mask] * 10) == pytest.approx(2100, rel=0.01)


def test_chained_shim_tasks_warm_up(hw: HW) -> None:
    measured = [1739, 804, 497, 422, 398, 399, 364, 369]
    rig = hw.Rig()
    rig.host(np.zeros(64, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    rig.array.write_bd(0, 1, 0, hw.mem_bd(512))
    rig.array.start_channel(0, 1, hw.S2MM, 0, 0)
    for _ in measured:
        rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(64), token=True)
        rig.words.sync(hw.MM2S)
    result = rig.run(trace=True)
    starts = cycles_of(result, "DMA_MM2S_0_START_TASK", 0)
    ends = cycles_of(result, "DMA_MM2S_0_FINISHED_TASK", 0)
    assert [e - s for s, e in zip(starts, ends, strict=True)] == pytest.approx(measured, rel=0.1)


@pytest.mark.parametrize("length", [1024, 4096, 16384])
def test_shim_tasks_of_n_words(hw: HW, length: int) -> None:
    """MM2S 747 + 1.05 N of a task that is not the channel's first, on average over refreshes."""
    rig = hw.Rig()
    rig.host(np.zeros(length, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    rig.array.write_bd(0, 1, 0, hw.mem_bd(2 * length))
    rig.array.start_channel(0, 1, hw.S2MM, 0, 0)
    for _ in range(2):
        rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(length), token=True)
        rig.words.sync(hw.MM2S)
    result = rig.run(trace=True)
    start, end = cycles_of(result, "DMA_MM2S_0_START_TASK", 0)[1], cycles_of(result, "DMA_MM2S_0_FINISHED_TASK", 0)[1]
    timing = ARCHITECTURES["AIE2"].timing()
    refreshes = end // timing.ddr_refresh_interval - start // timing.ddr_refresh_interval
    usual = length / timing.ddr_refresh_interval
    assert end - start - (refreshes - usual) * timing.ddr_refresh == pytest.approx(747 + 1.05 * length, rel=0.05)


def test_tail_of_the_last_wait_is_charged_once(hw: HW) -> None:
    cycles = []
    for tail in (0, 8000):
        rig = hw.Rig(token_tail=tail)
        rig.host(np.zeros(64, np.int32), np.zeros(64, np.int32))
        hw.relay(rig, 64, 64)
        cycles.append(rig.run().cycles)
    assert cycles[1] - cycles[0] == 8000


def test_tasks_that_are_held_begin_when_the_controller_waits(hw: HW) -> None:
    first, busy = {}, 0
    for held in (False, True):
        rig = hw.Rig(controller_push_interval=0)
        if held:
            rig.array.hold_first_tasks()
        rig.host(np.zeros(64, np.int32), np.zeros(64, np.int32))
        hw.relay(rig, 64, 64)
        result = rig.run()
        first[held], busy = min(c.first_cycle for c in result.channels), result.controller.busy
    assert first[False] < busy <= first[True]


def test_aie2p_streams_carry_two_words_a_cycle(hw: HW) -> None:
    rig = hw.Rig("AIE2p")
    rig.array.mark_written(0, 2, 0, 4096)
    rig.flow((0, 2, "DMA", 0), (0, 3, "DMA", 0))
    rig.array.write_bd(0, 2, 0, hw.core_bd(1024))
    rig.array.write_bd(0, 3, 0, hw.core_bd(1024))
    rig.array.start_channel(0, 2, hw.MM2S, 0, 0)
    rig.array.start_channel(0, 3, hw.S2MM, 0, 0)
    assert {c.busy for c in rig.run().channels} == {512}


def test_one_ddr_serves_all_columns(hw: HW) -> None:
    def cycles(columns: int) -> int:
        rig = hw.Rig(
            columns=columns,
            controller_push_interval=0,
            controller_patch=0,
            ddr_run_bytes=ARCHITECTURES["AIE2"].memory.run_bytes,
        )
        rig.host(np.zeros(60_000, np.int32))
        for col in range(columns):
            for channel in range(2):
                rig.flow((col, 0, "DMA", channel), (col, 1, "DMA", channel))
                rig.array.write_bd(col, 1, 24 * channel, hw.mem_bd(60_000, base=0x80000 + 240_000 * channel))
                rig.array.start_channel(col, 1, hw.S2MM, channel, 24 * channel, token=True)
                rig.words.shim(hw.MM2S, channel, 0, hw.shim_bd(60_000), col=col, channel=channel)
        for col in range(columns):
            for channel in range(2):
                rig.words.sync(hw.S2MM, channel, col, 1)
        return rig.run().cycles

    bytes_per_cycle = ARCHITECTURES["AIE2"].memory_bytes
    assert cycles(1) == pytest.approx(60_000 * 1.05, rel=0.1)
    assert cycles(4) == pytest.approx(8 * 240_000 / bytes_per_cycle, rel=0.1)


def test_same_seed_same_run_and_noise_can_be_switched_off(hw: HW) -> None:
    def run(seed: int, noise: float) -> tuple[Any, ...]:
        rig = hw.Rig(seed=seed, ddr_noise=noise)
        rig.host(np.arange(2048, dtype=np.int32), np.zeros(2048, np.int32))
        hw.relay(rig, 256, 2048)
        result = rig.run(trace=True)
        return result.cycles, {k: v.tolist() for k, v in result.events.items()}

    assert run(1, 0.5) == run(1, 0.5)
    assert run(1, 0.5)[0] != run(2, 0.5)[0]
    assert run(1, 0) == run(2, 0)


def test_timing_must_be_complete(hw: HW) -> None:
    constants = ARCHITECTURES["AIE2"].timing().as_dict()
    with pytest.raises(ValueError, match="no constant 'burst'"):
        _engine.Array("AIE2", 1, 6, {k: v for k, v in constants.items() if k != "burst"})
    with pytest.raises(ValueError, match="does not know"):
        _engine.Array("AIE2", 1, 6, constants | {"speed": 1.0})
    with pytest.raises(ValueError, match="AIE1"):
        ARCHITECTURES["AIE1"].timing()
