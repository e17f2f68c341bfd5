"""Whole-array GEMM designs at given core tiles, as AMD's GEMM study (arXiv 2512.13282) lays them out.

A and B tiles are double-buffered in memtiles and cores, C is single-buffered in cores; the memtile of column r broadcasts A
along core row r, that of column c sends B down its column, and joins the C tiles of its column. A lies in external memory row
by row, B column by column and C row by row. A transfer brings the rows (columns) of a tile of the memtile, which takes the
study's k_mt elements along K, a multiple of a core's: runs of that length. A column of the array has columns of B and C that
lie together, so that strides stay within a BD's. Core kernels take the cycles of the vector
code of bench/core_kernels.py; they compute nothing, as only time is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from allo_air import simulate
from allo_air.sim.cores.kernel import Kernel

from .transfers import wait

LONGEST = 448
"""Bytes of the longest runs along K in the study's rows: with more, products of these sizes get no faster (its figure 6)."""

BITS = {"i8": 8, "i16": 16, "bf16": 16, "i32": 32, "f32": 32}


@dataclass(frozen=True)
class ArrayGemm:
    """M x K x N of `types` (in, out) in core tiles m x k x n on all cores of `device`; `cycles` for a core's m x k x n."""

    device: str
    types: tuple[str, str]
    sizes: tuple[int, int, int]
    tile: tuple[int, int, int]
    cycles: int
    run_length: int = 0
    """Elements along K of a memtile's tiles; 0 for the study's choice."""

    @cached_property
    def along(self) -> int:
        """Elements along K of a memtile's tiles: unless given, the largest that divide K and make runs of at most 448 bytes."""
        K, k = self.sizes[1], self.tile[1]
        fitting = [d * k for d in range(1, K // k + 1) if not K // k % d and d * k * BITS[self.types[0]] <= 8 * LONGEST]
        return self.run_length or max(fitting, default=k)

    @property
    def columns(self) -> int:
        return 4 if self.device == "npu1" else 8

    @cached_property
    def words(self) -> tuple[int, int, int]:
        """Words of a core's tiles of A, B and C."""
        m, k, n = self.tile
        e, o = (BITS[t] for t in self.types)
        return m * k * e // 32, k * n * e // 32, m * n * o // 32

    @cached_property
    def steps(self) -> tuple[int, int, int]:
        """Blocks of the array along M, steps along K, blocks along N."""
        (M, K, N), (m, k, n) = self.sizes, self.tile
        counts = M // (4 * m), K // k, N // (self.columns * n)
        if (counts[0] * 4 * m, counts[1] * k, counts[2] * self.columns * n) != self.sizes:
            raise ValueError(f"{self.sizes} are not multiples of {4 * m} x {k} x {self.columns * n}, one step of all cores")
        return counts

    @property
    def macs(self) -> int:
        M, K, N = self.sizes
        return M * K * N

    def run(self, timing: Any = None) -> Any:
        """The report of the run."""
        a, b, c = self.words
        mm, kk, nn = self.steps
        host = [
            np.zeros(count, np.int32) for count in (4 * mm * kk * a, self.columns * nn * kk * b, mm * nn * 4 * self.columns * c)
        ]
        kernels = {
            "matmul": Kernel(lambda *_: self.cycles, reads=(0, 1, 2), writes=(2,)),
            "zero": Kernel(lambda *_: c // 8, writes=(0,)),  # a store of 256 bits per cycle
        }
        return simulate(self.text(), *host, kernels=kernels, timing=timing, max_cycles=10**9, code="scheduled")

    @property
    def panels(self) -> tuple[int, int]:
        """Words of a memtile's tiles of A and B."""
        a, b, _ = self.words
        return a * self.along // self.tile[1], b * self.along // self.tile[1]

    def text(self) -> str:
        """The design as AIE-dialect text."""
        tiles = [f"%t{c}_{r} = aie.tile({c}, {r})" for c in range(self.columns) for r in range(6)]
        parts = [
            *(self._core(c, r) for c in range(self.columns) for r in range(2, 6)),
            *(self._memtile(c) for c in range(self.columns)),
        ]
        a, b, c = (f"memref<{w}xi32>" for w in self.words)
        functions = f"func.func private @zero(%c: {c})\nfunc.func private @matmul(%a: {a}, %b: {b}, %c: {c})"
        return (
            f"module {{ aie.device({self.device}) {{\n{functions}\n"
            + "\n".join([*tiles, *parts, self._flows(), self._sequence()])
            + "\n} }"
        )

    def _flows(self) -> str:
        flows = []
        for c in range(self.columns):
            if c < 4:
                flows.append(f"aie.flow(%t{c}_0, DMA : 0, %t{c}_1, DMA : 0)")
                flows += [f"aie.flow(%t{c}_1, DMA : 0, %t{d}_{2 + c}, DMA : 0)" for d in range(self.columns)]
                flows.append(f"aie.shim_dma_allocation @a{c} (%t{c}_0, MM2S, 0)")
            flows.append(f"aie.flow(%t{c}_0, DMA : 1, %t{c}_1, DMA : 1)")
            flows += [f"aie.flow(%t{c}_1, DMA : 1, %t{c}_{r}, DMA : 1)" for r in range(2, 6)]
            flows += [f"aie.flow(%t{c}_{r}, DMA : 0, %t{c}_1, DMA : {r})" for r in range(2, 6)]
            flows.append(f"aie.flow(%t{c}_1, DMA : 2, %t{c}_0, DMA : 0)")
            flows.append(f"aie.shim_dma_allocation @b{c} (%t{c}_0, MM2S, 1)")
            flows.append(f"aie.shim_dma_allocation @c{c} (%t{c}_0, S2MM, 0)")
        return "\n".join(flows)

    def _core(self, c: int, r: int) -> str:
        a, b, out = (f"memref<{w}xi32>" for w in self.words)
        t, p = f"%t{c}_{r}", f"%k{c}_{r}_"
        turns = [
            f"""
          aie.use_lock({p}ac, AcquireGreaterEqual, 1)
          aie.use_lock({p}bc, AcquireGreaterEqual, 1)
          func.call @matmul({p}a{i}, {p}b{i}, {p}c0) : ({a}, {b}, {out}) -> ()
          aie.use_lock({p}ap, Release, 1)
          aie.use_lock({p}bp, Release, 1)"""
            for i in range(2)
        ]
        blocks, odd = self.steps[0] * self.steps[2], self.steps[1] % 2
        period = [self._block(p, [turns[n & odd], turns[1 - (n & odd)]], odd=bool(odd)) for n in range(2)]
        return f"""{_storage(p, t, {"a": (a, 2), "b": (b, 2), "c": (out, 1)})}
    aie.core({t}) {{
      %z = arith.constant 0 : index
      %one = arith.constant 1 : index
      %blocks = arith.constant {blocks // 2} : index
      %kk = arith.constant {self.steps[1] // 2} : index
      scf.for %i = %z to %blocks step %one {{{"".join(period)}
      }}{period[0] if blocks % 2 else ""}
      aie.end
    }} {{link_with = "mm.o"}}
    aie.mem({t}) {{
      {_channel(0, "S2MM", 0, p, "a", a, 2, fill=True)}
      {_channel(1, "S2MM", 1, p, "b", b, 2, fill=True)}
      {_channel(2, "MM2S", 0, p, "c", out, 1, fill=False)}
      aie.end
    }}"""

    def _block(self, p: str, turns: list[str], *, odd: bool) -> str:
        """One tile of C: `turns` alternate along K, the first of them also the last if their number is odd."""
        return f"""
        aie.use_lock({p}cp, AcquireGreaterEqual, 1)
        func.call @zero({p}c0) : (memref<{self.words[2]}xi32>) -> ()
        scf.for %k = %z to %kk step %one {{{"".join(turns)}
        }}{turns[0] if odd else ""}
        aie.use_lock({p}cc, Release, 1)"""

    def _memtile(self, c: int) -> str:
        a, b = (f"memref<{w}xi32>" for w in self.panels)
        t, p = f"%t{c}_1", f"%m{c}_"
        column = f"memref<{4 * self.words[2]}xi32>"
        kinds = {"b": (b, 2), "c": (column, 2)} | ({"a": (a, 2)} if c < 4 else {})
        channels = [("S2MM", 1, "b", b, True), ("MM2S", 1, "b", b, False)]
        channels += [("S2MM", 0, "a", a, True), ("MM2S", 0, "a", a, False)] if c < 4 else []
        blocks = [_channel(i, d, n, p, s, kind, 2, fill=fill) for i, (d, n, s, kind, fill) in enumerate(channels)]
        blocks += [
            _channel(len(channels) + r, "S2MM", 2 + r, p, "c", column, 2, fill=True, part=(r, self.words[2])) for r in range(4)
        ]
        blocks.append(_channel(len(channels) + 4, "MM2S", 2, p, "c", column, 2, fill=False, amount=4))
        body = "\n      ".join(blocks)
        return f"{_storage(p, t, kinds, parts={'c': 4})}\n    aie.memtile_dma({t}) {{\n      {body}\n      aie.end\n    }}"

    def _sequence(self) -> str:
        a, b, c = self.words
        mm, kk, nn = self.steps
        sizes = {"%a": 4 * mm * kk * a, "%b": self.columns * nn * kk * b, "%c": mm * nn * 4 * self.columns * c}
        kinds = {name: f"memref<{size}xi32>" for name, size in sizes.items()}
        args = ", ".join(f"{name} : {kind}" for name, kind in kinds.items())
        ops = []
        m, _, n = self.tile
        each, out = BITS[self.types[0]] / 32, BITS[self.types[1]] / 32
        depth, width, run = int(self.sizes[1] * each), int(self.sizes[2] * out), int(self.along * each)
        pieces = self.sizes[1] // self.along
        for i in range(mm):
            if i > 1:
                ops += [wait(f"c{col}") for col in range(self.columns)]
            for col in range(self.columns):
                first, right = 3 * (i % 4), int(n * out)
                down = (nn, 4 * m, right), (right, width, 1), i * 4 * m * width + col * nn * right
                over = (nn, pieces, n, run), (n * depth, run, depth, 1), col * nn * n * depth
                ops.append(_memcpy("%c", kinds, f"c{col}", first, *down, token=True))
                ops.append(_memcpy("%b", kinds, f"b{col}", first + 1, *over))
                if col < 4:
                    rows = (nn, pieces, m, run), (0, run, depth, 1), (4 * i + col) * m * depth
                    ops.append(_memcpy("%a", kinds, f"a{col}", first + 2, *rows))
        ops += [wait(f"c{col}") for _ in range(min(mm, 2)) for col in range(self.columns)]
        return f"aie.runtime_sequence({args}) {{\n" + "\n".join(ops) + "\n}"


def _storage(prefix: str, tile: str, kinds: dict[str, tuple[str, int]], parts: dict[str, int] | None = None) -> str:
    """Buffers and their two locks; a buffer of several parts is free and full in units of a part."""
    lines = []
    for number, (name, (kind, count)) in enumerate(sorted(kinds.items())):
        units = count * (parts or {}).get(name, 1)
        lines += [f"{prefix}{name}{i} = aie.buffer({tile}) : {kind}" for i in range(count)]
        lines.append(f"{prefix}{name}p = aie.lock({tile}, {2 * number}) {{init = {units} : i32}}")
        lines.append(f"{prefix}{name}c = aie.lock({tile}, {2 * number + 1})")
    return "\n    ".join(lines)


def _channel(
    index: int, direction: str, number: int, prefix: str, name: str, kind: str, count: int, *,
    fill: bool, amount: int = 1, part: tuple[int, int] | None = None,
) -> str:  # fmt: skip
    """One DMA channel that goes round its buffers; `part` (which, words) of them, if not all."""
    take, give = ("p", "c") if fill else ("c", "p")
    words = int(kind.removeprefix("memref<").removesuffix("xi32>"))
    offset, length = (part[0] * part[1], part[1]) if part else (0, words)
    blocks = [f"%d{index} = aie.dma_start({direction}, {number}, ^d{index}_0, ^e{index})"]
    for i in range(count):
        blocks.append(f"""^d{index}_{i}:
        aie.use_lock({prefix}{name}{take}, AcquireGreaterEqual, {amount})
        aie.dma_bd({prefix}{name}{i} : {kind}, {offset}, {length})
        aie.use_lock({prefix}{name}{give}, Release, {amount})
        aie.next_bd ^d{index}_{(i + 1) % count}""")
    return "\n      ".join([*blocks, f"^e{index}:"])


def _memcpy(
    value: str, kinds: dict[str, str], symbol: str, bd: int, sizes: tuple[int, ...], strides: tuple[int, ...], offset: int, *,
    token: bool = False,
) -> str:  # fmt: skip
    """`sizes` words, the outermost dimension first; a 3-D transfer has one more of size 1."""
    if len(sizes) == 3:
        sizes, strides = (sizes[0], 1, *sizes[1:]), (strides[0], 0, *strides[1:])
    flag = ", issue_token = true" if token else ""
    walk = "".join(f"[{', '.join(map(str, numbers))}]" for numbers in (sizes, strides))
    options = f"id = {bd} : i64, metadata = @{symbol}{flag}"
    return f"aiex.npu.dma_memcpy_nd({value}[0, 0, 0, {offset}]{walk}) {{{options}}} : {kinds[value]}"
