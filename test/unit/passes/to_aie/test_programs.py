"""Programs that want more of the locks than the reference designs do, run under many schedules."""

from typing import Any

import numpy as np
import pytest

from allo_air.core.walking import walk, walk_named
from allo_air.dialects import aie
from helpers import integers

from .devices import executed, lowered

HERD = "attributes {x_loc = 0 : i64, y_loc = 2 : i64}"


def launch(channels: str, arguments: str, host: str, segment: str, times: int = 1) -> str:
    """A module with one launch of `times` instances around `host` and a segment."""
    names = [f"%h{i}" for i in range(len(arguments.split(", ")))]
    outer = ", ".join(f"%a{i}: {t}" for i, t in enumerate(arguments.split(", ")))
    passed = ", ".join(f"{n} = %a{i}" for i, n in enumerate(names))
    return f"""{channels}
    func.func @f({outer}) {{
      %one = arith.constant {times} : index
      air.launch (%l) in (%n = %one) args({passed}) : {arguments} {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        {host}
        air.segment @seg {{
          %s0 = arith.constant 0 : index
          %s1 = arith.constant 1 : index
          %s2 = arith.constant 2 : index
          %s4 = arith.constant 4 : index
          %s8 = arith.constant 8 : index
          {segment}
        }}
      }}
      return
    }}"""


BODY = """%k0 = arith.constant 0 : index
            %k1 = arith.constant 1 : index
            %k2 = arith.constant 2 : index
            %k3 = arith.constant 3 : index
            %k4 = arith.constant 4 : index
            %k8 = arith.constant 8 : index
            %i2 = arith.constant 2 : i32"""


def scale(source: str, dest: str) -> str:
    """Core code: dest = 2 * source, 8 elements."""
    return f"""scf.for %q = %k0 to %k8 step %k1 {{
              %v = memref.load %{source}[%q] : memref<8xi32, 2>
              %w = arith.muli %v, %i2 : i32
              memref.store %w, %{dest}[%q] : memref<8xi32, 2>
            }}"""


def check(text: str, arrays: list[Any], expected: Any, seed: int) -> Any:
    module = lowered(text)
    np.testing.assert_array_equal(executed(module, arrays, seed), expected)
    return module


SEEDS = pytest.mark.parametrize("seed", range(5))
CONTEXT = pytest.mark.usefixtures("context")


@SEEDS
@CONTEXT
def test_a_buffer_that_is_filled_changed_in_place_and_sent(seed: int) -> None:
    text = launch(
        "air.channel @in [1, 1]\nair.channel @out [1, 1]",
        "memref<32xi32>, memref<32xi32>",
        """scf.for %i = %c0 to %c4 step %c1 {
             %o = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%i]
             air.channel.put @in[] (%h0[%o] [%c8] [%c1]) : (memref<32xi32>)
             air.channel.get @out[] (%h1[%o] [%c8] [%c1]) : (memref<32xi32>)
           }""",
        f"""air.herd @herd tile (%x, %y) in (%m = %s1, %n2 = %s1) {HERD} {{
            {BODY}
            %b = memref.alloc() : memref<8xi32, 2>
            air.channel.get @in[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
            {scale("b", "b")}
            air.channel.put @out[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
            memref.dealloc %b : memref<8xi32, 2>
          }}""",
    )
    a = integers(32)
    module = check(text, [a, np.zeros(32, dtype=np.int32)], 2 * a, seed)
    assert sorted(op.init for op in walk(module, aie.LockOp)) == [0, 0, 1]


