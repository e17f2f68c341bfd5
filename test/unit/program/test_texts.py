"""The texts of levels: what was lowered apart is put together under names of its own."""

from __future__ import annotations

from allo_air import asm
from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.mlir import ir, new_context
from allo_air.program.texts import join

MAIN = """
func.func private @k0(memref<4xf32>)
func.func private @k1(memref<4xf32>)
func.func @main(%a: memref<4xf32>) {
  call @k0(%a) : (memref<4xf32>) -> ()
  call @k1(%a) : (memref<4xf32>) -> ()
  return
}
"""


def _part(name: str, channels: int) -> ir.Operation:
    declared = "".join(f"air.channel @channel_{n} [1, 1]\n" for n in range(channels))
    puts = "".join(f"air.channel.put @channel_{n}[] (%a[] [] []) : (memref<4xf32>)\n" for n in range(channels))
    return asm.read(f"{declared}func.func @{name}(%a: memref<4xf32>) {{\n{puts}return\n}}").operation


def test_a_new_name_is_none_that_comes_later_in_its_part() -> None:
    with new_context():
        main = asm.read(MAIN).operation
        join(main, [_part("k0", 2), _part("k1", 4)])
        puts = {
            sym_name_of(f): [channel_of(p) for p in walk_named(f, "air.channel.put")] for f in walk_named(main, "func.func")
        }
        assert puts["k0"] == ["channel_0", "channel_1"]
        assert puts["k1"] == ["channel_4", "channel_5", "channel_2", "channel_3"]
        assert sorted(map(sym_name_of, walk_named(main, "air.channel"))) == [f"channel_{n}" for n in range(6)]
