"""Trace units: what they write into the host's buffer, judged by a decoder of its own."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.aie.utils.trace.packets import Traced, decode
from allo_air.sim import _engine
from allo_air.sim.report_types import SimulationError

DESIGN = (Path(__file__).parent / "registers.mlir").read_text()
CORE, MEM, MEMTILE, SHIM = (0, 1, 0, 2), (1, 2, 0, 2), (3, 3, 0, 1), (2, 4, 0, 0)


def run(text: str = DESIGN, size: int = 1024, **settings: Any) -> tuple[Any, dict[Any, Traced]]:
    a, c, trace = np.arange(32, dtype=np.int32), np.zeros(32, np.int32), np.zeros(size, np.int32)
    report = allo_air.simulate(text, a, c, trace, code="scheduled", **settings)
    np.testing.assert_array_equal(c, a + 1)
    return report, decode(trace)


def events(report: Any, tile: tuple[int, int], name: str) -> list[tuple[int, int]]:
    """Begin and end (equal for an instant) of an event that the simulator lists itself."""
    e = report.events
    here = (e["col"] == tile[0]) & (e["row"] == tile[1]) & (e["event"] == _engine.EVENT_NAMES.index(name))
    cycles, phases = e["cycle"][here], e["phase"][here]
    if (phases == 2).all():
        return [(int(c), int(c)) for c in cycles]
    return list(zip(map(int, cycles[phases == 0]), map(int, cycles[phases == 1]), strict=True))


def gaps(times: list[int]) -> list[int]:
    return [b - a for a, b in pairwise(times)]


def test_four_kinds_of_units_trace() -> None:
    _, traced = run()
    assert set(traced) == {CORE, MEM, MEMTILE, SHIM}
    assert all(t.timer == 0 and t.commands[0] == "start" for t in traced.values())


def test_a_core_is_traced_as_the_simulator_saw_it() -> None:
    report, traced = run(trace=True)
    core = traced[CORE]
    first, second = (events(report, (0, 2), f"INSTR_EVENT_{n}") for n in (0, 1))
    seen = sorted(c for n in (0, 1) for c in core.cycles[n])
    assert gaps(seen) == gaps(sorted(c for c, _ in first + second))
    offset = first[0][0] - core.cycles[0][0]
    stalls = [(a - offset, b - offset - 1) for a, b in events(report, (0, 2), "LOCK_STALL")]
    assert [r for r in core.runs(4) if r[0] > 1] == [s for s in stalls if s[0] > 1]
    assert [len(core.cycles[n]) for n in (5, 6)] == [32, 32]  # a word a cycle, in and out
    assert core.runs(5) == [(a - offset, b - offset - 1) for a, b in events(report, (0, 2), "PORT_RUNNING_S2MM_0")]
    assert len(core.cycles[7]) == 3  # of four acquires the first came before the trace
    assert not core.cycles[2]  # nothing is vectorized


def test_dma_events_of_a_memory_a_memtile_and_a_shim() -> None:
    report, traced = run(trace=True)
    mem, memtile, shim = traced[MEM], traced[MEMTILE], traced[SHIM]
    assert [len(mem.cycles[n]) for n in (2, 3)] == [2, 2]  # finished BDs in and out
    starved = mem.runs(5)
    assert mem.cycles[6] == [first for first, _ in starved if first > 1]  # rises, detected by the first edge detector
    assert mem.cycles[7] == [last + 1 for _, last in starved[:-1]]  # falls
    assert [len(memtile.cycles[n]) for n in (0, 1)] == [32, 32] and not memtile.cycles[2]
    [(start, _)] = events(report, (0, 0), "DMA_S2MM_0_START_TASK")
    [(end, _)] = events(report, (0, 0), "DMA_S2MM_0_FINISHED_TASK")
    assert shim.cycles[2][0] - shim.cycles[0][0] == end - start
    assert [len(shim.cycles[n]) for n in range(5)] == [1, 1, 1, 1, 1]


def test_a_full_buffer_ends_the_trace() -> None:
    whole = run()[1]
    _, traced = run(DESIGN.replace("buffer_length = 1024", "buffer_length = 32"))
    assert sum(len(t.commands) for t in traced.values()) < sum(len(t.commands) for t in whole.values())


def test_a_trace_that_never_stops_keeps_its_last_packet() -> None:
    stop = "value = 126 : ui32}\n    }"
    assert DESIGN.count(stop) == 1
    _, traced = run(DESIGN.replace(stop, "value = 125 : ui32}\n    }"))
    assert SHIM not in traced and CORE in traced


def test_a_blocked_broadcast_starts_nothing_behind() -> None:
    block = "aiex.npu.write32 {address = 0x94070 : ui32, column = 0 : i32, row = 1 : i32, value = 0x8000 : ui32}"
    at = "      // broadcasts 15"
    _, traced = run(DESIGN.replace(at, f"      {block}\n{at}"))
    assert set(traced) == {MEMTILE, SHIM}


@pytest.mark.parametrize(("mode", "name"), [(1, "Event-PC"), (2, "Execution")])
def test_other_modes_are_refused_by_name(mode: int, name: str) -> None:
    with pytest.raises(SimulationError, match=name):
        run(DESIGN.replace("0x797A0000", f"0x797A000{mode}", 1))


def test_timers_begin_again_at_their_event() -> None:
    reset = "address = 0x34000 : ui32, column = 0 : i32, row = 2 : i32, value = 0x7A00"
    assert reset in DESIGN
    _, traced = run(DESIGN.replace(reset, reset.replace("0x7A00", "0x0")))
    assert traced[CORE].timer > 1000 and traced[MEM].timer == 0


@pytest.mark.parametrize(
    ("logic", "wanted"),
    [(0, lambda a, b: a & b), (1, lambda a, b: a - b), (2, lambda a, b: a | b)],
)
def test_combined_events(logic: int, wanted: Any) -> None:
    """PORT_RUNNING_0 and LOCK_STALL, combined, in the slot of INSTR_VECTOR."""
    at = "      // its memory"
    combo = "\n".join(
        f"      aiex.npu.write32 {{address = {a} : ui32, column = 0 : i32, row = 2 : i32, value = {v} : ui32}}"
        for a, v in ((0x34400, 26 << 8 | 75), (0x34404, logic))
    )
    text = DESIGN.replace("0x18252221", "0x18092221").replace(at, f"{combo}\n{at}")
    core = run(text)[1][CORE]
    assert set(core.cycles[2]) == wanted(set(core.cycles[5]), set(core.cycles[4])) != set()


def test_long_pauses_are_synchronized() -> None:
    """A sequence that waits between start and first word: the units fill the time with syncs."""
    wait = "      aiex.npu.write32 {address = 0x34100 : ui32, column = 0 : i32, row = 0 : i32, value = 0 : ui32}\n" * 6000
    at = "      aiex.npu.dma_memcpy_nd(%c"
    report, traced = run(DESIGN.replace(at, wait + at), trace=True)
    core = traced[CORE]
    assert traced[SHIM].commands.count("sync") >= 2
    first = events(report, (0, 2), "INSTR_EVENT_0")
    assert core.cycles[0][0] > 2 * 0x3FFFF and gaps(core.cycles[0]) == gaps([c for c, _ in first])


DECLARED = (Path(__file__).parent / "declared.mlir").read_text()


def test_declared_traces(capsys: pytest.CaptureFixture[str]) -> None:
    """The packets of `aie.trace` are those of the same settings as raw writes, up to the cycle at which the units start."""
    report, traced = run(DECLARED, trace=True)
    core, shim = traced[0, 1, 0, 2], traced[2, 2, 0, 0]
    assert gaps(core.cycles[0]) == gaps([c for c, _ in events(report, (0, 2), "INSTR_EVENT_0")])
    assert len(core.cycles[4]) == 32 and core.runs(3)[0][0] == 1
    assert [len(shim.cycles[n]) for n in (0, 1)] == [1, 1]
    assert "INSTR_LOAD" in capsys.readouterr().err


def test_a_declared_trace_needs_no_buffer_of_the_caller() -> None:
    a, c = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
    assert allo_air.simulate(DECLARED, a, c).ok
    np.testing.assert_array_equal(c, a + 1)


def test_a_trace_that_is_not_started_is_silent() -> None:
    traced = run(DECLARED.replace("      aie.trace.start_config @shim_trace\n", ""))[1]
    assert [key[0] for key in traced] == [0]