@SEEDS
@CONTEXT
def test_l2_data_sent_again_and_again_takes_one_bd(seed: int) -> None:
    text = launch(
        "air.channel @in [1, 1]\nair.channel @mid [1, 1]\nair.channel @out [1, 1]",
        "memref<8xi32>, memref<32xi32>",
        "air.channel.put @in[] (%h0[] [] []) : (memref<8xi32>)\nair.channel.get @out[] (%h1[] [] []) : (memref<32xi32>)",
        f"""%l2 = memref.alloc() : memref<8xi32, 1>
          air.channel.get @in[] (%l2[] [] []) : (memref<8xi32, 1>)
          scf.for %i = %s0 to %s4 step %s1 {{
            air.channel.put @mid[] (%l2[] [] []) : (memref<8xi32, 1>)
          }}
          air.herd @herd tile (%x, %y) in (%m = %s1, %n2 = %s1) {HERD} {{
            {BODY}
            scf.for %i = %k0 to %k4 step %k1 {{
              %b = memref.alloc() : memref<8xi32, 2>
              %c = memref.alloc() : memref<8xi32, 2>
              air.channel.get @mid[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
              {scale("b", "c")}
              air.channel.put @out[%x, %y] (%c[] [] []) : (memref<8xi32, 2>)
            }}
          }}""",
    )
    a = integers(8)
    module = check(text, [a, np.zeros(32, dtype=np.int32)], np.tile(2 * a, 4), seed)
    [memtile] = walk(module, aie.MemTileDMAOp)
    assert len(walk_named(memtile, "aie.dma_bd")) == 2
    assert sorted(op.value for op in walk(memtile, aie.UseLockOp)) == [1, 1, 4, 4]


@SEEDS
@CONTEXT
def test_an_accumulator_that_goes_round_through_l2(seed: int) -> None:
    """Zeros come from L3, go to two cores and back four times, then leave: 2**4 times what came."""
    text = launch(
        "air.channel @in [1, 1]\nair.channel @down [2, 1]\nair.channel @up [2, 1]\nair.channel @out [1, 1]",
        "memref<16xi32>, memref<16xi32>",
        "air.channel.put @in[] (%h0[] [] []) : (memref<16xi32>)\nair.channel.get @out[] (%h1[] [] []) : (memref<16xi32>)",
        f"""%l2 = memref.alloc() : memref<16xi32, 1>
          air.channel.get @in[] (%l2[] [] []) : (memref<16xi32, 1>)
          scf.for %i = %s0 to %s4 step %s1 {{
            air.channel.put @down[%s0, %s0] (%l2[%s0] [%s8] [%s1]) : (memref<16xi32, 1>)
            air.channel.put @down[%s1, %s0] (%l2[%s8] [%s8] [%s1]) : (memref<16xi32, 1>)
            air.channel.get @up[%s0, %s0] (%l2[%s0] [%s8] [%s1]) : (memref<16xi32, 1>)
            air.channel.get @up[%s1, %s0] (%l2[%s8] [%s8] [%s1]) : (memref<16xi32, 1>)
          }}
          air.herd @herd tile (%x, %y) in (%m = %s2, %n2 = %s1) {HERD} {{
            {BODY}
            %b = memref.alloc() : memref<8xi32, 2>
            air.channel.get @down[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
            {scale("b", "b")}
            air.channel.put @up[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
          }}
          air.channel.put @out[] (%l2[] [] []) : (memref<16xi32, 1>)""",
    )
    a = integers(16)
    check(text, [a, np.zeros(16, dtype=np.int32)], 16 * a, seed)


@SEEDS
@CONTEXT
def test_transfers_at_different_depths_of_loops_are_asked_for_one_by_one(seed: int) -> None:
    text = launch(
        "air.channel @in [1, 1]\nair.channel @out [1, 1]",
        "memref<40xi32>, memref<40xi32>",
        "air.channel.put @in[] (%h0[] [] []) : (memref<40xi32>)\nair.channel.get @out[] (%h1[] [] []) : (memref<40xi32>)",
        f"""air.herd @herd tile (%x, %y) in (%m = %s1, %n2 = %s1) {HERD} {{
            {BODY}
            %b = memref.alloc() : memref<8xi32, 2>
            %c = memref.alloc() : memref<8xi32, 2>
            air.channel.get @in[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
            scf.for %i = %k0 to %k4 step %k1 {{
              {scale("b", "c")}
              air.channel.put @out[%x, %y] (%c[] [] []) : (memref<8xi32, 2>)
              air.channel.get @in[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
            }}
            {scale("b", "c")}
            air.channel.put @out[%x, %y] (%c[] [] []) : (memref<8xi32, 2>)
          }}""",
    )
    a = integers(40)
    check(text, [a, np.zeros(40, dtype=np.int32)], 2 * a, seed)


