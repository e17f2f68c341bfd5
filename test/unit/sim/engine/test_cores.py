"""Cores on their fibres: lock rings, streams, cascades, kernels, counters, trace."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from allo_air.sim import _engine

HW = SimpleNamespace
A = 0x1000  # buffers of the core's tile
B = 0x2000


def ring(hw: HW, core: Any, words: int = 64, rounds: int = 4) -> Any:
    """Host -> buffer A -> core -> buffer B -> host, with full and empty locks 0 to 3; `core(rig)` gives the program."""
    rig = hw.Rig()
    rig.host(np.arange(words * rounds, dtype=np.int32), np.zeros(words * rounds, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 2, "DMA", 0))
    rig.flow((0, 2, "DMA", 0), (0, 0, "DMA", 0))
    rig.array.add_buffer(0, 2, A, words * 4, "a")
    rig.array.add_buffer(0, 2, B, words * 4, "b")
    rig.array.set_lock(0, 2, 0, 1)
    rig.array.set_lock(0, 2, 2, 1)
    rig.array.write_bd(0, 2, 0, hw.core_bd(words, A, acquire=(0, -1), release=(1, 1), following=0))
    rig.array.write_bd(0, 2, 1, hw.core_bd(words, B, acquire=(3, -1), release=(2, 1), following=1))
    rig.array.start_channel(0, 2, hw.S2MM, 0, 0)
    rig.array.start_channel(0, 2, hw.MM2S, 0, 1)
    rig.array.add_core(0, 2, hw.program(core(rig), endless=True), 0)
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(words * rounds))
    rig.words.shim(hw.S2MM, 1, 1, hw.shim_bd(words * rounds))
    rig.words.sync(hw.S2MM)
    return rig


def locked(hw: HW, rig: Any, *inner: tuple[Any, ...], words: int = 64) -> list[tuple[Any, ...]]:
    lock = [hw.lock(0, 2, i) for i in range(4)]
    base = rig.array.memory_address(0, 2)
    return [
        ("use_lock", lock[1], 2, 1, 10), ("use_lock", lock[2], 2, 1, 11),
        ("read", base + A, words * 4, 12), *inner, ("write", base + B, words * 4, 13),
        ("use_lock", lock[0], 1, 1, 14), ("use_lock", lock[3], 1, 1, 15),
    ]  # fmt: skip


def test_lock_ring_with_a_core(hw: HW) -> None:
    def core(rig: Any) -> list[tuple[Any, ...]]:
        return locked(hw, rig, ("work", 0, 16, 5), ("store", rig.array.memory_address(0, 2) + B, 77), ("event", 0))

    rig = ring(hw, core)
    rig.array.add_region(0, 8, 4)
    result = rig.run(trace=True)
    assert (result.status, hw.kinds(result)) == ("done", [])
    [counters] = result.cores
    assert (counters.busy, counters.macs, counters.vector_cycles) == (4 * 80, 4 * 16 * 8, 4 * 16 * 4)
    assert counters.regions == {0: (64, 320)}
    assert counters.call == 9 * 13 + 8 * 14  # two acquires and two releases in each of four rounds, and an acquire that waits
    events = result.events
    names = [_engine.EVENT_NAMES[e] for e in events["event"]]
    assert names.count("INSTR_EVENT_0") == 4
    assert names.count("LOCK_RELEASE") == 8
    assert names.count("DMA_MM2S_0_FINISHED_BD") == 4 + 1  # the core tile's, and the shim's
    assert (np.diff(events["cycle"]) >= 0).all()


def test_a_core_without_a_lock_races_with_the_channel(hw: HW) -> None:
    def core(rig: Any) -> list[tuple[Any, ...]]:
        calls = locked(hw, rig)
        return [*calls[:2], calls[4], calls[2], calls[3], calls[5]]  # gives the input back before reading it

    result = ring(hw, core).run(strict=False)
    races = [f for f in result.findings if f.kind == "data-race"]
    assert races
    race = races[0]
    assert race.buffer == "a"
    assert {race.agent.unit, race.other.unit} == {"core", "dma"}
    core_side, dma_side = (race.agent, race.other) if race.agent.unit == "core" else (race.other, race.agent)
    assert core_side.site == 12
    assert (dma_side.direction, dma_side.channel, dma_side.bd) == (hw.S2MM, 0, 0)


def test_memory_that_nothing_wrote_is_reported(hw: HW) -> None:
    def core(rig: Any) -> list[tuple[Any, ...]]:
        calls = locked(hw, rig)
        return [*calls[:3], *calls[4:]]  # releases its output without writing it

    result = ring(hw, core).run()
    assert result.status == "fault"
    [finding] = [f for f in result.findings if f.kind == "uninitialized-read"]
    assert (finding.buffer, finding.agent.unit, finding.agent.bd, finding.address) == ("b", "dma", 1, B)


def test_access_beyond_a_buffer_is_reported_and_stops_no_other_agent(hw: HW) -> None:
    def core(rig: Any) -> list[tuple[Any, ...]]:
        return locked(hw, rig, words=65)

    result = ring(hw, core).run()
    assert hw.kinds(result) == ["out-of-buffer"]
    assert (result.findings[0].agent.site, result.findings[0].buffer, result.findings[0].value) == (12, "a", 4)


def test_cascade_is_two_deep_and_ordered(hw: HW) -> None:
    rig = hw.Rig()
    source, target = rig.array.memory_address(0, 4), rig.array.memory_address(0, 3)
    rig.array.mark_written(0, 4, 0, 4096)
    rig.array.memory(0, 4)[:] = np.arange(65536) % 251
    rig.array.add_cascade((0, 4), (0, 3))
    rig.array.add_core(0, 4, hw.program([("cascade_put", source + 64 * i, 0) for i in range(8)]), 0)
    rig.array.add_core(0, 3, hw.program([("work", 0, 1, 500)] + [("cascade_get", target + 64 * i, 0) for i in range(8)]), 0)
    result = rig.run()
    assert (result.status, hw.kinds(result)) == ("done", [])
    np.testing.assert_array_equal(rig.array.memory(0, 3)[:512], rig.array.memory(0, 4)[:512])
    stalls = {c.row: c.cascade_stall for c in result.cores}
    assert 490 <= stalls[4] <= 510


@pytest.mark.parametrize(("puts", "kinds"), [(5, []), (7, ["unconsumed-stream-data"])])
def test_core_streams(hw: HW, puts: int, kinds: list[str]) -> None:
    rig = hw.Rig()
    a, b = rig.array.memory_address(0, 2), rig.array.memory_address(0, 3)
    rig.memory(0, 2)[:8] = np.arange(8) + 1
    rig.flow((0, 2, "Core", 0), (0, 3, "Core", 0))
    rig.array.add_core(0, 2, hw.program([("stream_put", 0, a + 4 * i, 1, i) for i in range(puts)]), 0)
    rig.array.add_core(0, 3, hw.program([("stream_get", 0, b, 5, 0)]), 0)
    result = rig.run()
    assert hw.kinds(result) == kinds
    assert rig.memory(0, 3)[:5].tolist() == [1, 2, 3, 4, 5]


def test_a_get_without_a_put_waits_and_is_listed(hw: HW) -> None:
    rig = hw.Rig()
    rig.flow((0, 2, "Core", 0), (0, 3, "Core", 0))
    rig.flow((0, 3, "DMA", 0), (0, 0, "DMA", 0))
    rig.array.add_core(0, 3, hw.program([("stream_get", 0, rig.array.memory_address(0, 3), 1, 4)]), 0)
    rig.host(np.zeros(4, np.int32))
    rig.words.shim(hw.S2MM, 0, 0, hw.shim_bd(4))
    rig.words.sync(hw.S2MM)
    result = rig.run()
    assert (result.status, hw.kinds(result)) == ("deadlock", ["deadlock"])
    waits = {(w.agent.unit, w.kind): w for w in result.waits}
    assert waits["core", "stream-empty"].ports == [(0, 2, "Core", 0)]
    assert waits["core", "stream-empty"].agent.site == 4
    assert waits["dma", "stream-empty"].words == 0
    assert ("controller", "token") in waits


def test_kernels_in_python_run_between_and_their_exceptions_come_out(hw: HW) -> None:
    def core(rig: Any) -> list[tuple[Any, ...]]:
        return locked(hw, rig, ("kernel", 3, 0, 0, 0))

    seen: list[tuple[int, int]] = []
    rig = ring(hw, core)
    rig.array.add_kernel(3, lambda col, row, addresses: seen.append((col, row)) or 100)
    result = rig.run()
    assert result.status == "done"
    assert seen == [(0, 2)] * 4
    assert result.cores[0].busy == 400

    def fails(col: int, row: int, addresses: list[int]) -> int:
        raise ArithmeticError("no")

    rig = ring(hw, core)
    rig.array.add_kernel(3, fails)
    with pytest.raises(ArithmeticError, match="no"):
        rig.run()


def test_runtime_parameter_is_seen_after_the_lock_that_announces_it(hw: HW) -> None:
    rig = hw.Rig()
    base = rig.array.memory_address(0, 2)
    lock = hw.lock(0, 2, 5)
    rig.array.add_core(0, 2, hw.program([("use_lock", lock, 2, 1, 0), ("read", base + 0x400, 4, 1)]), 0)
    rig.words.write(0, 2, 0x400, 42)
    rig.words.write(0, 2, 0x1F050, 1)
    result = rig.run()
    assert (result.status, hw.kinds(result)) == ("done", [])
    assert rig.memory(0, 2)[0x100] == 42


def test_an_endless_core_meets_the_limit(hw: HW) -> None:
    rig = hw.Rig()
    rig.array.add_core(0, 2, hw.program([("work", 0, 1, 1000)], endless=True), 0)
    rig.flow((0, 3, "DMA", 0), (0, 0, "DMA", 0))
    rig.host(np.zeros(4, np.int32))
    rig.words.shim(hw.S2MM, 0, 0, hw.shim_bd(4))
    rig.words.sync(hw.S2MM)
    assert rig.run(max_cycles=3_000_000).status == "limit"
