"""Microbenchmarks of the shim's DMA and of the control processor (docs/sources.md#simulator-semantics)."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from allo_air import simulate
from allo_air.arch import ARCHITECTURES

from .events import cycles_of
from .row import Row
from .transfers import middle, periods, transfer, wait

SHIM = (0, 0)
WARM_UP = (1739, 804, 497, 422, 398, 399, 364, 369)


def _relay(words: int, tasks: int) -> str:
    """`tasks` tasks of `words` words, one after another, through a memtile buffer that holds them all, and back likewise."""
    kind = host = f"memref<{words * tasks}xi32>"
    ops = []
    for symbol, value in (("in", "%a"), ("out", "%b_host")):
        for t in range(tasks):
            ops += [transfer(value, host, words, symbol, 0, offset=t * words, token=True), wait(symbol)]
    return f"""module {{ aie.device(npu1_1col) {{
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %b = aie.buffer(%m) : {kind}
    %p = aie.lock(%m, 0) {{init = 1 : i32}}
    %c = aie.lock(%m, 1)
    aie.flow(%s, DMA : 0, %m, DMA : 0)
    aie.flow(%m, DMA : 0, %s, DMA : 0)
    aie.memtile_dma(%m) {{
      %0 = aie.dma_start(S2MM, 0, ^a, ^next)
    ^a:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : {kind}, 0, {words * tasks})
      aie.use_lock(%c, Release, 1)
      aie.next_bd ^a
    ^next:
      %1 = aie.dma_start(MM2S, 0, ^b, ^end)
    ^b:
      aie.use_lock(%c, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : {kind}, 0, {words * tasks})
      aie.use_lock(%p, Release, 1)
      aie.next_bd ^b
    ^end:
      aie.end
    }}
    aie.shim_dma_allocation @in (%s, MM2S, 0)
    aie.shim_dma_allocation @out (%s, S2MM, 0)
    aie.runtime_sequence(%a : {host}, %b_host : {host}) {{
      {chr(10).join(ops)}
    }}
  }} }}"""


@cache
def _relayed(words: int, tasks: int) -> Any:
    a = np.arange(words * tasks, dtype=np.int32)
    b = np.zeros_like(a)
    report = simulate(_relay(words, tasks), a, b, trace=True, code="scheduled")
    assert (a == b).all()
    return report


def _durations(words: int, tasks: int, direction: str) -> list[int]:
    report = _relayed(words, tasks)
    starts, ends = (cycles_of(report, f"DMA_{direction}_0_{what}_TASK", SHIM) for what in ("START", "FINISHED"))
    return [e - s for s, e in zip(starts, ends, strict=True)]


def _mean(words: int, direction: str) -> float:
    """Of the tasks after the second, when the channel is warm."""
    durations = _durations(words, 8, direction)[2:]
    return sum(durations) / len(durations)


def _second(words: int) -> float:
    """The second task: the row's 747 cycles are those of a channel that has run little."""
    return float(_durations(words, 8, "MM2S")[1])


def _pushes() -> float:
    """From start to start of tasks on a channel that has become idle, each pushed after the wait for the one before."""
    starts = cycles_of(_relayed(64, 8), "DMA_MM2S_0_START_TASK", SHIM)
    return middle(periods(starts))


@cache
def _controller(op: str, count: int = 20) -> Any:
    body = {
        "write32": "aiex.npu.write32 {address = 0x1F0F0 : ui32, column = 0 : i32, row = 2 : i32, value = 1 : ui32}",
        "maskwrite": "aiex.npu.maskwrite32 {address = 0x1F0F0 : ui32, column = 0 : i32, row = 2 : i32, value = 1 : ui32, "
        "mask = 63 : ui32}",
        "blockwrite": "aiex.npu.blockwrite(%d) {address = 0x1D1E0 : ui32} : memref<8xi32>",
    }[op]
    return (
        simulate(
            f"""module {{ aie.device(npu1_1col) {{
        memref.global "private" constant @data : memref<8xi32> = dense<1>
        %s = aie.tile(0, 0)
        %t = aie.tile(0, 2)
        aie.runtime_sequence(%a : memref<1xi32>) {{
          %d = memref.get_global @data : memref<8xi32>
          {(body + chr(10)) * count}
        }} }} }}""",
            np.zeros(1, np.int32),
            code="scheduled",
        ).controller.busy
        / count
    )


_S = "xdna-emu, Phoenix (S)"
ROWS = (
    *(Row("shim", f"chained task {i + 1} of 8, 256 B, MM2S", float(cycles), "cycles", "calibration", _S,
          partial(lambda i: float(_durations(64, 8, "MM2S")[i]), i)) for i, cycles in enumerate(WARM_UP)),
    *(Row("shim", f"MM2S, one BD of {n} words: 747 + 1.05 N", 747 + 1.05 * n, "cycles", "calibration", _S, partial(_second, n))
      for n in (1024, 2048, 4096)),
    *(Row("shim", f"S2MM, one BD of {n} words: 171 + 1.00 N", 171.0 + n, "cycles", "calibration", _S, partial(_mean, n, "S2MM"))
      for n in (1024, 2048, 4096)),
    Row("control", "write32", 100.5, "cycles", "calibration", _S, lambda: _controller("write32")),
    Row("control", "blockwrite of 8 words", 203, "cycles", "calibration", _S, lambda: _controller("blockwrite")),
    Row("control", "maskwrite", 210, "cycles", "calibration", _S, lambda: _controller("maskwrite")),
    Row("control", "from push to push on an idle queue", 3050, "cycles", "calibration", _S, _pushes),
    Row("control", "tail of a sequence's last dma_wait", 8000, "cycles", "calibration", _S,
        lambda: ARCHITECTURES["AIE2"].timing().token_tail),
)  # fmt: skip