@SEEDS
@CONTEXT
def test_a_loop_is_unrolled_where_its_transfers_differ(seed: int) -> None:
    """The core takes its eight elements in four pieces, each to its own place, and sends them in reverse."""
    text = launch(
        "air.channel @in [1, 1]\nair.channel @out [1, 1]",
        "memref<8xi32>, memref<8xi32>",
        "air.channel.put @in[] (%h0[] [] []) : (memref<8xi32>)\nair.channel.get @out[] (%h1[] [] []) : (memref<8xi32>)",
        f"""air.herd @herd tile (%x, %y) in (%m = %s1, %n2 = %s1) {HERD} {{
            {BODY}
            %b = memref.alloc() : memref<8xi32, 2>
            scf.for %i = %k0 to %k4 step %k1 {{
              %o = arith.muli %i, %k2 : index
              air.channel.get @in[%x, %y] (%b[%o] [%k2] [%k1]) : (memref<8xi32, 2>)
            }}
            {scale("b", "b")}
            scf.parallel (%i) = (%k0) to (%k4) step (%k1) {{
              %o = affine.apply affine_map<(d0) -> (-d0 * 2 + 6)>(%i)
              air.channel.put @out[%x, %y] (%b[%o] [%k2] [%k1]) : (memref<8xi32, 2>)
            }}
          }}""",
    )
    a = integers(8)
    check(text, [a, np.zeros(8, dtype=np.int32)], 2 * a.reshape(4, 2)[::-1].reshape(-1), seed)


def ping_and_pong(width: int, puts: str, pong: str, places: tuple[str, str]) -> str:
    """Two buffers in L2, each read by two channels in halves, that `puts` fill over `width` channels; `pong` is what its
    allocation says, `places` are the indices of the channels that fill them."""
    moves = "\n".join(
        f"""air.channel.get @in{place} (%{b}[] [] []) : (memref<16xi32, 1>)
            air.channel.put @down[%s0, %s0] (%{b}[%s0] [%s8] [%s1]) : (memref<16xi32, 1>)
            air.channel.put @down[%s1, %s0] (%{b}[%s8] [%s8] [%s1]) : (memref<16xi32, 1>)"""
        for place, b in zip(places, ("ping", "pong"), strict=True)
    )
    return launch(
        f"air.channel @in [{width}, 1]\nair.channel @down [2, 1]\nair.channel @up [2, 1]",
        "memref<64xi32>, memref<64xi32>",
        f"""{puts}
           scf.for %i = %c0 to %c4 step %c1 {{
             %o = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%i]
             %p = affine.apply affine_map<()[s0] -> (s0 * 16 + 8)>()[%i]
             air.channel.get @up[%c0, %c0] (%h1[%o] [%c8] [%c1]) : (memref<64xi32>)
             air.channel.get @up[%c1, %c0] (%h1[%p] [%c8] [%c1]) : (memref<64xi32>)
           }}""",
        f"""%ping = memref.alloc() : memref<16xi32, 1>
          %pong = memref.alloc() {pong} : memref<16xi32, 1>
          scf.for %i = %s0 to %s4 step %s2 {{
            {moves}
          }}
          air.herd @herd tile (%x, %y) in (%m = %s2, %n2 = %s1) {HERD} {{
            {BODY}
            %b = memref.alloc() : memref<8xi32, 2>
            air.channel.get @down[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
            {scale("b", "b")}
            air.channel.put @up[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
          }}""",
    )


@SEEDS
@CONTEXT
def test_two_readers_of_rotating_l2_buffers(seed: int) -> None:
    """Ping and pong in L2, each read by two channels in halves."""
    text = ping_and_pong(1, "air.channel.put @in[] (%h0[] [] []) : (memref<64xi32>)", "", ("[]", "[]"))
    a = integers(64)
    check(text, [a, np.zeros(64, dtype=np.int32)], 2 * a, seed)


@SEEDS
@CONTEXT
def test_buffers_beside_others_are_read_by_the_channels_of_the_memtile_that_has_those(seed: int) -> None:
    """Ping in a memtile, pong in the next one, over a channel each; two channels of the first read halves of both."""
    puts = """scf.for %i = %c0 to %c2 step %c1 {
             %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%i]
             %p = affine.apply affine_map<()[s0] -> (s0 * 32 + 16)>()[%i]
             %c16 = arith.constant 16 : index
             air.channel.put @in[%c0, %c0] (%h0[%o] [%c16] [%c1]) : (memref<64xi32>)
             air.channel.put @in[%c1, %c0] (%h0[%p] [%c16] [%c1]) : (memref<64xi32>)
           }"""
    text = ping_and_pong(2, puts, "{allo.adjacent_memtile}", ("[%s0, %s0]", "[%s1, %s0]"))
    a = integers(64)
    check(text, [a, np.zeros(64, dtype=np.int32)], 2 * a, seed)


