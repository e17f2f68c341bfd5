"""objectFifos in the forms that users of mlir-aie give them: where they meet, how deep, how often, in what order."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air import asm
from allo_air.core import driver, pipeline
from allo_air.core.contexts import reused_context
from allo_air.core.registry import Registry

TILES = """
    %s0 = aie.tile(0, 0)
    %s1 = aie.tile(1, 0)
    %m0 = aie.tile(0, 1)
    %m1 = aie.tile(1, 1)
    %t02 = aie.tile(0, 2)
    %t03 = aie.tile(0, 3)
    %t04 = aie.tile(0, 4)
    %t12 = aie.tile(1, 2)
    %t13 = aie.tile(1, 3)"""
LOGICAL = """
    %s0 = aie.logical_tile<ShimNOCTile>(?, ?)
    %m0 = aie.logical_tile<MemTile>(?, ?)
    %t02 = aie.logical_tile<CoreTile>(?, ?)"""
CORE = """
    aie.core(TILE) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant N : index
      %trips = arith.constant TRIPS : index
      %k = arith.constant 3 : i32
      scf.for %i = %c0 to %trips step %c1 {
        %0 = aie.objectfifo.acquire @FROM(Consume, 1) : !aie.objectfifosubview<memref<Nxi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<Nxi32>> -> memref<Nxi32>
        %2 = aie.objectfifo.acquire @TO(Produce, 1) : !aie.objectfifosubview<memref<Nxi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<Nxi32>> -> memref<Nxi32>
        scf.for %j = %c0 to %n step %c1 {
          %v = memref.load %1[%j] : memref<Nxi32>
          %w = arith.addi %v, %k : i32
          memref.store %w, %3[%j] : memref<Nxi32>
        }
        aie.objectfifo.release @FROM(Consume, 1)
        aie.objectfifo.release @TO(Produce, 1)
      }
      aie.end
    }"""
SEQUENCE = """
    aie.runtime_sequence(%a: memref<SENTxi32>, %b: memref<GOTxi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, GOT][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true}
        : memref<GOTxi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, SENT][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<SENTxi32>
      aiex.npu.dma_wait {symbol = @out}
    }"""


def fifo(name: str, ends: str, depth: str, size: int, more: str = "") -> str:
    """`ends` as in `%s0 -> %t02, %t03`."""
    producer, _, consumers = ends.partition(" -> ")
    return f"\n    aie.objectfifo @{name}({producer}, {{{consumers}}}, {depth}) {more} : !aie.objectfifo<memref<{size}xi32>>"


def link(ins: str, outs: str, offsets: str = "[] []") -> str:
    return f"\n    aie.objectfifo.link [{ins}] -> [{outs}]({offsets})"


def core(tile: str, source: str, to: str, trips: int, size: int) -> str:
    """Adds 3 to each element of each object."""
    text = (
        CORE.replace("TILE", f"%{tile}")
        .replace("TRIPS", str(trips))
        .replace("Nxi32", f"{size}xi32")
        .replace("N :", f"{size} :")
    )
    return text.replace("FROM", source).replace("@TO", f"@{to}")


TWO, ONE = "2 : i32", "1 : i32"
TURNED = "[<size = 4, stride = 1>, <size = 4, stride = 4>]"


def neighbours(more: str = "", to: str = "t03") -> tuple[str, Any]:
    fifos = fifo("in", "%s0 -> %t02", TWO, 8) + fifo("mid", f"%t02 -> %{to}", "3 : i32", 8, more)
    fifos += fifo("out", f"%{to} -> %s0", TWO, 8)
    return fifos + core("t02", "in", "mid", 5, 8) + core(to, "mid", "out", 5, 8), lambda a: a.reshape(5, 8) + 6


def memory_of_a_third_tile() -> tuple[str, Any]:
    body, expected = neighbours(to="t04")
    return body + "\n    aie.objectfifo.allocate @mid(%t03)", expected


def depth_of_one() -> tuple[str, Any]:
    fifos = fifo("in", "%s0 -> %m0", ONE, 16) + fifo("in2", "%m0 -> %t02", ONE, 8) + fifo("out", "%t02 -> %s0", ONE, 8)
    return fifos + link("@in", "@in2") + core("t02", "in2", "out", 8, 8), lambda a: a.reshape(8, 8) + 3


def repeated_by_a_core() -> tuple[str, Any]:
    fifos = fifo("in", "%s0 -> %t02", TWO, 8) + fifo("out", "%t02 -> %s0", TWO, 8, "{repeat_count = 3 : i32}")
    return fifos + core("t02", "in", "out", 4, 8), lambda a: np.repeat(a.reshape(4, 8) + 3, 3, axis=0)


def repeated_by_a_memtile() -> tuple[str, Any]:
    fifos = fifo("in", "%s0 -> %m0", ONE, 16) + fifo("in2", "%m0 -> %t02", TWO, 16, "{repeat_count = 4 : i32}")
    fifos += fifo("out", "%t02 -> %s0", TWO, 16) + link("@in", "@in2")
    return fifos + core("t02", "in2", "out", 12, 16), lambda a: np.repeat(a.reshape(3, 16) + 3, 4, axis=0)


def repeated_parts() -> tuple[str, Any]:
    """Parts of 16 and 8 elements, each twice, joined in the reverse order."""
    fifos = fifo("in", "%s0 -> %m0", TWO, 24) + fifo("out", "%m0 -> %s0", TWO, 24)
    for name, tile, size in (("a", "t02", 16), ("b", "t03", 8)):
        fifos += fifo(name, f"%m0 -> %{tile}", TWO, size, "{repeat_count = 2 : i32}") + fifo(
            f"{name}2", f"%{tile} -> %m0", TWO, size
        )
        fifos += core(tile, name, f"{name}2", 8, size)
    fifos += link("@in", "@a, @b", "[] [0, 16]") + link("@a2, @b2", "@out", "[8, 0] []")
    return fifos, lambda a: np.repeat(np.roll(a.reshape(4, 24) + 3, 8, axis=1), 2, axis=0)


def parts_of_several_objects() -> tuple[str, Any]:
    fifos = fifo("in", "%s0 -> %m0", TWO, 48) + fifo("out", "%m0 -> %s0", TWO, 48)
    for name, tile, size in (("a", "t02", 8), ("b", "t03", 16)):
        fifos += fifo(name, f"%m0 -> %{tile}", TWO, size) + fifo(f"{name}2", f"%{tile} -> %m0", TWO, size)
        fifos += core(tile, name, f"{name}2", 6, size)
    return fifos + link("@in", "@a, @b", "[] [0, 16]") + link("@a2, @b2", "@out", "[0, 16] []"), lambda a: a.reshape(3, 48) + 3


def forwarded_by_a_core_tile() -> tuple[str, Any]:
    return fifo("in", "%s0 -> %t02", TWO, 16) + fifo("out", "%t02 -> %s1", TWO, 16) + link("@in", "@out"), lambda a: a.reshape(
        4, 16
    )


def counted_iterations() -> tuple[str, Any]:
    fifos = fifo("in", "%s0 -> %m0", TWO, 16) + fifo("out", "%m0 -> %s0", TWO, 16, "{iter_count = 3 : i32}")
    return fifos + link("@in", "@out"), lambda a: a.reshape(6, 16)


def broadcast_to_all_kinds() -> tuple[str, Any]:
    """To a core, a memtile, and a core of another column that reads turned, of three depths."""
    ends = f"%s0 -> %t02, %m1, %t13 dimensionsFromStream {TURNED}"
    fifos = fifo("in", ends, "[2, 1, 4, 3]", 16) + fifo("in2", "%m1 -> %t12", TWO, 16) + link("@in", "@in2")
    for name, tile in (("x", "t02"), ("y", "t12"), ("z", "t13")):
        fifos += fifo(name, f"%{tile} -> %m0", TWO, 16) + core(tile, "in2" if tile == "t12" else "in", name, 3, 16)
    fifos += fifo("out", "%m0 -> %s0", TWO, 48) + link("@x, @y, @z", "@out", "[0, 16, 32] []")

    def wanted(a: Any) -> Any:
        rows = a.reshape(3, 16) + 3
        return np.concatenate([rows, rows, rows.reshape(3, 4, 4).transpose(0, 2, 1).reshape(3, 16)], axis=1)

    return fifos, wanted


def padded_by_a_memtile() -> tuple[str, Any]:
    pads = "#aie<bd_pad_layout_array[<const_pad_before = 1, const_pad_after = 1>, <const_pad_before = 2, const_pad_after = 2>]>"
    dims = "[<size = 2, stride = 4>, <size = 4, stride = 1>]"
    fifos = fifo("in", "%s0 -> %m0", TWO, 8)
    fifos += fifo("in2", f"%m0 dimensionsToStream {dims} -> %t02", TWO, 32, f"{{padDimensions = {pads}}}")
    fifos += fifo("out", "%t02 -> %s0", TWO, 32) + link("@in", "@in2") + core("t02", "in2", "out", 3, 32)
    return fifos, lambda a: np.pad(a.reshape(3, 2, 4), ((0, 0), (1, 1), (2, 2))) + 3


def one_object_repeated() -> tuple[str, Any]:
    """One object in two parts, each sent three times by the DMA's own count."""
    fifos = fifo("in", "%s0 -> %m0", ONE, 24) + fifo("out", "%m0 -> %s0", ONE, 24)
    for name, tile, size in (("a", "t02", 16), ("b", "t03", 8)):
        fifos += fifo(name, f"%m0 -> %{tile}", ONE, size, "{repeat_count = 3 : i32}") + fifo(
            f"{name}2", f"%{tile} -> %m0", ONE, size
        )
        fifos += core(tile, name, f"{name}2", 12, size)
    fifos += link("@in", "@a, @b", "[] [0, 16]") + link("@a2, @b2", "@out", "[0, 16] []")
    return fifos, lambda a: np.repeat(a.reshape(4, 24) + 3, 3, axis=0)


