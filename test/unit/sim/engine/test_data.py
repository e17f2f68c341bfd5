"""Data goes where BDs, routes and the instruction words send it."""

from types import SimpleNamespace

import numpy as np
import pytest

HW = SimpleNamespace


@pytest.mark.parametrize("arch", ["AIE2", "AIE2p"])
@pytest.mark.parametrize(("length", "words"), [(256, 4096), (7, 21), (1, 5), (1000, 1000)])
def test_relay_through_a_memtile(hw: HW, arch: str, length: int, words: int) -> None:
    rig = hw.Rig(arch)
    a, c = np.arange(1, words + 1, dtype=np.int32), np.zeros(words, np.int32)
    rig.host(a, c)
    hw.relay(rig, length, words)
    result = rig.run()
    assert (result.status, hw.kinds(result)) == ("done", [])
    np.testing.assert_array_equal(c, a)


def test_blocks_and_single_steps_agree_in_every_count(hw: HW) -> None:
    runs = []
    for burst in (0, 1):
        rig = hw.Rig(burst=burst)
        c = np.zeros(8192, np.int32)
        rig.host(np.arange(8192, dtype=np.int32), c)
        hw.relay(rig, 512, 8192)
        result = rig.run()
        channels = [
            (n.words, n.bds, n.busy, n.starved, n.stalled, n.lock_stall, n.first_cycle, n.last_cycle) for n in result.channels
        ]
        runs.append((result.cycles, channels, c.tolist()))
    assert runs[0] == runs[1]


def test_strided_transposition_in_the_memtile(hw: HW) -> None:
    rig = hw.Rig()
    a, c = np.arange(24 * 40, dtype=np.int32).reshape(24, 40), np.zeros((40, 24), np.int32)
    rig.host(a, c)
    hw.relay(rig, a.size, a.size, buffers=1)
    dims = ((24, 40), (40, 1), (0, 1))
    rig.array.write_bd(0, 1, 8, hw.mem_bd(a.size, dims=dims, acquire=(65, -1), release=(64, 1), following=8))
    assert rig.run().status == "done"
    np.testing.assert_array_equal(c, a.T)


def test_padding_adds_zeros_around_three_dimensions(hw: HW) -> None:
    rig = hw.Rig()
    data = np.arange(1, 2 * 3 * 4 + 1, dtype=np.int32).reshape(2, 3, 4)
    want = np.pad(data, ((1, 1), (2, 0), (3, 2)))
    c = np.full(want.shape, -1, np.int32)
    rig.host(data, c)
    hw.relay(rig, data.size, data.size, buffers=1)
    dims, pad = ((4, 1), (3, 4), (2, 12)), ((3, 2), (2, 0), (1, 1))
    rig.array.write_bd(0, 1, 8, hw.mem_bd(want.size, dims=dims, pad=pad, acquire=(65, -1), release=(64, 1), following=8))
    rig.words = hw.Words()
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(data.size))
    rig.words.shim(hw.S2MM, 1, 1, hw.shim_bd(want.size))
    rig.words.sync(hw.S2MM)
    assert rig.run().status == "done"
    np.testing.assert_array_equal(c, want)


def test_shim_iteration_advances_one_step_per_repeat_and_persists(hw: HW) -> None:
    rig = hw.Rig()
    a, c = np.arange(64, dtype=np.int32), np.zeros(48, np.int32)
    rig.host(a, c)
    hw.relay(rig, 8, 48)
    rig.words = hw.Words()
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(8, iteration=(4, 16)), repeat=2)
    rig.words.push(0, hw.MM2S, 0, 0, repeat=2)
    rig.words.shim(hw.S2MM, 1, 1, hw.shim_bd(48))
    rig.words.sync(hw.S2MM)
    assert rig.run().status == "done"
    steps = [0, 16, 32, 48, 0, 16]
    np.testing.assert_array_equal(c, np.concatenate([a[s : s + 8] for s in steps]))


