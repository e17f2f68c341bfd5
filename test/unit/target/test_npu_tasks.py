"""Instruction words of DMA tasks, BD chains, parameters and locks; their ids, and the limits that are checked."""

from __future__ import annotations

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.errors import AlloAirError
from allo_air.target.npu_sequence import find
from allo_air.target.npu_words import BlockWrite, MaskWrite, Patch, Sync, Write


def program(body: str, device: str = "npu1") -> str:
    return f"""aie.device({device}) {{
  %tile = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %c = aie.tile(1, 2)
  %l0 = aie.lock(%tile, 3)
  %l1 = aie.lock(%tile, 4)
  %k = aie.lock(%c, 5)
  %rtp = aie.buffer(%c) {{address = 1024 : i32, sym_name = "rtp"}} : memref<16xi32>
  %l2 = aie.buffer(%m) {{address = 4096 : i32, sym_name = "l2"}} : memref<1024xi32>
  aie.shim_dma_allocation @in(%tile, MM2S, 0)
  aie.shim_dma_allocation @out(%tile, S2MM, 1)
  aie.bd_chain @chain(%x: memref<4096xi32>) {{
    aie.dma_bd(%x : memref<4096xi32>, 0, 64)
    aie.next_bd ^bb1
  ^bb1:
    aie.dma_bd(%x : memref<4096xi32>, 64, 32)
    aie.end
  }}
  aie.runtime_sequence(%a: memref<4096xi32>, %b: memref<4096xbf16>) {{
{body}
  }}
}}"""


def instructions(body: str, device: str = "npu1") -> list[object]:
    with reused_context():
        module = asm.read(program(body, device), "input.mlir")
        return list(find(module).instructions())


def task(name: str, channel: str = "in", bd: str = "", attributes: str = "") -> str:
    bd = bd or "aie.dma_bd(%a : memref<4096xi32>, 16, 64)"
    tail = f" {{{attributes}}}" if attributes else ""
    return f"%{name} = aiex.dma_configure_task_for @{channel} {{\n{bd}\naie.end\n}}{tail}\n"


def start(name: str) -> str:
    return f"aiex.dma_start_task(%{name})\n"


def end(name: str) -> str:
    return f"aiex.dma_await_task(%{name})\n"


TOKEN = "issue_token = true"


@pytest.mark.parametrize(
    ("bd", "lists", "repeat"),
    [
        ("%a : memref<4096xi32>, 16, 64", "%a[0, 0, 0, 16][1, 1, 1, 64][0, 0, 0, 1]", 0),
        ("%a : memref<4096xi32>, 16, 64", "%a[0, 0, 0, 16][3, 1, 1, 64][0, 0, 0, 1]", 2),
        (
            "%a : memref<4096xi32>, 0, 128, [<size = 2, stride = 512>, <size = 2, stride = 128>, <size = 32, stride = 1>]",
            "%a[0, 0, 0, 0][2, 2, 2, 32][0, 512, 128, 1]",
            1,
        ),
        (
            "%a : memref<4096xi32>, 8, 128, [<size = 3, stride = 1024>, <size = 2, stride = 512>,"
            " <size = 2, stride = 128>, <size = 32, stride = 1>]",
            "%a[0, 0, 0, 8][3, 2, 2, 32][1024, 512, 128, 1]",
            2,
        ),
    ],
)
def test_a_task_is_a_transfer(bd: str, lists: str, repeat: int) -> None:
    """Equal words except for the BD's address word, which the patch sets."""
    attributes = f"repeat_count = {repeat} : i32" if repeat else ""
    [block, *rest] = instructions(task("t", bd=f"aie.dma_bd({bd})", attributes=attributes) + start("t"))
    text = f"aiex.npu.dma_memcpy_nd({lists}) {{id = 0 : i64, metadata = @in}} : memref<4096xi32>"
    [wanted, *others] = instructions(text)
    assert isinstance(block, BlockWrite)
    assert isinstance(wanted, BlockWrite)
    assert (block.data[0], block.data[2:], block.address) == (wanted.data[0], wanted.data[2:], wanted.address)
    assert rest == others


def test_output_task_issues_a_token_and_is_awaited() -> None:
    found = instructions(task("t", "out", attributes=TOKEN) + start("t") + end("t"))
    assert found[1:] == [Patch(0x1D004, 0, 64), Write(0x1D20C, 1 << 31), Sync(0, 0, 0, 1)]


def test_bd_ids_are_the_lowest_free_of_their_tile() -> None:
    body = task("p") + task("q", "out", attributes=TOKEN) + start("p") + start("q") + end("q")
    body += "aiex.dma_free_task(%p)\n" + task("r") + start("r") + task("s")
    writes = [i.address for i in instructions(body) if isinstance(i, BlockWrite)]
    assert writes == [0x1D000, 0x1D020, 0x1D000, 0x1D020]