def one_object_repeated_and_counted() -> tuple[str, Any]:
    """Sent twice, five times, and then no more."""
    fifos = fifo("in", "%s0 -> %m0", ONE, 16) + fifo(
        "out", "%m0 -> %s0", ONE, 16, "{repeat_count = 2 : i32, iter_count = 5 : i32}"
    )
    return fifos + link("@in", "@out"), lambda a: np.repeat(a.reshape(5, 16), 2, axis=0)


def one_object_repeated_by_a_core() -> tuple[str, Any]:
    fifos = fifo("in", "%s0 -> %t02", "[1, 3]", 8) + fifo("out", "%t02 -> %s0", ONE, 8, "{repeat_count = 4 : i32}")
    return fifos + core("t02", "in", "out", 5, 8), lambda a: np.repeat(a.reshape(5, 8) + 3, 4, axis=0)


def values_sent_again() -> tuple[str, Any]:
    """A table of two objects that is sent three times; nothing waits for it at its source."""
    table = "[dense<[0, 1, 2, 3, 4, 5, 6, 7]> : memref<8xi32>, dense<50> : memref<8xi32>]"
    fifos = fifo("table", "%m0 -> %t02", "[2, 1]", 8, "{iter_count = 3 : i32}") + " = " + table
    fifos += fifo("out", "%t02 -> %s0", TWO, 8) + fifo("in", "%s0 -> %t03", TWO, 8) + fifo("in2", "%t03 -> %t02", TWO, 8)
    adding = core("t02", "table", "out", 6, 8).replace(
        "scf.for %j", "%other = aie.objectfifo.acquire @in2(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>\n"
        "%more = aie.objectfifo.subview.access %other[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>\nscf.for %j"
    )  # fmt: skip
    adding = adding.replace("%w = arith.addi %v, %k", "%u = memref.load %more[%j] : memref<8xi32>\n%w = arith.addi %v, %u")
    adding = adding.replace(
        "aie.objectfifo.release @table", "aie.objectfifo.release @in2(Consume, 1)\naie.objectfifo.release @table"
    )
    fifos += core("t03", "in", "in2", 6, 8) + adding
    return fifos, lambda a: a.reshape(6, 8) + 3 + np.tile([np.arange(8), np.full(8, 50)], (3, 1))


