"""DMA channels and BDs that a kind of tile does not have are refused, with the limit."""

# ruff: noqa: E501 - a case is a line of the table

import pytest

MEM, CORE, SHIM = "aie.tile(0, 1)", "aie.tile(0, 2)", "aie.tile(0, 0)"


def device(body: str, name: str = "npu2") -> str:
    return f"aie.device({name}) {{\n%m = {MEM}\n%c = {CORE}\n%s = {SHIM}\n{body}\n}}"


def program(op: str, tile: str, start: str) -> str:
    body = (
        f"%b = aie.buffer({tile}) : memref<16xi32>\naie.{op}({tile}) {{\naie.dma_start({start}, ^bd, ^end) // HERE\n^bd:\n"
        "aie.dma_bd(%b : memref<16xi32> offset = 0 len = 16)\naie.next_bd ^bd\n^end:\naie.end\n}"
    )
    return device(body)


def sequence(body: str) -> str:
    return device(
        f"%b = aie.buffer(%m) {{address = 0 : i32}} : memref<16xi32>\naie.shim_dma_allocation @x(%s, MM2S, 0)\n"
        f"aie.runtime_sequence(%a : memref<16xi32>) {{\n{body}\n}}"
    )


TASK = "%t = aiex.dma_configure_task(%m, {}) {{ // HERE\naie.dma_bd(%b : memref<16xi32> offset = 0 len = 8)\naie.end\n}}"
MEMCPY = (
    "aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {{id = {} : i64, metadata = @x}} : memref<16xi32> // HERE"
)
PACKETS = "aie.packet_flow(1) {{\naie.packet_source<%m, DMA : {}> // HERE\naie.packet_dest<%c, DMA : 0>\n}}"


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (program("memtile_dma", "%m", "MM2S, 5"), program("memtile_dma", "%m", "MM2S, 6"), "channel 6 does not exist: tile (0, 1) has 6"),
        (program("mem", "%c", "S2MM, 1"), program("mem", "%c", "S2MM, 2"), "channel 2 does not exist: tile (0, 2) has 2"),
        (device("aie.flow(%m, DMA : 5, %c, DMA : 1)"), device("aie.flow(%m, DMA : 6, %c, DMA : 1) // HERE"), "source DMA channel 6 does not exist: tile (0, 1) has 6 MM2S channels"),
        (device("aie.flow(%m, DMA : 5, %c, DMA : 1)"), device("aie.flow(%m, DMA : 5, %c, DMA : 2) // HERE"), "dest DMA channel 2 does not exist: tile (0, 2) has 2 S2MM channels"),
        (device(PACKETS.format(5)), device(PACKETS.format(6)), "source DMA channel 6 does not exist"),
        (device("aie.shim_dma_allocation @x(%s, S2MM, 1)"), device("aie.shim_dma_allocation @x(%s, S2MM, 2) // HERE"), "channel 2 does not exist"),
        (sequence(TASK.format("S2MM, 5")), sequence(TASK.format("S2MM, 6")), "channel 6 does not exist: tile (0, 1) has 6"),
        (sequence("aiex.npu.push_queue(0, 1, MM2S : 5) {issue_token = false, repeat_count = 0 : i32, bd_id = 47 : i32}"),
         sequence("aiex.npu.push_queue(0, 1, MM2S : 6) {issue_token = false, repeat_count = 0 : i32, bd_id = 47 : i32} // HERE"), "channel 6 does not exist"),
        (sequence(MEMCPY.format(15)), sequence(MEMCPY.format(16)), "id 16 does not exist: a shim tile has BDs 0 to 15"),
    ],
)  # fmt: skip
def test_what_a_tile_does_not_have_is_refused(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase)


def test_ends_at_tiles_without_a_dma_are_left_to_the_router(findings) -> None:  # type: ignore[no-untyped-def]
    text = "aie.device(xcvc1902) {\n%c = aie.tile(2, 2)\n%s = aie.tile(4, 0)\naie.flow(%c, DMA : 0, %s, DMA : 0)\n}"
    [finding] = findings(text)
    assert finding.severity == "warning" and "has 0 S2MM channels" in finding.message
