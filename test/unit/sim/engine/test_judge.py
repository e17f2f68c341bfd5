"""Defects are found and named; what is correct is not."""

from types import SimpleNamespace

import numpy as np
import pytest

HW = SimpleNamespace


def test_uninitialised_memtile_read(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(64, np.int32))
    rig.flow((0, 1, "DMA", 1), (0, 0, "DMA", 0))
    rig.array.mark_written(0, 1, 0, 128)
    rig.array.write_bd(0, 1, 24, hw.mem_bd(64))
    rig.array.start_channel(0, 1, hw.MM2S, 1, 24)
    rig.words.shim(hw.S2MM, 0, 0, hw.shim_bd(64))
    rig.words.sync(hw.S2MM)
    result = rig.run(strict=False)
    assert result.status == "done"
    [finding] = result.findings
    assert (finding.kind, finding.address, finding.count, finding.agent.bd) == ("uninitialized-read", 128, 32, 24)


def test_initial_lock_value_off_by_one_is_a_race(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(4096, np.int32), np.zeros(4096, np.int32))
    hw.relay(rig, 256, 4096)
    rig.array.set_lock(0, 1, 0, 3)
    result = rig.run(strict=False)
    assert "data-race" in hw.kinds(result)


def test_channels_without_any_lock_race(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(64, np.int32), np.zeros(64, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    rig.flow((0, 1, "DMA", 0), (0, 0, "DMA", 0))
    rig.array.write_bd(0, 1, 0, hw.mem_bd(64))
    rig.array.mark_written(0, 1, 0, 256)
    rig.array.start_channel(0, 1, hw.S2MM, 0, 0)
    rig.array.start_channel(0, 1, hw.MM2S, 0, 0)
    rig.words.shim(hw.S2MM, 1, 1, hw.shim_bd(64))
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(64))
    rig.words.sync(hw.S2MM)
    result = rig.run(strict=False)
    [race] = [f for f in result.findings if f.kind == "data-race"]
    assert {race.agent.direction, race.other.direction} == {hw.S2MM, hw.MM2S}
    assert {race.access, race.other_access} == {"read", "write"}


def test_order_through_a_token_is_order(hw: HW) -> None:
    rig = hw.Rig()
    a, c = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    rig.host(a, c)
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    rig.flow((0, 1, "DMA", 0), (0, 0, "DMA", 0))
    rig.array.write_bd(0, 1, 0, hw.mem_bd(64))
    rig.array.start_channel(0, 1, hw.S2MM, 0, 0, token=True)
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(64))
    rig.words.sync(hw.S2MM, row=1)
    rig.words.write(0, 1, 0xA0634, 0)
    rig.words.shim(hw.S2MM, 1, 1, hw.shim_bd(64))
    rig.words.sync(hw.S2MM)
    result = rig.run()
    assert (result.status, hw.kinds(result)) == ("done", [])
    np.testing.assert_array_equal(c, a)


def test_deadlock_lists_who_waits(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(512, np.int32), np.zeros(512, np.int32))
    hw.relay(rig, 256, 512)
    rig.array.write_bd(0, 1, 0, hw.mem_bd(256, acquire=(64, -1), following=1))  # the release is gone
    rig.array.write_bd(0, 1, 1, hw.mem_bd(256, base=0x80400, acquire=(64, -1), following=0))
    result = rig.run()
    assert (result.status, hw.kinds(result)) == ("deadlock", ["deadlock"])
    [lock] = [w for w in result.waits if w.kind == "lock" and w.agent.direction == hw.MM2S]
    assert (lock.lock, lock.value, lock.wanted, lock.action) == (1, 0, 1, 2)
    uses = {u.lock: u for u in result.locks}
    assert uses[1].releases == []
    assert sum(n for _, n in uses[0].acquires) == 2


@pytest.mark.parametrize("token", [True, False])
def test_sync_without_end(hw: HW, token: bool) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(64, np.int32), np.zeros(64, np.int32))
    hw.relay(rig, 64, 64)
    if token:
        rig.words.sync(hw.S2MM)
    else:
        rig.words.sync(hw.MM2S)  # its task asked for none
    result = rig.run()
    assert (result.status, hw.kinds(result)) == ("deadlock", ["sync-without-end"])


def test_acquire_equal_is_not_acquire_greater(hw: HW) -> None:
    for value, status in ((-1, "done"), (1, "deadlock")):
        rig = hw.Rig()
        rig.host(np.zeros(64, np.int32))
        rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
        rig.array.set_lock(0, 1, 0, 2)
        rig.array.write_bd(0, 1, 0, hw.mem_bd(64, acquire=(64, value)))
        rig.array.start_channel(0, 1, hw.S2MM, 0, 0, token=True)
        rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(64))
        rig.words.sync(hw.S2MM, row=1)
        assert rig.run().status == status


@pytest.mark.parametrize(("initial", "amount", "kind"), [(63, 1, "lock-overflow"), (0, -1, "lock-underflow")])
def test_lock_values_saturate_with_a_finding(hw: HW, initial: int, amount: int, kind: str) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(64, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    rig.array.set_lock(0, 1, 7, initial)
    rig.array.write_bd(0, 1, 0, hw.mem_bd(64, release=(71, amount)))
    rig.array.start_channel(0, 1, hw.S2MM, 0, 0, token=True)
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(64))
    rig.words.sync(hw.S2MM, row=1)
    result = rig.run()
    assert hw.kinds(result) == [kind]
    assert (result.findings[0].lock, result.findings[0].value) == (7, initial + amount)