def more_than_a_memtile_holds() -> tuple[str, Any]:
    """300,000 bytes twice in a memtile of 524,288."""
    fifos = fifo("in", "%s0 -> %m0", TWO, 75000) + fifo("out", "%m0 -> %s0", TWO, 75000)
    return fifos + link("@in", "@out"), lambda a: a


def chain_of_memtiles() -> tuple[str, Any]:
    """One FIFO from each memtile to the next, with smaller objects and parts on the way; those between are in two links."""
    fifos = fifo("in", "%s0 -> %m0", TWO, 48) + fifo("hop", "%m0 -> %m1", TWO, 24) + fifo("back", "%m1 -> %m0", ONE, 24)
    fifos += fifo("out", "%m0 -> %s1", TWO, 24) + link("@in", "@hop") + link("@back", "@out")
    for name, tile, size in (("a", "t12", 16), ("b", "t13", 8)):
        fifos += fifo(name, f"%m1 -> %{tile}", TWO, size) + fifo(f"{name}2", f"%{tile} -> %m1", TWO, size)
        fifos += core(tile, name, f"{name}2", 6, size)
    return fifos + link("@hop", "@a, @b", "[] [0, 16]") + link("@a2, @b2", "@back", "[8, 0] []"), lambda a: np.roll(
        a.reshape(6, 24) + 3, 8, axis=1
    )