def test_chains_link_their_bds() -> None:
    found = instructions(
        "%x = aiex.dma_start_bd_chain_for @chain(%a) : (memref<4096xi32>) for @in {issue_token = true}\n" + end("x")
    )
    first, second = (i for i in found if isinstance(i, BlockWrite))
    assert first.data[7] == 1 << 27 | 1 << 26 | 1 << 25
    assert second.data[7] == 1 << 25
    assert found[-2:] == [Write(0x1D214, 1 << 31), Sync(0, 0, 1, 0)]


def test_locks_of_a_task() -> None:
    bd = "aie.use_lock(%l0, AcquireGreaterEqual, 2)\naie.dma_bd(%a : memref<4096xi32>, 0, 64)\naie.use_lock(%l1, Release, 1)"
    [block, *_] = instructions(task("t", bd=bd))
    assert isinstance(block, BlockWrite)
    assert block.data[7] == 1 << 25 | 1 << 18 | 4 << 13 | 1 << 12 | (-2 & 0x7F) << 5 | 3


@pytest.mark.parametrize(("device", "base"), [("npu1", 4096 + 32), ("npu2", 4096 + 32 + 0x80000)])
def test_a_memtile_task_sets_its_own_address(device: str, base: int) -> None:
    body = """%x = aiex.dma_configure_task(%m, MM2S, 1) {
      aie.dma_bd(%l2 : memref<1024xi32>, 8, 64, [<size = 2, stride = 64>, <size = 32, stride = 1>])
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%x)
    """
    block, mask, queue = instructions(body, device)
    assert isinstance(block, BlockWrite)
    assert block.address == (1 << 20) + 0xA0000 + 0x20 * 24  # odd channels use the upper half of the BDs
    assert block.data[0] == 64
    assert block.data[2:4] == (32 << 17, 2 << 17 | 63)
    assert mask == MaskWrite(block.address + 4, base // 4, 0x7FFFF)
    assert queue == Write((1 << 20) + 0xA0634 + 8, 1 << 31 | 24)


def test_parameters_and_locks() -> None:
    found = instructions("aiex.npu.rtp_write(@rtp, 3, 50)\naiex.set_lock(%k, 1)\n")
    core = 1 << 25 | 2 << 20
    assert found == [Write(core + 1024 + 12, 50), Write(core + 0x1F000 + 0x50, 1)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("".join(task(f"t{i}") for i in range(17)), "all 16 of tile (0, 0) are in flight"),
        (task("t") + start("t") + end("t"), "not configured to issue a token"),
        (task("t", attributes=TOKEN) + end("t"), "no task queued there issues one"),
        (task("t") + "aiex.dma_free_task(%t)\n" + start("t"), "awaited or freed before"),
        (task("t", bd="aie.dma_bd(%a : memref<4096xi32>, 0, 64, [<size = 2, stride = 4>])"), "and these come to"),
        (task("t", bd="aie.dma_bd(%b : memref<4096xbf16>, 1, 64)"), "starts at byte 2"),
        (task("t", bd="aie.dma_bd(%rtp : memref<16xi32>, 0, 16)"), "neither an argument of the sequence on a shim"),
        (task("t", bd="aie.dma_bd(%a : memref<4096xi32>, 0, 64) {bd_id = 2 : i32}")
         + task("u", bd="aie.dma_bd(%a : memref<4096xi32>, 0, 64) {bd_id = 2 : i32}"), "ID 2 is already in use"),
        ("aiex.npu.rtp_write(@rtp, 16, 1)", "which has 16"),
    ],
)  # fmt: skip
def test_limits(body: str, message: str) -> None:
    with pytest.raises(AlloAirError, match=r"input.mlir:\d+") as caught:
        instructions(body)
    assert message in str(caught.value)


def test_tasks_that_the_queue_may_drop_are_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    """One runs, four are queued, and one more may be lost."""
    for count, warnings in ((5, 0), (6, 1), (7, 1)):
        instructions("".join(task(f"t{i}") + start(f"t{i}") for i in range(count)))
        assert capfd.readouterr().err.count("warning: 'aiex.dma_start_task' op is task 6 on") == warnings


def test_tasks_have_other_bds_than_transfers() -> None:
    copy = "aiex.npu.dma_memcpy_nd(%a[0,0,0,0][1,1,1,64][0,0,0,1]) {id = 0 : i64, metadata = @in} : memref<4096xi32>\n"
    blocks = [i.address for i in instructions(copy + task("t")) if isinstance(i, BlockWrite)]
    assert blocks == [0x1D000, 0x1D020]


def test_a_task_that_was_awaited_may_be_freed_once() -> None:
    """As IRON's sequences do: its BDs are free already, and another task may have them."""
    awaited = task("t", attributes=TOKEN) + start("t") + end("t")
    free = "aiex.dma_free_task(%t)\n"
    another = task("u", attributes=TOKEN) + start("u") + end("u")
    assert instructions(awaited + another + free) == instructions(awaited + another)
    with pytest.raises(AlloAirError, match="awaited or freed before"):
        instructions(awaited + free + free)
