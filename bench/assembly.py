"""What reading and writing assembly costs, beside MLIR's own parse and print of the same module in generic form.

Run as `python bench/assembly.py`; `--sizes 1000 10000` and `--repeats 9` change what is measured.
"""

import argparse
import gc
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

from allo_air import asm, dialects
from allo_air.asm.syntax import printing
from allo_air.core.walking import walk_post_order
from allo_air.dialects.states import STATES
from allo_air.mlir import ir, new_context

SIZES = (1_000, 10_000, 100_000)
HEADINGS = ("text", "operations", "read", "rules", "parse", "ratio", "write", "print", "ratio", "both")


def air_unit(number: int) -> str:
    """A function with a launch, a segment and a herd, copies, channels and tokens: 39 operations."""
    n = 16 * (1 + number % 7)
    l3, l2, l1 = f"memref<{8 * n}x{n}xf32>", f"memref<{2 * n}x{n}xf32, 1>", f"memref<{n}x{n}xf32, 2>"
    return f"""
air.channel @in_{number} [2, 2]
air.channel @out_{number} [2, 2] {{broadcast_shape = [2, 2]}}
func.func @f_{number}(%a: {l3}, %b: {l3}) {{
  %c2 = arith.constant 2 : index
  %t0 = air.launch async (%i, %j) in (%si=%c2, %sj=%c2) args(%x=%a, %y=%b) : {l3}, {l3} attributes {{id = {number} : i32}} {{
    %t1 = air.segment @s_{number} async args(%u=%i, %v=%x, %w=%y) : index, {l3}, {l3} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2_0 = arith.constant 2 : index
      %rows = arith.constant {2 * n} : index
      %cols = arith.constant {n} : index
      %t2, %l2 = air.execute -> ({l2}) {{
        %m = memref.alloc() : {l2}
        air.execute_terminator %m : {l2}
      }}
      %t3 = air.dma_memcpy_nd async [%t2] (%l2[] [] [], %v[%u, %c0] [%rows, %cols] [%cols, %c1]) : ({l2}, {l3})
      %t4 = air.channel.put async [%t3] @in_{number}[%c0, %c1] (%l2[%c0, %c0] [%cols, %cols] [%cols, %c1]) : ({l2})
      %t5 = air.herd @h_{number} async [%t4] tile (%p, %q) in (%sp=%c2_0, %sq=%c2_0) args(%g=%w) : {l3} {{
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k8 = arith.constant 8 : index
        %t6, %l1 = air.execute -> ({l1}) {{
          %m = memref.alloc() : {l1}
          air.execute_terminator %m : {l1}
        }}
        %t7 = scf.for %r = %k0 to %k8 step %k1 iter_args(%t = %t6) -> (!air.async.token) {{
          %t8 = air.channel.get async [%t] @in_{number}[%p, %q] (%l1[] [] []) {{id = 3 : i32}} : ({l1})
          %t9 = air.channel.put async [%t8] @out_{number}[%p, %q] (%l1[%r, %k0] [%k8, %k8] [%k8, %k1]) {{id = 4 : i32}} : ({l1})
          %t10 = air.wait_all async [%t8, %t9]
          scf.yield %t10 : !air.async.token
        }}
        %t11 = air.execute [%t7] {{
          memref.dealloc %l1 : {l1}
        }}
      }}
      %t12 = air.execute [%t5] {{
        memref.dealloc %l2 : {l2}
      }}
    }}
  }}
  air.wait_all [%t0]
  return
}}"""


def aie_core(col: int, row: int, number: int) -> str:
    """A core tile with its locks, buffers, core program and DMA program: 31 operations."""
    length = 64 * (1 + number % 7)
    dims = f"[<size = {length // 8}, stride = 8>, <size = 8, stride = 1>]"
    at = f"{col}_{row}"
    chain = "".join(
        f"""
    ^s{bd}:
      aie.use_lock(%full_{at}, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf{bd}_{at} : memref<{length}xi32>, 0, {length}, {dims})
      aie.use_lock(%empty_{at}, Release, 1)
      aie.next_bd ^s{1 - bd}"""
        for bd in (0, 1)
    )
    return f"""
  %tile_{at} = aie.tile({col}, {row})
  %empty_{at} = aie.lock(%tile_{at}, 0) {{init = 2 : i32, sym_name = "empty_{at}"}}
  %full_{at} = aie.lock(%tile_{at}, 1) {{init = 0 : i32, sym_name = "full_{at}"}}
  %buf0_{at} = aie.buffer(%tile_{at}) {{sym_name = "buf0_{at}"}} : memref<{length}xi32>
  %buf1_{at} = aie.buffer(%tile_{at}) {{sym_name = "buf1_{at}"}} : memref<{length}xi32>
  %mem_{at} = aie.mem(%tile_{at}) {{
    %start = aie.dma_start(MM2S, 0, ^s0, ^end){chain}
    ^end:
      aie.end
  }}
  %core_{at} = aie.core(%tile_{at}) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c{length} = arith.constant {length} : index
    %v = arith.constant {number} : i32
    scf.for %i = %c0 to %c{length} step %c1 {{
      aie.use_lock(%empty_{at}, AcquireGreaterEqual, 1)
      memref.store %v, %buf0_{at}[%i] : memref<{length}xi32>
      aie.use_lock(%full_{at}, Release, 1)
    }}
    aie.end
  }}"""