def smaller_objects_at_consumers() -> tuple[str, Any]:
    """Parts of a memtile's objects, then of a core's, one of whose consumers takes whole ones."""
    part = " -> !aie.objectfifo<memref<8xi32>>"
    fifos = fifo("in", "%s0 -> %m0", TWO, 24) + fifo("cut", "%m0 -> %t02", "[2, 3]", 24) + part + link("@in", "@cut")
    fifos += (
        fifo("mid", "%t02 -> %t03", "[2, 2]", 8)
        + fifo("wide", "%t03 -> %t13", "[1, 4]", 8)
        + " -> !aie.objectfifo<memref<4xi32>>"
    )
    fifos += fifo("out", "%t13 -> %s0", TWO, 4)
    return fifos + core("t02", "cut", "mid", 9, 8) + core("t03", "mid", "wide", 9, 8) + core("t13", "wide", "out", 18, 4), (
        lambda a: a.reshape(3, 24) + 9
    )


def pinned_channels() -> tuple[str, Any]:
    """Channels that are pinned crosswise, by FIFOs that come last."""
    fifos = fifo("in", "%s0 -> %m0", TWO, 16, "{prod_dma_channel = 1 : i32, cons_dma_channels = array<i32: 4>}")
    fifos += fifo("a", "%m0 -> %t02", TWO, 8) + fifo("b", "%m0 -> %t03", TWO, 8, "{prod_dma_channel = 0 : i32}")
    fifos += fifo("a2", "%t02 -> %m0", TWO, 8) + fifo("b2", "%t03 -> %m0", TWO, 8, "{cons_dma_channels = array<i32: 0>}")
    fifos += fifo("out", "%m0 -> %s0", TWO, 16, "{prod_dma_channel = 5 : i32, cons_dma_channels = array<i32: -1>}")
    fifos += link("@in", "@a, @b", "[] [0, 8]") + link("@a2, @b2", "@out", "[0, 8] []")
    return fifos + core("t02", "a", "a2", 4, 8) + core("t03", "b", "b2", 4, 8), lambda a: a + 3


def padded_with_sevens() -> tuple[str, Any]:
    body, _ = padded_by_a_memtile()
    padded = body.replace("{padDimensions", "{padValue = 7 : i32, padDimensions")
    return padded, lambda a: np.pad(a.reshape(3, 2, 4), ((0, 0), (1, 1), (2, 2)), constant_values=7) + 3


def acquired_in_branches() -> tuple[str, Any]:
    """Both ways of a branch take the next object, and it is the loop around that comes round."""
    fifos = fifo("in", "%s0 -> %t02", "[2, 3]", 8) + fifo("out", "%t02 -> %s0", TWO, 8)
    whole = core("t02", "in", "out", 7, 8)
    start, end = whole.index("        %0 = aie"), whole.index("      }\n      aie.end")
    way = whole[start:end]
    odd = "%two = arith.constant 2 : index\n%r = arith.remui %i, %two : index\n%odd = arith.cmpi eq, %r, %c1 : index\n"
    both = f"{odd}scf.if %odd {{\n{way.replace('%v, %k', '%v, %v')}}} else {{\n{way}}}\n"
    return fifos + whole[:start] + both + whole[end:], lambda a: np.where(
        np.arange(7)[:, None] % 2, 2 * a.reshape(7, 8), a.reshape(7, 8) + 3
    )


