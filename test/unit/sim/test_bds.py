"""BDs of DMA programs as register words, field by field, and the limits of each kind of tile."""

from collections.abc import Callable

import pytest

from allo_air.errors import DiagnosticError
from allo_air.sim.layout import Layout
from allo_air.sim.programs import programs_of
from allo_air.target.bd_layout import LAYOUTS, decode, encode

LayOut = Callable[..., Layout]

CORE = """%t = aie.tile(0, 2)
  %b = aie.buffer(%t) {{address = 4096 : i32, sym_name = "b"}} : memref<{shape}>
  %p = aie.lock(%t, 3) {{init = 1 : i32}}
  %c = aie.lock(%t, 4)
  %m = aie.mem(%t) {{
    %0 = aie.dma_start(MM2S, 1, ^bb1, ^bb2, repeat_count = 5)
  ^bb1:
    aie.use_lock(%p, {acquire})
    aie.dma_bd(%b : memref<{shape}>{access}) {{packet = #aie.packet_info<pkt_type = 2, pkt_id = 9>}}
    aie.use_lock(%c, Release, 2)
    aie.next_bd ^bb1
  ^bb2:
    aie.end
  }}"""


def core(laid_out: LayOut, access: str, shape: str = "1024xi32", acquire: str = "AcquireGreaterEqual, 1") -> dict[str, int]:
    [bd], [start] = programs_of(laid_out(CORE.format(shape=shape, access=access, acquire=acquire)))
    assert (start.direction, start.channel, start.bd, start.repeat) == (1, 1, 0, 5)
    return decode("core", bd.words)