def test_words_that_nobody_takes(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(100, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    rig.array.write_bd(0, 1, 0, hw.mem_bd(64))
    rig.array.start_channel(0, 1, hw.S2MM, 0, 0, token=True)
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(80))
    rig.words.sync(hw.S2MM, row=1)
    result = rig.run()
    assert (result.status, hw.kinds(result)) == ("fault", ["unconsumed-stream-data"])
    assert result.findings[0].value == 16


def test_a_fifth_waiting_task_is_lost(hw: HW) -> None:
    rig = hw.Rig(controller_push_interval=0)
    rig.host(np.zeros(64, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    rig.words.block(0, 0, 0x1D000, hw.shim_bd(64))
    rig.words.patch(0, 0, 0)
    for _ in range(6):
        rig.words.push(0, hw.MM2S, 0, 0)
    result = rig.run()
    assert hw.kinds(result) == ["channel-misuse"]
    assert (result.findings[0].value, result.findings[0].wanted) == (5, 4)


def test_a_bd_is_not_rewritten_while_pending(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(64, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    for _ in range(2):
        rig.words.shim(hw.MM2S, 3, 0, hw.shim_bd(64))
    result = rig.run()
    assert "BD 3 is written while a task that uses it is pending" in result.findings[0].detail


@pytest.mark.parametrize(
    ("bd", "text"), [([0] * 8, "not valid"), ("odd", "even channels"), ("zero", "length 0"), ("far", "neighbouring memtile")]
)
def test_bds_that_cannot_run(hw: HW, bd: object, text: str) -> None:
    rig = hw.Rig()
    rig.flow((0, 1, "DMA", 0), (0, 0, "DMA", 0))
    rig.array.mark_written(0, 1, 0, 4096)
    words = {"odd": hw.mem_bd(8), "zero": hw.mem_bd(0), "far": hw.mem_bd(8, base=0)}.get(str(bd), bd)
    number = 30 if bd == "odd" else 0
    rig.array.write_bd(0, 1, number, words)
    rig.array.start_channel(0, 1, hw.MM2S, 0, number)
    result = rig.run()
    assert hw.kinds(result)[0] == "channel-misuse"
    assert text in result.findings[0].detail


def test_a_channel_without_a_route(hw: HW) -> None:
    rig = hw.Rig()
    rig.array.start_channel(0, 1, hw.MM2S, 0, 0)
    result = rig.run()
    assert hw.kinds(result) == ["channel-misuse"]
    assert "no flow leads out" in result.findings[0].detail


def test_a_shim_channel_without_a_route_matters_to_who_waits_for_it(hw: HW) -> None:
    for waits in (False, True):
        rig = hw.Rig()
        rig.host(np.zeros(64, np.int32))
        rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(4), token=True)
        if waits:
            rig.words.sync(hw.MM2S)
        result = rig.run()
        assert hw.kinds(result)[:1] == (["channel-misuse"] if waits else [])


@pytest.mark.parametrize(("length", "plus", "end"), [(65, 0, 260), (64, 4, 260)])
def test_host_buffers_have_an_end(hw: HW, length: int, plus: int, end: int) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(64, np.int32), np.zeros(64, np.int32))
    hw.relay(rig, 64, 64)
    rig.words = hw.Words()
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(length), plus=plus)
    result = rig.run()
    assert hw.kinds(result) == ["host-out-of-bounds"]
    finding = result.findings[0]
    assert (finding.argument, finding.value, finding.wanted) == (0, end, 256)


def test_packet_without_a_route_is_named(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(64, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 2, "DMA", 0), packet=(1, 31))
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(4, packet=2), token=True)
    rig.words.sync(hw.MM2S)
    result = rig.run()
    assert "id 2 matches no packet flow" in result.findings[0].detail


def test_unknown_registers_and_tiles(hw: HW) -> None:
    for col, offset in ((0, 0x1C000), (3, 0x1D000)):
        rig = hw.Rig()
        rig.words.write(col, 2, offset, 1)
        result = rig.run()
        assert hw.kinds(result) == ["bad-instruction"]
        assert result.findings[0].agent.site == 4


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda w: w[:3], "header of 4 words"),
        (lambda w: np.append(w, 0).astype(np.uint32), "the header says"),
        (lambda w: w * 0 + 9, "version 9.0"),
        (lambda w: np.where(np.arange(w.size) == 4, 0x55, w).astype(np.uint32), "word 4: operation code 85"),
        (lambda w: np.where(np.arange(w.size) == 9, 20, w).astype(np.uint32), "word 9: size 20"),
        (lambda w: np.where(np.arange(w.size) == 2, 7, w).astype(np.uint32), "word 2: .* 7 operations"),
    ],
)
def test_malformed_streams_are_refused(hw: HW, change: object, text: str) -> None:
    rig = hw.Rig()
    rig.words.write(0, 2, 0x400, 1)
    with pytest.raises(ValueError, match=text):
        rig.array.load(change(rig.words.array()))