def streams_of_cores() -> tuple[str, Any]:
    """A core that takes its words from its stream port, and sends them on to another's DMA through it."""
    fifos = fifo("in", "%s0 -> %t02", TWO, 8, "{aie_stream = 1 : i32, aie_stream_port = 0 : i32}")
    fifos += fifo("mid", "%t02 -> %t03", "[1, 3]", 8, "{aie_stream = 0 : i32, aie_stream_port = 0 : i32}")
    fifos += fifo("out", "%t03 -> %s0", TWO, 8) + core("t03", "mid", "out", 5, 8)
    words = """
    aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 40 : index
      %port = arith.constant 0 : i32
      scf.for %i = %c0 to %n step %c1 {
        %v = aie.get_stream(%port : i32) : i32
        %w = arith.addi %v, %v : i32
        aie.put_stream(%port : i32, %w : i32)
      }
      aie.end
    }"""
    return fifos + words, lambda a: 2 * a + 3


FORMS: dict[str, tuple[int, Callable[[], tuple[str, Any]]]] = {
    "depth of one": (64, depth_of_one),
    "repeated by a core": (32, repeated_by_a_core),
    "repeated by a memtile": (48, repeated_by_a_memtile),
    "repeated parts": (96, repeated_parts),
    "parts of several objects": (144, parts_of_several_objects),
    "shared memory": (40, neighbours),
    "shared memory of the producer": (40, lambda: neighbours("{via_shared_mem = 0 : i32}")),
    "shared memory of the consumer": (40, lambda: neighbours("{via_shared_mem = 1 : i32}")),
    "memory of a third tile": (40, memory_of_a_third_tile),
    "DMA between neighbours": (40, lambda: neighbours("{via_DMA = true}")),
    "forwarded by a core tile": (64, forwarded_by_a_core_tile),
    "counted iterations": (96, counted_iterations),
    "broadcast to all kinds": (48, broadcast_to_all_kinds),
    "padded by a memtile": (24, padded_by_a_memtile),
    "smaller objects at consumers": (72, smaller_objects_at_consumers),
    "streams of cores": (40, streams_of_cores),
    "pinned channels": (64, pinned_channels),
    "padded with sevens": (24, padded_with_sevens),
    "acquired in branches": (56, acquired_in_branches),
    "chain of memtiles": (144, chain_of_memtiles),
    "one object, repeated": (96, one_object_repeated),
    "one object, repeated and counted": (80, one_object_repeated_and_counted),
    "one object, repeated by a core": (40, one_object_repeated_by_a_core),
    "values sent again": (48, values_sent_again),
    "more than a memtile holds": (150000, more_than_a_memtile_holds),
}
"""Words sent, and the design with what comes of them."""


LOWERED = {
    "of March": "aie-objectFifo-stateful-transform{state=2026-03},",
    "of August": "aie-objectFifo-stateful-transform,",
    "of August, unrolled": "aie-objectFifo-stateful-transform,aie-objectFifo-unroll,",
    "of August, by packets": "aie-objectFifo-stateful-transform{packet-sw-objFifos=true},",
}
NUMBERED = "aie-assign-lock-ids,aie-assign-bd-ids,aie-assign-buffer-addresses"


@pytest.mark.parametrize("passes", LOWERED)
@pytest.mark.parametrize("name", FORMS)
def test_form(name: str, passes: str) -> None:
    """Lowered by passes, and as it is."""
    size, form = FORMS[name]
    body, expected = form()
    run(TILES + body, size, expected)
    run(TILES + body, size, expected, LOWERED[passes] + NUMBERED)


RESET = """
    aie.runtime_sequence(%a: memref<64xi32>, %b: memref<64xi32>) {
      %half = aiex.dma_configure_task_for @in {
        aie.dma_bd(%a : memref<64xi32> offset = 0 len = 8)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%half)
      aiex.dma_await_task(%half)
      aiex.dma_channel_reset_for(@in)
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true}
        : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @out}
    }"""