@SEEDS
@CONTEXT
def test_readers_of_buffers_beside_others_do_not_take_each_others_turns(seed: int) -> None:
    """Each reads halves of ping and pong twice in a row; one whose core is sooner done would take the other's turns."""
    reads = "\n".join(
        f"""air.channel.get @in[%s{place}, %s0] (%{b}[] [] []) : (memref<16xi32, 1>)
            scf.for %r = %s0 to %s2 step %s1 {{
              air.channel.put @down[%s0, %s0] (%{b}[%s0] [%s8] [%s1]) : (memref<16xi32, 1>)
            }}
            scf.for %r = %s0 to %s2 step %s1 {{
              air.channel.put @down[%s1, %s0] (%{b}[%s8] [%s8] [%s1]) : (memref<16xi32, 1>)
            }}"""
        for place, b in enumerate(("ping", "pong"))
    )
    text = launch(
        "air.channel @in [2, 1]\nair.channel @down [2, 1]\nair.channel @up [2, 1]",
        "memref<128xi32>, memref<256xi32>",
        """%c16 = arith.constant 16 : index
           scf.for %i = %c0 to %c4 step %c1 {
             %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%i]
             %p = affine.apply affine_map<()[s0] -> (s0 * 32 + 16)>()[%i]
             air.channel.put @in[%c0, %c0] (%h0[%o] [%c16] [%c1]) : (memref<128xi32>)
             air.channel.put @in[%c1, %c0] (%h0[%p] [%c16] [%c1]) : (memref<128xi32>)
           }
           scf.for %i = %c0 to %c16 step %c1 {
             %o = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%i]
             %p = affine.apply affine_map<()[s0] -> (s0 * 16 + 8)>()[%i]
             air.channel.get @up[%c0, %c0] (%h1[%o] [%c8] [%c1]) : (memref<256xi32>)
             air.channel.get @up[%c1, %c0] (%h1[%p] [%c8] [%c1]) : (memref<256xi32>)
           }""",
        f"""%ping = memref.alloc() : memref<16xi32, 1>
          %pong = memref.alloc() {{allo.adjacent_memtile}} : memref<16xi32, 1>
          scf.for %i = %s0 to %s8 step %s2 {{
            {reads}
          }}
          air.herd @herd tile (%x, %y) in (%m = %s2, %n2 = %s1) {HERD} {{
            {BODY}
            %b = memref.alloc() : memref<8xi32, 2>
            air.channel.get @down[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
            %more = arith.muli %x, %k8 : index
            scf.for %again = %k0 to %more step %k1 {{
              {scale("b", "b")}
            }}
            air.channel.put @up[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
          }}""",
    )
    a = integers(128)
    want = np.repeat(a.reshape(8, 1, 2, 8) * np.array([1, 256])[:, None], 2, axis=1).astype(np.int32)
    check(text, [a, np.zeros(256, dtype=np.int32)], want.reshape(-1), seed)


@SEEDS
@CONTEXT
def test_l2_written_in_rows_and_read_in_columns(seed: int) -> None:
    """Each reader needs both writers, each writer must wait for both readers: no two accesses may pass each other."""
    text = launch(
        "air.channel @in [2, 1]\nair.channel @down [2, 1]\nair.channel @up [2, 1]",
        "memref<96xi32>, memref<96xi32>",
        """%o = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%l]
           %p = affine.apply affine_map<()[s0] -> (s0 * 16 + 8)>()[%l]
           air.channel.put @in[%c0, %c0] (%h0[%o] [%c8] [%c1]) : (memref<96xi32>)
           air.channel.put @in[%c1, %c0] (%h0[%p] [%c8] [%c1]) : (memref<96xi32>)
           air.channel.get @up[%c0, %c0] (%h1[%o] [%c8] [%c1]) : (memref<96xi32>)
           air.channel.get @up[%c1, %c0] (%h1[%p] [%c8] [%c1]) : (memref<96xi32>)""",
        f"""%b = memref.alloc() : memref<4x4xi32, 1>
          air.channel.get @in[%s0, %s0] (%b[%s0, %s0] [%s2, %s4] [%s4, %s1]) : (memref<4x4xi32, 1>)
          air.channel.get @in[%s1, %s0] (%b[%s2, %s0] [%s2, %s4] [%s4, %s1]) : (memref<4x4xi32, 1>)
          air.channel.put @down[%s0, %s0] (%b[%s0, %s0] [%s4, %s2] [%s4, %s1]) : (memref<4x4xi32, 1>)
          air.channel.put @down[%s1, %s0] (%b[%s0, %s2] [%s4, %s2] [%s4, %s1]) : (memref<4x4xi32, 1>)
          air.herd @herd tile (%x, %y) in (%m = %s2, %n2 = %s1) {HERD} {{
            {BODY}
            %c = memref.alloc() : memref<8xi32, 2>
            air.channel.get @down[%x, %y] (%c[] [] []) : (memref<8xi32, 2>)
            {scale("c", "c")}
            air.channel.put @up[%x, %y] (%c[] [] []) : (memref<8xi32, 2>)
          }}""",
        times=6,
    )
    a = integers(96)
    expected = 2 * a.reshape(6, 4, 2, 2).transpose(0, 2, 1, 3).reshape(-1)
    check(text, [a, np.zeros(96, dtype=np.int32)], expected, seed)


