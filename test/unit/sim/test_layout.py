"""Addresses and ids: what is given stays, what is missing is assigned without overlap, what does not fit is an error."""

from collections.abc import Callable
from typing import Any

import pytest

from allo_air.errors import DiagnosticError
from allo_air.sim.layout import Layout, lay_out

LayOut = Callable[..., Layout]


def spans(layout: Layout) -> list[tuple[int, int]]:
    return sorted((b.offset, b.offset + b.bytes) for b in layout.buffers.values())


def test_given_addresses_stay_and_others_avoid_them_and_the_stack(laid_out: LayOut) -> None:
    layout = laid_out("""%t = aie.tile(0, 2)
      %a = aie.buffer(%t) {address = 2048 : i32, sym_name = "a"} : memref<512xi32>
      %b = aie.buffer(%t) {sym_name = "b"} : memref<1000xi8>
      %c = aie.buffer(%t) {sym_name = "c", mem_bank = 3 : i32} : memref<64xbf16>
      %core = aie.core(%t) { aie.end } {stack_size = 2048 : i32}""")
    by_name = {b.name: b for b in layout.buffers.values()}
    assert by_name["a"].offset == 2048
    assert by_name["c"].offset == 3 * 16384
    assert by_name["b"].offset >= 4096
    assert all(end <= begin for (_, end), (begin, _) in zip(spans(layout), spans(layout)[1:], strict=False))


def test_full_memory_is_filled_to_the_last_byte(laid_out: LayOut) -> None:
    layout = laid_out("""%t = aie.tile(0, 2)
      %a = aie.buffer(%t) : memref<40960xi8>
      %b = aie.buffer(%t) : memref<23552xi8>
      %core = aie.core(%t) { aie.end }""")
    assert spans(layout)[-1][1] == 65536


def test_overflow_names_the_tile_and_the_largest_buffers(laid_out: LayOut) -> None:
    with pytest.raises(DiagnosticError) as error:
        laid_out("""%t = aie.tile(1, 3)
          %a = aie.buffer(%t) {sym_name = "small"} : memref<16xi32>
          %b = aie.buffer(%t) {sym_name = "large"} : memref<16128xi32>
          %core = aie.core(%t) { aie.end }""")
    message = str(error.value)
    assert "tile (1, 3)" in message and "largest: large 64512, small 64" in message and "stack of 1024" in message
    assert error.value.diagnostics[0].line == 3


def test_memtile_has_512_kib_and_no_stack(laid_out: LayOut) -> None:
    layout = laid_out("""%t = aie.tile(0, 1)
      %a = aie.buffer(%t) : memref<131072xi32>""")
    assert spans(layout) == [(0, 524288)]
    with pytest.raises(DiagnosticError, match="has 524288 bytes"):
        laid_out("%t = aie.tile(0, 1)\n%a = aie.buffer(%t) : memref<131073xi32>")


def test_locks_keep_their_ids_and_others_get_the_lowest_free(laid_out: LayOut) -> None:
    layout = laid_out("""%t = aie.tile(0, 2)
      %a = aie.lock(%t) {sym_name = "a"}
      %b = aie.lock(%t, 0) {init = 3 : i32, sym_name = "b"}
      %c = aie.lock(%t) {init = 1 : i32}""")
    assert [(k.name, k.id, k.init) for k in layout.locks.values()] == [("a", 1, 0), ("b", 0, 3), ("%c", 2, 1)]
    [first, *_] = layout.locks.values()
    assert first.handle == 0 << 16 | 2 << 8 | 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%t = aie.tile(0, 2)\n%a = aie.lock(%t, 3)\n%b = aie.lock(%t, 3)", "second lock with id 3"),
        ("%t = aie.tile(0, 2)\n%a = aie.lock(%t) {init = 64 : i32}", "starts at 64"),
        ("%t = aie.tile(0, 2)\n" + "\n".join(f"%l{i} = aie.lock(%t)" for i in range(17)), "tile (0, 2) has 16"),
        ("%t = aie.tile(0, 2)\n%a = aie.buffer(%t) {address = 65000 : i32} : memref<256xi32>", "lies at 65000 to 66024"),
        ("%t = aie.logical_tile<CoreTile>(?, ?)\n%a = aie.buffer(%t) : memref<8xi32>", "aie-place-tiles"),
    ],
)
def test_errors(device: Callable[..., Any], body: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        lay_out(device(body))
    assert message in str(error.value)


def test_buffers_go_round_the_banks_until_one_is_larger_than_a_bank(laid_out: LayOut) -> None:
    """hardware-flow.md: bank-aware, with basic-sequential where that does not fit."""
    small = '%b = aie.buffer(%t) {sym_name = "b"} : memref<4096xi8>\n%c = aie.buffer(%t) {sym_name = "c"} : memref<4096xi8>'
    core = "%core = aie.core(%t) { aie.end }"
    spread = laid_out(f'%t = aie.tile(0, 2)\n%a = aie.buffer(%t) {{sym_name = "a"}} : memref<8192xi8>\n{small}\n{core}')
    assert {b.name: b.offset for b in spread.buffers.values()} == {"a": 1024, "b": 16384, "c": 32768}
    packed = laid_out(f'%t = aie.tile(0, 2)\n%a = aie.buffer(%t) {{sym_name = "a"}} : memref<20480xi8>\n{small}\n{core}')
    assert {b.name: b.offset for b in packed.buffers.values()} == {"a": 1024, "b": 21504, "c": 25600}