def test_core_fields(laid_out: LayOut) -> None:
    found = core(laid_out, ", 16, 128, [<size = 4, stride = 256>, <size = 8, stride = 32>, <size = 4, stride = 2>]")
    assert (found["base"], found["length"]) == ((4096 + 64) // 4, 128)
    assert (found["d0_wrap"], found["d0_step"], found["d1_wrap"], found["d1_step"], found["d2_step"]) == (4, 1, 8, 31, 255)
    assert (found["acq_enable"], found["acq_id"], found["acq_value"]) == (1, 3, -1)
    assert (found["rel_id"], found["rel_value"], found["valid"]) == (4, 2, 1)
    assert (found["use_next"], found["next_bd"]) == (1, 0)
    assert (found["enable_packet"], found["packet_type"], found["packet_id"]) == (1, 2, 9)


def test_acquire_of_exactly_n_is_positive(laid_out: LayOut) -> None:
    assert core(laid_out, ", 0, 8", acquire="Acquire, 3")["acq_value"] == 3


def test_narrow_elements_count_in_words(laid_out: LayOut) -> None:
    found = core(laid_out, ", 8, 256, [<size = 16, stride = 64>, <size = 16, stride = 1>]", "2048xi8")
    assert (found["base"], found["length"], found["d0_wrap"], found["d0_step"], found["d1_step"]) == (1026, 64, 4, 0, 15)


def test_without_length_the_whole_buffer_moves(laid_out: LayOut) -> None:
    assert core(laid_out, "", "100xbf16")["length"] == 50


def test_contiguous_dimensions_need_no_wraps(laid_out: LayOut) -> None:
    found = core(laid_out, ", 0, 1024, [<size = 2, stride = 512>, <size = 512, stride = 1>]")
    assert (found["d0_wrap"], found["d1_wrap"], found["length"]) == (0, 0, 1024)


def test_wrap_of_the_outermost_dimension_is_not_needed(laid_out: LayOut) -> None:
    found = core(laid_out, ", 0, 1024, [<size = 512, stride = 1>, <size = 2, stride = 512>]")
    assert (found["d0_wrap"], found["d0_step"], found["d1_wrap"], found["d1_step"]) == (2, 511, 0, 0)


@pytest.mark.parametrize(
    ("access", "shape", "message"),
    [
        (", 0, 1024, [<size = 2, stride = 1>, <size = 512, stride = 2>]", "1024xi32", "d0_wrap = 512 words"),
        (", 0, 16, [<size = 2, stride = 8193>, <size = 8, stride = 1>]", "15000xi32", "d1_step = 8192"),
        (", 1, 4", "64xi8", "4 byte (32b) aligned"),
        (", 0, 20, [<size = 4, stride = 6>, <size = 5, stride = 1>]", "64xi16", "innermost size 5"),
        (", 0, 16, [<size = 8, stride = 3>, <size = 2, stride = 1>]", "64xi16", "stride 3"),
    ],
)
def test_limits_of_a_core_tile(laid_out: LayOut, access: str, shape: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        core(laid_out, access, shape)
    assert message in str(error.value)
    assert error.value.diagnostics[0].line == 9


MEM = """%t0 = aie.tile(0, 1)
  %t = aie.tile(1, 1)
  %t2 = aie.tile(2, 1)
  %w = aie.buffer(%t0) {address = 64 : i32} : memref<64xi32>
  %b = aie.buffer(%t) {address = 128 : i32} : memref<64xi32>
  %e = aie.buffer(%t2) {address = 256 : i32} : memref<64xi32>
  %l0 = aie.lock(%t0, 1)
  %l = aie.lock(%t, 2)
  %l2 = aie.lock(%t2, 3)
  %m = aie.memtile_dma(%t) {
    %0 = aie.dma_start(S2MM, 1, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%l0, AcquireGreaterEqual, 1)
    aie.dma_bd(%w : memref<64xi32>, 0, 64)
    aie.use_lock(%l, Release, 1)
    aie.next_bd ^bb3
  ^bb3:
    aie.use_lock(%l2, AcquireGreaterEqual, 1)
    aie.dma_bd(%e : memref<64xi32>, 0, 64)
    aie.use_lock(%l, Release, 1)
    aie.end
  ^bb2:
    %1 = aie.dma_start(MM2S, 2, ^bb4, ^bb5)
  ^bb4:
    aie.dma_bd(%b : memref<64xi32>, 0, 96, [<size = 2, stride = 16>, <size = 2, stride = 8>, <size = 4, stride = 1>],
      [<const_pad_before = 1, const_pad_after = 0>, <const_pad_before = 0, const_pad_after = 2>,
       <const_pad_before = 2, const_pad_after = 2>])
    aie.end
  ^bb5:
    aie.end
  }"""


def test_memtile_reaches_its_neighbours_and_pads(laid_out: LayOut) -> None:
    bds, starts = programs_of(laid_out(MEM))
    assert [b.number for b in bds] == [24, 25, 0]  # odd channels have the upper half
    west, east, own = (decode("mem", b.words) for b in bds)
    assert (west["base"], west["acq_id"], west["rel_id"], west["next_bd"], west["use_next"]) == (16, 1, 66, 25, 1)
    assert (east["base"], east["acq_id"], east["use_next"]) == ((0x100000 + 256) // 4, 131, 0)
    assert own["base"] == (0x80000 + 128) // 4 and own["acq_enable"] == 0
    assert [own[f"d{i}_{side}"] for i in range(3) for side in ("before", "after")] == [2, 2, 0, 2, 1, 0]
    assert [own[f"d{i}_wrap"] for i in range(3)] == [4, 2, 2]
    assert [s.bd for s in starts] == [24, 0]


REGIONS = """%t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<64xi32>
  %p = aie.lock(%t) {{init = 1 : i32}}
  %c = aie.lock(%t)
  %m = aie.mem(%t) {{
    %0 = aie.dma(S2MM, 0) {attributes} [{{
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<64xi32>, 0, 32)
      aie.use_lock(%c, Release, 1)
    }}, {{
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<64xi32>, 32, 32)
      aie.use_lock(%c, Release, 1)
    }}]
    aie.end
  }}"""


@pytest.mark.parametrize(
    ("attributes", "last", "repeat"), [("", (0, 1), 0), ("{loop = false, repeat_count = 10 : i32}", (0, 0), 10)]
)
def test_regions(laid_out: LayOut, attributes: str, last: tuple[int, int], repeat: int) -> None:
    bds, [start] = programs_of(laid_out(REGIONS.format(attributes=attributes)))
    first, second = (decode("core", b.words) for b in bds)
    assert (first["next_bd"], first["use_next"]) == (1, 1)
    assert (second["next_bd"], second["use_next"]) == last
    assert start.repeat == repeat


def test_bd_ids_given_and_taken(laid_out: LayOut) -> None:
    text = CORE.format(shape="64xi32", access="", acquire="AcquireGreaterEqual, 1")
    [bd], [start] = programs_of(laid_out(text.replace("{packet", "{bd_id = 7 : i32, packet")))
    assert bd.number == start.bd == 7
    with pytest.raises(DiagnosticError, match="can use BDs 24 to 47"):
        programs_of(
            laid_out(
                MEM.replace(
                    "aie.dma_bd(%w : memref<64xi32>, 0, 64)", "aie.dma_bd(%w : memref<64xi32>, 0, 64) {bd_id = 3 : i32}"
                )
            )
        )


@pytest.mark.parametrize("kind", LAYOUTS)
def test_fields_do_not_overlap_and_round_trip(kind: str) -> None:
    seen: dict[int, int] = {}
    for name, bits in LAYOUTS[kind].items():
        mask = ((1 << bits.width) - 1) << bits.shift
        assert mask < 1 << 32 and not seen.get(bits.word, 0) & mask, name
        seen[bits.word] = seen.get(bits.word, 0) | mask
        for value in (bits.range[0], bits.range[-1], 1 if bits.width > 1 else 0):
            assert decode(kind, encode(kind, {name: value}))[name] == value
        with pytest.raises(ValueError, match=name):
            encode(kind, {name: bits.range[-1] + 1})


def test_known_shim_bd() -> None:
    """The known answer of docs/sources.md#device."""
    found = decode("shim_noc", (2048, 0, 0, 0x02000000, 0x8200003F, 0x020007FF, 0, 0x02000000))
    wanted = {
        "length": 2048,
        "d0_wrap": 32,
        "d0_step": 0,
        "burst": 2,
        "d1_wrap": 32,
        "d1_step": 63,
        "d2_step": 2047,
        "ax_cache": 2,
    }
    assert {name: found[name] for name in wanted} == wanted and found["valid"] == 1
