"""Designs in which words go from the host over a memtile to one core tile, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from allo_air import simulate

from .transfers import transfer, wait


@dataclass(frozen=True)
class Chain:
    """`tiles` buffers of `words` words go down and come back; `row` is the core's, `dims` walk the memtile's MM2S.

    `dims` are (size, stride) pairs in words, outermost first. `work` cycles pass between a core's acquire and release.
    """

    words: int
    tiles: int = 16
    row: int = 2
    device: str = "npu1_1col"
    dims: Sequence[tuple[int, int]] = ()
    work: int = 0

    @property
    def core(self) -> tuple[int, int]:
        return 0, self.row

    def text(self) -> str:
        """The design; the core copies nothing: it hands its input buffer to the output channel."""
        n, total = self.words, self.words * self.tiles
        walk = ", [" + ", ".join(f"<size = {s}, stride = {t}>" for s, t in self.dims) + "]" if self.dims else ""
        kind, host = f"memref<{n}xi32>", f"memref<{total}xi32>"
        return f"""module {{ aie.device({self.device}) {{
    func.func private @work(%a: {kind})
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %c = aie.tile(0, {self.row})
    {_buffers("m", kind)}{_buffers("c", kind)}
    %mp = aie.lock(%m, 0) {{init = 2 : i32}}
    %mc = aie.lock(%m, 1)
    %cp = aie.lock(%c, 0) {{init = 2 : i32}}
    %cc = aie.lock(%c, 1)
    %cd = aie.lock(%c, 2)
    aie.flow(%s, DMA : 0, %m, DMA : 0)
    aie.flow(%m, DMA : 0, %c, DMA : 0)
    aie.flow(%c, DMA : 0, %s, DMA : 0)
    aie.core(%c) {{
      %z = arith.constant 0 : index
      %one = arith.constant 1 : index
      %n = arith.constant {self.tiles // 2} : index
      scf.for %t = %z to %n step %one {{{_turn("c0", kind)}{_turn("c1", kind)}
      }}
      aie.end
    }} {{link_with = "work.o"}}
    aie.memtile_dma(%m) {{
      %0 = aie.dma_start(S2MM, 0, ^a0, ^next)
      {ring("a", "m", kind, n, "mp", "mc")}
    ^next:
      %1 = aie.dma_start(MM2S, 0, ^b0, ^end)
      {ring("b", "m", kind, n, "mc", "mp", walk)}
    ^end:
      aie.end
    }}
    aie.mem(%c) {{
      %0 = aie.dma_start(S2MM, 0, ^a0, ^next)
      {ring("a", "c", kind, n, "cp", "cc")}
    ^next:
      %1 = aie.dma_start(MM2S, 0, ^b0, ^end)
      {ring("b", "c", kind, n, "cd", "cp")}
    ^end:
      aie.end
    }}
    aie.shim_dma_allocation @in (%s, MM2S, 0)
    aie.shim_dma_allocation @out (%s, S2MM, 0)
    aie.runtime_sequence(%a : {host}, %b : {host}) {{
      {transfer("%b", host, total, "out", 0, token=True)}
      {transfer("%a", host, total, "in", 1)}
      {wait("out")}
    }}
  }} }}"""

    def run(self) -> Any:
        """The traced run; its output is checked."""
        a = np.arange(self.words * self.tiles, dtype=np.int32)
        b = np.zeros_like(a)
        report = simulate(self.text(), a, b, kernels={"work": lambda _: self.work}, trace=True, code="scheduled")
        assert self.dims or (a == b).all()
        return report


def _buffers(tile: str, kind: str) -> str:
    return "".join(f"%{tile}{i} = aie.buffer(%{tile}) : {kind}\n    " for i in range(2))


def _turn(buffer: str, kind: str) -> str:
    return f"""
        aie.use_lock(%cc, AcquireGreaterEqual, 1)
        aie.event(0)
        func.call @work(%{buffer}) : ({kind}) -> ()
        aie.event(1)
        aie.use_lock(%cd, Release, 1)"""


def ring(block: str, tile: str, kind: str, words: int, take: str, give: str, walk: str = "") -> str:
    """A chain of two BDs, each of `words` words of buffers %`tile`0 and %`tile`1, that goes on for ever."""
    bds = []
    for i in range(2):
        bds.append(f"""^{block}{i}:
      aie.use_lock(%{take}, AcquireGreaterEqual, 1)
      aie.dma_bd(%{tile}{i} : {kind}, 0, {words}{walk})
      aie.use_lock(%{give}, Release, 1)
      aie.next_bd ^{block}{1 - i}""")
    return "\n    ".join(bds)
