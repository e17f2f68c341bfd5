"""Every cycle of a core is busy, call or stall; every traced event that begins ends; names are the hardware's."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from allo_air.sim import _engine


@pytest.fixture(scope="module")
def report(published: ModuleType) -> Any:
    from published_rows import golden

    return golden._run()


def test_a_core_is_busy_or_stalled(report: Any) -> None:
    for core in report.cores:
        assert core.busy + core.call + core.lock_stall + core.stream_stall + core.cascade_stall == core.last_cycle


def test_a_channel_moves_waits_or_changes_bds(report: Any) -> None:
    end = max(core.last_cycle for core in report.cores)
    for channel in report.channels:
        known = channel.busy + channel.starved + channel.stalled + channel.lock_stall
        assert channel.busy == channel.words  # one word a cycle on AIE2
        assert known <= max(end, channel.last_cycle + 1)
        if (channel.tile, channel.channel) == ((0, 2), 0):  # it ends with its last word: all else is its start and BD to BD
            assert 0 <= channel.last_cycle + 1 - known <= 15 + channel.bds


def test_events_alternate(report: Any) -> None:
    events = report.events
    keys = np.stack([events[n] for n in ("col", "row", "unit", "event")], axis=1)
    for key in np.unique(keys, axis=0):
        chosen = (keys == key).all(axis=1)
        phases = events["phase"][chosen]
        if (phases == 2).all():
            continue
        name = _engine.EVENT_NAMES[key[3]]
        assert (phases[0::2] == 0).all() and (phases[1::2] == 1).all(), name
        assert (np.diff(events["cycle"][chosen]) >= 0).all(), name


def test_names_are_those_of_the_trace_units(report: Any) -> None:
    seen = {_engine.EVENT_NAMES[e] for e in np.unique(report.events["event"])}
    assert seen >= {
        "INSTR_EVENT_0", "INSTR_EVENT_1", "INSTR_VECTOR", "LOCK_STALL", "DMA_S2MM_0_START_TASK", "DMA_MM2S_0_START_TASK",
        "DMA_S2MM_0_FINISHED_TASK", "DMA_MM2S_0_STALLED_LOCK", "DMA_S2MM_0_STREAM_STARVATION", "PORT_RUNNING_S2MM_0",
    }  # fmt: skip


def test_an_acquire_that_need_not_wait_stalls_for_one_cycle(report: Any) -> None:
    events = report.events
    stalls = events["cycle"][events["event"] == _engine.EVENT_NAMES.index("LOCK_STALL")]
    assert int((stalls[1::2] - stalls[0::2]).min()) == 1