def test_circuit_broadcast_waits_for_the_slowest(hw: HW) -> None:
    rig = hw.Rig()
    a = np.arange(2000, dtype=np.int32)
    rig.host(a, np.zeros(1, np.int32))
    rig.flow((0, 0, "DMA", 0), *[(0, row, "DMA", 0) for row in range(2, 6)])
    for row in range(2, 6):
        rig.array.write_bd(0, row, 0, hw.core_bd(2000, acquire=(0, -1)))
        rig.array.start_channel(0, row, hw.S2MM, 0, 0, token=True)
        rig.array.set_lock(0, row, 0, int(row != 5))
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(2000))
    for _ in range(100):
        rig.words.write(0, 2, 0x1F0F0, 0)
    rig.words.write(0, 5, 0x1F000, 1)  # the last one opens after about 10,000 cycles
    for row in range(2, 6):
        rig.words.sync(hw.S2MM, row=row)
    result = rig.run()
    assert result.status == "done"
    assert result.cycles > 12_000
    for row in range(2, 6):
        np.testing.assert_array_equal(rig.memory(0, row)[:2000], a)


@pytest.mark.parametrize("keep", [False, True])
def test_packets_go_by_their_id_and_headers_stay_on_request(hw: HW, keep: bool) -> None:
    rig = hw.Rig()
    a = np.arange(32, dtype=np.int32)
    rig.host(a)
    for packet, row in ((3, 2), (5, 3)):
        rig.flow((0, 0, "DMA", 0), (0, row, "DMA", 0), packet=(packet, 31), keep=keep)
        rig.array.write_bd(0, row, 0, hw.core_bd(16 + keep))
        rig.array.start_channel(0, row, hw.S2MM, 0, 0, token=True)
        rig.words.shim(hw.MM2S, row, 0, hw.shim_bd(16, packet=packet), plus=64 * (row - 2))
    for row in (2, 3):
        rig.words.sync(hw.S2MM, row=row)
    assert rig.run().status == "done"
    for packet, row in ((3, 2), (5, 3)):
        np.testing.assert_array_equal(rig.memory(0, row)[int(keep) : 16 + keep], a[16 * (row - 2) : 16 * (row - 1)])
        if keep:
            header = int(rig.memory(0, row)[0]) & 0xFFFFFFFF
            assert header & 31 == packet and header.bit_count() % 2 == 1


def test_packets_of_several_sources_do_not_mix(hw: HW) -> None:
    rig = hw.Rig()
    out = np.zeros(400, np.int32)
    rig.host(out)
    for row in (2, 3):
        rig.memory(0, row)[:50] = np.arange(50) + 1000 * row
        rig.array.mark_written(0, row, 0, 200)
        rig.array.write_bd(0, row, 0, hw.core_bd(50, packet=row))
        rig.array.start_channel(0, row, hw.MM2S, 0, 0, repeat=3)
        rig.flow((0, row, "DMA", 0), (0, 0, "DMA", 0), packet=(row, 31))
    rig.words.shim(hw.S2MM, 0, 0, hw.shim_bd(400))
    rig.words.sync(hw.S2MM)
    assert rig.run().status == "done"
    packets = sorted(tuple(p) for p in out.reshape(8, 50))
    assert packets == [tuple(np.arange(50) + 1000 * row) for row in (2, 2, 2, 2, 3, 3, 3, 3)]


def test_memtile_reaches_its_neighbours(hw: HW) -> None:
    rig = hw.Rig(columns=2)
    a, c = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    rig.host(a, c)
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    rig.flow((1, 1, "DMA", 0), (1, 0, "DMA", 0))
    rig.array.write_bd(0, 1, 0, hw.mem_bd(64, base=0x100000 + 512, release=(130, 1)))  # east memory, east lock 2
    rig.array.write_bd(1, 1, 0, hw.mem_bd(64, base=0x80000 + 512, acquire=(66, -1)))
    rig.array.start_channel(0, 1, hw.S2MM, 0, 0)
    rig.array.start_channel(1, 1, hw.MM2S, 0, 0)
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(64))
    rig.words.shim(hw.S2MM, 0, 1, hw.shim_bd(64), col=1)
    rig.words.sync(hw.S2MM, col=1)
    assert rig.run().status == "done"
    np.testing.assert_array_equal(c, a)


def test_control_packet_writes_a_register(hw: HW) -> None:
    rig = hw.Rig()
    packet = np.array([1 << 20 | 0x400, 7, 9], np.uint32).view(np.int32)  # two beats to data memory 0x400
    rig.host(packet)
    rig.flow((0, 0, "DMA", 0), (0, 3, "TileControl", 0), packet=(1, 31))
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(3, packet=1), token=True)
    rig.words.sync(hw.MM2S)
    assert rig.run().status == "done"
    assert rig.memory(0, 3)[256:258].tolist() == [7, 9]