def aie_unit(number: int) -> str:
    """A device of 16 cores, flows to the shim, and a runtime sequence: 455 operations."""
    cols, rows = range(4), range(2, 6)
    lines = [f"aie.device(npu1) @d_{number} {{"]
    for col in cols:
        lines.append(f"  %shim_{col} = aie.tile({col}, 0)")
        lines.append(f"  aie.shim_dma_allocation @out_{col}(%shim_{col}, S2MM, 0)")
        lines += [aie_core(col, row, number) for row in rows]
        lines.append(f"  aie.flow(%tile_{col}_2, DMA : 0, %shim_{col}, DMA : 0)")
    lines.append("  aie.runtime_sequence(%a: memref<4096xi32>) {")
    for col in cols:
        access = f"[0, 0, 0, {1024 * col}][1, 1, 1, 1024][0, 0, 0, 1]"
        lines.append(f"    aiex.npu.dma_memcpy_nd(%a{access}) {{id = {col} : i64, metadata = @out_{col}}} : memref<4096xi32>")
        lines.append(f"    aiex.npu.dma_wait {{symbol = @out_{col}}}")
    return "\n".join([*lines, "  }", "}"])


def text_of(unit: Callable[[int], str], size: int) -> str:
    """About `size` operations."""
    each = count(unit(0))
    return "\n".join(unit(number) for number in range(max(round(size / each), 1)))


def count(text: str) -> int:
    """Operations in `text`, without the module."""
    with new_context():
        return len(walk_post_order(asm.read(text))) - 1


@dataclass(frozen=True)
class Row:
    """Seconds for one text."""

    label: str
    operations: int
    read: float
    rules: float
    parse: float
    write: float
    print: float

    def cells(self) -> list[str]:
        """As shown: microseconds an operation, and how many times MLIR's time."""
        seconds = (self.read, self.rules, self.parse, self.write, self.print)
        us = [f"{s / self.operations * 1e6:.1f}" for s in seconds]
        both = (self.read + self.write) / (self.parse + self.print)
        ratios = [f"{ratio:.2f}" for ratio in (self.read / self.parse, self.write / self.print, both)]
        return [self.label, f"{self.operations:,}", *us[:3], ratios[0], *us[3:], *ratios[1:]]


def measure(label: str, text: str, repeats: int, state: str) -> Row:
    """Medians of `repeats`, of `text` in `state`; MLIR parses what it prints, with the same checks of its own."""
    with new_context(), printing(state):
        module = asm.read(text)
        text = asm.write(module)
        module = asm.read(text)
        generic = module.get_asm(print_generic_op_form=True, assume_verified=True)
        operations = len(walk_post_order(module)) - 1
        actions: list[Callable[[], Any]] = [
            lambda: asm.read(text),
            lambda: dialects.check(module),
            lambda: ir.Operation.parse(generic),
            lambda: asm.write(module),
            lambda: module.get_asm(print_generic_op_form=True, assume_verified=True),
        ]
        times = [[timed(action) for action in actions] for _ in range(repeats)]
    return Row(label, operations, *(median(column) for column in zip(*times, strict=True)))


def timed(action: Callable[[], Any]) -> float:
    """Seconds that `action` takes, not counting the release of what it made."""
    gc.collect()
    start = perf_counter()
    made = action()
    seconds = perf_counter() - start
    del made
    return seconds


def main() -> None:
    """Measures and prints one row for each kind of text and each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of operations")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of which the median counts")
    given = parser.parse_args()
    print("Microseconds an operation: ours (read, of which the dialects' rules take `rules`; write), MLIR's own of the")
    print("generic form (parse, print), and how many times MLIR's time ours is; for the states of 2026-03 and 2026-08.")
    print(" ".join(f"{heading:>10}" for heading in HEADINGS))
    for label, unit in (("AIR", air_unit), ("AIE", aie_unit)):
        for size in given.sizes:
            text = text_of(unit, size)
            for state in STATES:
                row = measure(f"{label} {state[-2:]}", text, given.repeats, state)
                print(" ".join(f"{cell:>10}" for cell in row.cells()), flush=True)


if __name__ == "__main__":
    main()