@SEEDS
@CONTEXT
def test_a_core_that_uses_its_buffers_in_another_order_than_they_come(seed: int) -> None:
    text = launch(
        "air.channel @in [1, 1]\nair.channel @out [1, 1]",
        "memref<64xi32>, memref<64xi32>",
        """%o = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%l]
           air.channel.put @in[] (%h0[%o] [%c16] [%c1]) : (memref<64xi32>)
           air.channel.get @out[] (%h1[%o] [%c16] [%c1]) : (memref<64xi32>)""".replace("%c16", "%c8x2"),
        f"""air.herd @herd tile (%x, %y) in (%m = %s1, %n2 = %s1) {HERD} {{
            {BODY}
            %b = memref.alloc() : memref<8xi32, 2>
            %c = memref.alloc() : memref<8xi32, 2>
            %d = memref.alloc() : memref<8xi32, 2>
            air.channel.get @in[%x, %y] (%b[] [] []) : (memref<8xi32, 2>)
            air.channel.get @in[%x, %y] (%c[] [] []) : (memref<8xi32, 2>)
            {scale("c", "d")}
            air.channel.put @out[%x, %y] (%d[] [] []) : (memref<8xi32, 2>)
            {scale("b", "d")}
            air.channel.put @out[%x, %y] (%d[] [] []) : (memref<8xi32, 2>)
          }}""",
        times=4,
    ).replace("%o = ", "%c8x2 = arith.constant 16 : index\n%o = ", 1)
    a = integers(64)
    check(text, [a, np.zeros(64, dtype=np.int32)], 2 * a.reshape(4, 2, 8)[:, ::-1].reshape(-1), seed)


@SEEDS
@CONTEXT
def test_buffers_that_change_places_round_a_loop(seed: int) -> None:
    """Ping and pong are carried: the loop is unrolled, and each transfer knows its buffer."""
    text = launch(
        "air.channel @in [1, 1]\nair.channel @out [1, 1]",
        "memref<32xi32>, memref<32xi32>",
        "air.channel.put @in[] (%h0[] [] []) : (memref<32xi32>)\nair.channel.get @out[] (%h1[] [] []) : (memref<32xi32>)",
        f"""air.herd @herd tile (%x, %y) in (%m = %s1, %n2 = %s1) {HERD} {{
            {BODY}
            %b = memref.alloc() : memref<8xi32, 2>
            %c = memref.alloc() : memref<8xi32, 2>
            %d = memref.alloc() : memref<8xi32, 2>
            %r:2 = scf.for %i = %k0 to %k4 step %k1 iter_args(%p = %b, %z = %c) -> (memref<8xi32, 2>, memref<8xi32, 2>) {{
              air.channel.get @in[%x, %y] (%p[] [] []) : (memref<8xi32, 2>)
              {scale("p", "d")}
              air.channel.put @out[%x, %y] (%d[] [] []) : (memref<8xi32, 2>)
              scf.yield %z, %p : memref<8xi32, 2>, memref<8xi32, 2>
            }}
          }}""",
    )
    a = integers(32)
    module = check(text, [a, np.zeros(32, dtype=np.int32)], 2 * a, seed)
    assert len(walk_named(module, "aie.dma_bd")) == 3
