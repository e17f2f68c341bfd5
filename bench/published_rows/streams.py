"""Microbenchmarks of streams, DMA channels and locks (docs/sources.md#simulator-semantics; docs/sources.md#timing)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from allo_air import simulate

from .chain import Chain
from .events import cycles_of
from .row import Row
from .transfers import middle, periods, transfer, wait

_DONE = "DMA_S2MM_0_FINISHED_BD"
MEM = (0, 1)
SMALL, PACKET, LONG = Chain(8), Chain(16), Chain(256)
STRIDED = Chain(256, dims=((16, 1), (16, 16)))
FAST = Chain(256, device="npu2_1col")


@cache
def _run(chain: Chain) -> Any:
    return chain.run()


def _lag(chain: Chain, first: tuple[str, tuple[int, int]], second: tuple[str, tuple[int, int]]) -> float:
    """From the first `first` event to the first `second`: nothing else is in the way then."""
    report = _run(chain)
    return cycles_of(report, *second)[0] - cycles_of(report, *first)[0]


def _period(words: int) -> float:
    """The middle one of the times from BD to BD of a core tile's S2MM channel that nothing holds up."""
    report = simulate(_sink(words), np.zeros(4096, np.int32), trace=True, code="scheduled")
    return middle(periods(cycles_of(report, _DONE, (0, 2))))


def _burst(chain: Chain, tile: tuple[int, int], port: str) -> float:
    """How long a channel's port runs first: it has not met back-pressure by then."""
    report = _run(chain)
    begins, ends = (cycles_of(report, f"PORT_RUNNING_{port}", tile, phase) for phase in ("begin", "end"))
    return ends[0] - begins[0]


def _hop() -> float:
    """How much longer each of three more tiles makes the way from the memtile to a core."""
    ends = (("DMA_MM2S_0_FINISHED_BD", MEM), (_DONE, SMALL.core)), (("DMA_MM2S_0_FINISHED_BD", MEM), (_DONE, (0, 5)))
    near, far = (_lag(chain, *end) for chain, end in zip((SMALL, Chain(8, row=5)), ends, strict=True))
    return (far - near) / 3


def _staged(row: int) -> float:
    """Words that leave a core tile's memory for a shim that takes none."""
    report = simulate(
        f"""module {{ aie.device(npu1_1col) {{
        %s = aie.tile(0, 0)
        %c = aie.tile(0, {row})
        %b = aie.buffer(%c) : memref<256xi32> = dense<1>
        aie.flow(%c, DMA : 0, %s, DMA : 0)
        aie.mem(%c) {{
          %0 = aie.dma_start(MM2S, 0, ^a, ^end)
        ^a:
          aie.dma_bd(%b : memref<256xi32>, 0, 256)
          aie.next_bd ^end
        ^end:
          aie.end
        }}
        aie.runtime_sequence(%a : memref<1xi32>) {{}}
        }} }}""",
        np.zeros(1, np.int32),
        strict=False,
        code="scheduled",
    )
    [channel] = [c for c in report.channels if c.tile == (0, row)]
    return channel.words


def _sink(words: int) -> str:
    """4096 words go to a core tile in BDs of `words` words without locks."""
    return f"""module {{ aie.device(npu1_1col) {{
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    %b = aie.buffer(%c) : memref<{words}xi32>
    aie.flow(%s, DMA : 0, %c, DMA : 0)
    aie.mem(%c) {{
      %0 = aie.dma_start(S2MM, 0, ^a, ^end)
    ^a:
      aie.dma_bd(%b : memref<{words}xi32>, 0, {words})
      aie.next_bd ^a
    ^end:
      aie.end
    }}
    aie.shim_dma_allocation @in (%s, MM2S, 0)
    aie.runtime_sequence(%a : memref<4096xi32>) {{
      {transfer("%a", "memref<4096xi32>", 4096, "in", 0, token=True)}
      {wait("in")}
    }}
  }} }}"""


_S = "xdna-emu, Phoenix (S)"
ROWS = (
    Row("streams", "memtile S2MM BD done -> MM2S BD done (BD length unknown; 8 words here)", 13, "cycles", "context", _S,
        lambda: _lag(SMALL, (_DONE, MEM), ("DMA_MM2S_0_FINISHED_BD", MEM))),
    Row("streams", "memtile MM2S done -> compute S2MM done (row unknown; row 2 here)", 21, "cycles", "context", _S,
        lambda: _lag(SMALL, ("DMA_MM2S_0_FINISHED_BD", MEM), (_DONE, SMALL.core))),
    Row("streams", "memtile MM2S done -> compute S2MM done (row 5)", 21, "cycles", "context", _S,
        lambda: _lag(Chain(8, row=5), ("DMA_MM2S_0_FINISHED_BD", MEM), (_DONE, (0, 5)))),
    Row("streams", "memtile S2MM done -> compute S2MM done, 13 + 21 (8 words, row 2 here)", 34, "cycles", "context", _S,
        lambda: _lag(SMALL, (_DONE, MEM), (_DONE, SMALL.core))),
    Row("streams", "compute S2MM done -> core acquired (its code goes on)", 15, "cycles", "context", _S,
        lambda: _lag(PACKET, (_DONE, PACKET.core), ("INSTR_EVENT_0", PACKET.core))),
    Row("streams", "compute S2MM, 8-word BDs, period", 8, "cycles", "calibration", _S, lambda: _period(8)),
    Row("streams", "compute S2MM, 16-word BDs, period", 16, "cycles", "calibration", _S, lambda: _period(16)),
    Row("streams", "compute MM2S, 256 words", 244, "cycles", "prediction", _S, lambda: _burst(LONG, LONG.core, "MM2S_0")),
    Row("streams", "memtile MM2S, 256 words, contiguous", 251, "cycles", "prediction", _S, lambda: _burst(LONG, MEM, "MM2S_0")),
    Row("streams", "memtile MM2S, 256 words, strided", 258, "cycles", "prediction", _S, lambda: _burst(STRIDED, MEM, "MM2S_0")),
    Row("streams", "way to the next tile: 2 + 2", 4, "cycles", "calibration", "AM020 (T)", _hop),
    Row("streams", "words on the route to an idle shim (row unknown; row 2 here)", 48, "words", "context", _S,
        lambda: _staged(2)),
    Row("streams", "npu2: 1 KiB over one channel", 128, "cycles", "calibration", "chaining_channels trace (T)",
        lambda: _burst(FAST, (0, 1), "MM2S_0")),
    Row("streams", "npu2: 4 KiB over one channel", 512, "cycles", "prediction", "chaining_channels trace (T)",
        lambda: _burst(Chain(1024, device="npu2_1col"), (0, 1), "MM2S_0")),
)  # fmt: skip
