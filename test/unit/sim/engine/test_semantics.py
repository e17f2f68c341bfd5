"""What silicon does and simulators get wrong (docs/sources.md#simulator-semantics), by its points: modelled, or a finding."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

HW = SimpleNamespace
OUT_OF_ORDER, COMPRESS, FINISH_ON_TLAST = 1 << 3, 1 << 4, 1 << 16
RESET = 1 << 1


def details(result: Any) -> list[tuple[str, str]]:
    return [(f.kind, f.detail) for f in result.findings]


def test_2_a_bd_is_read_when_its_task_starts(hw: HW) -> None:
    """The second task waits in the queue while the first one runs; its BD is rewritten before it starts."""
    rig = hw.Rig(controller_push_interval=0)
    a = np.arange(1024, dtype=np.int32)
    rig.host(a)
    rig.flow((0, 0, "DMA", 0), (0, 2, "DMA", 0))
    rig.array.write_bd(0, 2, 0, hw.core_bd(64))
    rig.array.start_channel(0, 2, hw.S2MM, 0, 0, token=True)
    rig.array.start_channel(0, 2, hw.S2MM, 0, 1, token=True)
    rig.words.block(0, 2, 0x1D020, hw.core_bd(32, 1024))
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(96))
    for _ in range(2):
        rig.words.sync(hw.S2MM, row=2)
    result = rig.run(strict=False)
    assert [(kind, "is written while a task that uses it is pending" in detail) for kind, detail in details(result)] == [
        ("channel-misuse", True)
    ]
    np.testing.assert_array_equal(rig.memory(0, 2)[256:288], a[64:96])


def test_3_a_loop_of_bds_never_sends_its_token(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.arange(64, dtype=np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 2, "DMA", 0))
    rig.array.write_bd(0, 2, 0, hw.core_bd(16, following=0))
    rig.array.start_channel(0, 2, hw.S2MM, 0, 0, token=True)
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(64))
    rig.words.sync(hw.S2MM, row=2)
    result = rig.run()
    assert result.status == "deadlock" and hw.kinds(result) == ["deadlock"]


def test_6_nothing_is_padded_after_a_dimension_without_an_end(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(20, np.int32))
    rig.flow((0, 1, "DMA", 0), (0, 0, "DMA", 0))
    rig.array.mark_written(0, 1, 0, 4096)
    rig.array.write_bd(0, 1, 0, hw.mem_bd(20, dims=((0, 1), (2, 8), (0, 1)), pad=((1, 1), (0, 0), (0, 0))))
    rig.array.start_channel(0, 1, hw.MM2S, 0, 0)
    rig.words.shim(hw.S2MM, 0, 0, hw.shim_bd(20))
    rig.words.sync(hw.S2MM)
    [finding] = rig.run().findings
    assert finding.kind == "channel-misuse" and "pads after a dimension without an end" in finding.detail


@pytest.mark.parametrize(
    ("word", "says"), [(OUT_OF_ORDER, "out-of-order"), (COMPRESS, "compression"), (RESET, "held in reset")]
)
def test_7_modes_that_are_not_simulated_are_refused(hw: HW, word: int, says: str) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(16, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 2, "DMA", 0))
    rig.words.write(0, 0, 0x1D210, word)
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(16))
    [finding] = rig.run().findings
    assert finding.kind == "channel-misuse" and says in finding.detail and finding.agent.site >= 0


@pytest.mark.parametrize("packets", [(16, 16), (5, 16), (16, 20)])
def test_20_finish_on_tlast(hw: HW, packets: tuple[int, int]) -> None:
    """BDs of 16 words end with the packet; one that is full before is refused."""
    rig = hw.Rig(controller_push_interval=0)
    a = np.arange(64, dtype=np.int32)
    rig.host(a)
    rig.flow((0, 0, "DMA", 0), (0, 2, "DMA", 0), packet=(3, 31))
    rig.array.set_channel_control(0, 2, hw.S2MM, 0, FINISH_ON_TLAST)
    for i in range(2):
        rig.array.write_bd(0, 2, i, hw.core_bd(16, 256 * i))
        rig.array.start_channel(0, 2, hw.S2MM, 0, i, token=True)
    for i, words in enumerate(packets):
        rig.words.shim(hw.MM2S, i, 0, hw.shim_bd(words, packet=3), plus=128 * i)
    for _ in packets:
        rig.words.sync(hw.S2MM, row=2)
    result = rig.run()
    if max(packets) > 16:
        [finding] = result.findings
        assert finding.kind == "channel-misuse" and "full before TLAST" in finding.detail
        return
    assert result.status == "done" and not result.findings
    for i, words in enumerate(packets):
        np.testing.assert_array_equal(rig.memory(0, 2)[64 * i : 64 * i + words], a[32 * i : 32 * i + words])


def test_20_an_arbiter_is_held_until_tlast(hw: HW) -> None:
    """The first packet never ends, as its BD suppresses TLAST; the second sender waits for it and says so."""
    rig = hw.Rig()
    rig.host(np.zeros(64, np.int32))
    for row in (2, 3):
        rig.array.mark_written(0, row, 0, 64)
        words = hw.core_bd(16, packet=row)
        if row == 2:
            words[5] |= 1 << 31
        rig.array.write_bd(0, row, 0, words)
        rig.flow((0, row, "DMA", 0), (0, 0, "DMA", 0), packet=(row, 31))
        rig.array.start_channel(0, row, hw.MM2S, 0, 0)
    rig.words.shim(hw.S2MM, 0, 0, hw.shim_bd(32))
    rig.words.sync(hw.S2MM)
    result = rig.run()
    assert result.status == "deadlock"
    [wait] = [w for w in result.waits if w.kind == "arbiter"]
    assert (wait.agent.row, wait.col, wait.row) == (3, 0, 0)
    assert wait.ports == [(0, 2, "DMA", 0)]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([1 << 20 | 0x400, 7], "ends (TLAST) before all the words"),
        ([0x400, 7, 0x404, 8], "is not ended by TLAST"),
        ([0x400], "ends (TLAST) with its header"),
        ([1 << 22 | 0x400, 7], "reads is not ended by TLAST"),
        ([2 << 22 | 0x400, 7], "operation 2"),
    ],
)
def test_22_a_control_packet_ends_with_its_bd(hw: HW, words: list[int], says: str) -> None:
    rig = hw.Rig()
    rig.host(np.array(words, np.uint32).view(np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 3, "TileControl", 0), packet=(1, 31))
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(len(words), packet=1), token=True)
    rig.words.sync(hw.MM2S)
    [finding] = rig.run().findings
    assert finding.kind == "bad-instruction" and says in finding.detail


def test_22_the_check_of_tlast_can_be_turned_off(hw: HW) -> None:
    rig = hw.Rig()
    rig.host(np.array([0x400, 7, 0x404, 8], np.uint32).view(np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 3, "TileControl", 0), packet=(1, 31))
    rig.words.write(0, 3, 0x60000, 0)  # Module_Clock_Control
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(4, packet=1), token=True)
    rig.words.sync(hw.MM2S)
    assert rig.run().status == "done"
    assert rig.memory(0, 3)[256:258].tolist() == [7, 8]


@pytest.mark.parametrize(
    ("row", "offset", "value"),
    [
        (3, 0x1F030, 5),  # lock 3
        (3, 0x1D024, 0x1234),  # BD 1
        (3, 0x1DE00, 1 << 16),  # S2MM 0 control
        (3, 0x1DE04, 0),  # its queue
        (3, 0x1DF00, 0),  # its status
        (1, 0xC0010, 9),
        (1, 0xA0028, 77),
        (3, 0x340E0, 0x22),  # trace events
        (3, 0x600, 3),
    ],
)
def test_registers_are_read_by_control_packets(hw: HW, row: int, offset: int, value: int) -> None:
    rig = hw.Rig()
    back = np.zeros(2, np.int32)
    rig.host(np.array([5 << 24 | 1 << 22 | offset], np.uint32).view(np.int32), back)
    rig.flow((0, 0, "DMA", 0), (0, row, "TileControl", 0), packet=(1, 31))
    rig.flow((0, row, "TileControl", 0), (0, 0, "DMA", 0), packet=(5, 31), keep=True)
    if value:
        rig.words.write(0, row, offset, value)
    rig.words.shim(hw.S2MM, 1, 1, hw.shim_bd(2))
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(1, packet=1), token=True)
    rig.words.sync(hw.S2MM)
    result = rig.run()
    assert result.status == "done" and not result.findings
    header = int(back[0]) & 0xFFFFFFFF
    assert (header & 31, header >> 16 & 31, header >> 21 & 127, header.bit_count() % 2) == (5, row, 0, 1)
    assert back[1] == value


@pytest.mark.parametrize("routed", [2, 3])
def test_29_tokens_need_their_route_where_a_design_routes_them(hw: HW, routed: int) -> None:
    rig = hw.Rig()
    rig.host(np.zeros(16, np.int32))
    rig.flow((0, 0, "DMA", 0), (0, 2, "DMA", 0))
    rig.flow((0, routed, "TileControl", 0), (0, 0, "South", 0), packet=(31, 31))
    rig.array.write_bd(0, 2, 0, hw.core_bd(16))
    rig.array.start_channel(0, 2, hw.S2MM, 0, 0, token=True)
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(16))
    rig.words.sync(hw.S2MM, row=2)
    result = rig.run()
    if routed == 2:
        assert result.status == "done" and not result.findings
    else:
        assert details(result)[0][0] == "sync-without-end" and "no route to a shim" in details(result)[0][1]


@pytest.mark.parametrize(("arch", "base"), [("AIE2", 0), ("AIE2p", 0x80000), ("AIE2", 0x80000), ("AIE2p", 0)])
def test_own_address_of_a_memtile_in_bds_written_at_run_time(hw: HW, arch: str, base: int) -> None:
    """mlir-aie adds the own tile's base 0x80000 on AIE2p only (npu-instructions.md 3.4): without it AIE2 means the own tile."""
    rig = hw.Rig(arch)
    a = np.arange(16, dtype=np.int32)
    rig.host(a)
    rig.flow((0, 0, "DMA", 0), (0, 1, "DMA", 0))
    rig.words.block(0, 1, 0xA0000, hw.mem_bd(16, base + 512))
    rig.words.write(0, 1, 0xA0604, 1 << 31)
    rig.words.shim(hw.MM2S, 0, 0, hw.shim_bd(16))
    rig.words.sync(hw.S2MM, row=1)
    result = rig.run()
    if arch == "AIE2p" and base == 0:
        [finding] = result.findings
        assert finding.kind == "channel-misuse" and "neighbouring memtile that does not exist" in finding.detail
        return
    assert result.status == "done" and not result.findings
    np.testing.assert_array_equal(rig.memory(0, 1)[128:144], a)


@pytest.mark.parametrize(
    ("row", "offset", "value", "says"),
    [
        (1, 0xB0004, 1 << 31, "stream switch"),
        (2, 0x3F008, 1 << 31, "stream switch"),
        (2, 0x20010, 2, "Program_Memory"),
        (0, 0x1F000, 2, "multiplexer"),
        (2, 0x32038, 1, "processor bus"),
        (2, 0x36060, 1, "cascade's direction"),
    ],
)
def test_configuration_is_not_changed_by_the_sequence(hw: HW, row: int, offset: int, value: int, says: str) -> None:
    rig = hw.Rig()
    rig.words.write(0, row, offset, value)
    [finding] = rig.run().findings
    assert finding.kind == "bad-instruction" and says in finding.detail


@pytest.mark.parametrize(("row", "offset", "value"), [(2, 0x3FF00, 5), (1, 0xB0F00, 5), (2, 0x32000, 1), (2, 0x340D0, 8)])
def test_trace_settings_and_enables_change_nothing(hw: HW, row: int, offset: int, value: int) -> None:
    rig = hw.Rig()
    rig.words.write(0, row, offset, value)
    result = rig.run()
    assert result.status == "done" and not result.findings