@pytest.mark.parametrize("passes", ["", *LOWERED.values()])
def test_a_reset_forgets_half_an_object(passes: str) -> None:
    fifos = fifo("in", "%s0 -> %m0", TWO, 16) + fifo("mid", "%m0 -> %t02", TWO, 16) + fifo("out", "%t02 -> %s0", TWO, 16)
    fifos += link("@in", "@mid") + core("t02", "mid", "out", 4, 16)
    text = lowered(f"module {{\n  aie.device(npu2) {{{TILES}{fifos}{RESET}\n  }}\n}}\n", passes and passes + NUMBERED)
    a, b = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    assert allo_air.simulate(text, a, b).findings == []
    np.testing.assert_array_equal(b, a + 3)


def test_a_core_and_its_fifos_begin_anew() -> None:
    """The core takes the first of two objects again, which its DMA has read before the host reset both."""
    run_again = "".join(
        f"""
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, {at}][1, 1, 1, 16][0, 0, 0, 1]) {{id = 0 : i64, metadata = @out, issue_token = true}}
        : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, {at}][1, 1, 1, 16][0, 0, 0, 1]) {{id = 1 : i64, metadata = @in}} : memref<64xi32>
      aiex.npu.dma_wait {{symbol = @out}}
      aiex.dma_channel_reset_for(@in)
      aiex.dma_channel_reset_for(@out)
      aiex.core_reset(%t02)"""
        for at in (0, 16, 32, 48)
    )
    fifos = fifo("in", "%s0 -> %t02", TWO, 16) + fifo("out", "%t02 -> %s0", TWO, 16) + core("t02", "in", "out", 4, 16)
    sequence = f"aie.runtime_sequence(%a: memref<64xi32>, %b: memref<64xi32>) {{{run_again}\n    }}"
    a, b = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    assert allo_air.simulate(f"module {{\n  aie.device(npu2) {{{TILES}{fifos}{sequence}\n  }}\n}}\n", a, b).findings == []
    np.testing.assert_array_equal(b, a + 3)


def test_tiles_without_a_place() -> None:
    body, expected = depth_of_one()
    run(LOGICAL + body, 64, expected)


def lowered(design: str, passes: str) -> Any:
    """What the passes of devices make of `design`; itself where there are none."""
    if not passes:
        return design
    with reused_context():
        module = asm.read(design, "design.mlir")
        steps = pipeline.parse(f"builtin.module(aie.device({passes}))", Registry())
        driver.run(steps, module, driver.Settings(verify=asm.verify, write=asm.write))
        return asm.write(module)


def run(body: str, size: int, expected: Callable[[Any], Any], passes: str = "") -> None:
    a = np.random.default_rng(3).integers(-99, 99, size).astype(np.int32)
    wanted = expected(a).reshape(-1).astype(np.int32)
    b = np.zeros_like(wanted)
    sequence = SEQUENCE.replace("SENT", str(size)).replace("GOT", str(len(b)))
    device = "npu2" if "padValue" in body else "npu1"  # which has a register for it
    report = allo_air.simulate(lowered(f"module {{\n  aie.device({device}) {{{body}{sequence}\n  }}\n}}\n", passes), a, b)
    undecided = "switch.arbiter" if "packet" in passes else ""  # packet flows without switches may share an arbiter
    assert {f.code for f in report.findings} <= {undecided}
    np.testing.assert_array_equal(b, wanted)


def test_what_waits_is_told_by_the_name_of_the_fifo() -> None:
    fifos = fifo("in", "%s0 -> %t02", TWO, 16) + fifo("out", "%t02 -> %s0", TWO, 16) + core("t02", "in", "out", 1, 16)
    fifos = fifos.replace("acquire @in(Consume, 1)", "acquire @in(Consume, 2)")
    with pytest.raises(
        allo_air.AlloAirError,
        match=r"waits for 2 filled objects of @in: lock in_cons_cons_lock_0 of objectFifo @in of tile \(0, 2\)",
    ):
        run(TILES + fifos, 16, lambda a: a)


def test_a_fifo_that_is_not_there_is_told_by_those_that_are() -> None:
    body, expected = repeated_by_a_core()
    body = body.replace("@in(", "@inn(")
    with pytest.raises(
        allo_air.AlloAirError,
        match=r"no shim DMA allocation found for symbol @in in .*; did you mean '@inn'\? \(there are: @inn, @out\)",
    ):
        run(TILES + body, 32, expected)
