"""External memory, shim channels and columns, and what a task costs before its data (docs/sources.md#timing)."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from allo_air import simulate
from allo_air.arch import ARCHITECTURES
from allo_air.arch.timing import LAUNCH_MICROSECONDS

from .chain import Chain
from .copies import copy
from .events import cycles_of
from .row import Row
from .transfers import middle, periods, transfer, wait

MHZ = 1800


def microseconds(text: str, *host: Any) -> float:
    """Of a run on npu2, as the host sees it."""
    report = simulate(text, *host, timing=ARCHITECTURES["AIE2p"].timing(MHZ), code="scheduled")
    return report.cycles / MHZ + LAUNCH_MICROSECONDS


def _copied(cached: bool) -> float:
    """Microseconds of a copy of 16 M i32 by eight columns, from an eighth of it."""
    words = 2 * 1024 * 1024 // 8
    a = np.zeros(8 * words, np.int32)
    timing = ARCHITECTURES["AIE2p"].timing(MHZ)
    slower = 1 if cached else timing.ddr_uncached  # the compiler's BDs have AxCache 2
    few, many = (
        simulate(copy("npu2", 8, 1, w), a, a.copy(), timing=timing, code="scheduled").cycles for w in (words // 2, words)
    )
    each = (many - few) / (words / 2) / MHZ * slower
    return many / MHZ + each * 7 * words + LAUNCH_MICROSECONDS


def _reads(columns: int, channels: int, run: int, words: int) -> str:
    """`words` words come by each channel to a memtile that keeps none; in runs of `run` words, each in a place of its own."""
    kind, host = "memref<4096xi32>", f"memref<{16 * words}xi32>"
    parts, ops = [], []
    for c in range(columns):
        parts += [f"%s{c} = aie.tile({c}, 0)", f"%m{c} = aie.tile({c}, 1)", f"%b{c} = aie.buffer(%m{c}) : {kind}"]
        blocks = []
        for n in range(channels):
            parts += [
                f"aie.flow(%s{c}, DMA : {n}, %m{c}, DMA : {n})",
                f"aie.shim_dma_allocation @i{c}_{n} (%s{c}, MM2S, {n})",
            ]
            blocks.append(
                f"%{n} = aie.dma_start(S2MM, {n}, ^a{n}, ^e{n})\n^a{n}:\n"
                f"aie.dma_bd(%b{c} : {kind}, {2048 * n}, 2048)\naie.next_bd ^a{n}\n^e{n}:"
            )
            sizes, strides = (
                ([1, 1, 1, words], [0, 0, 0, 1]) if not run else ([1, 16, words // run // 16, run], [0, run, 16 * run, 1])
            )
            ops.append(
                f"aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0]{sizes}{strides}) "
                f"{{id = {n} : i64, metadata = @i{c}_{n}, issue_token = true}} : {host}"
            )
        parts.append(f"aie.memtile_dma(%m{c}) {{\n" + "\n".join(blocks) + "\naie.end\n}")
    ops += [wait(f"i{c}_{n}") for c in range(columns) for n in range(channels)]
    return "module { aie.device(npu2) {\n" + "\n".join([*parts, f"aie.runtime_sequence(%a : {host}) {{", *ops, "}"]) + "\n} }"


def read_rate(columns: int, channels: int, run: int = 0) -> float:
    """GB/s in the steady state of reads by so many columns and channels of each."""
    timing, words = ARCHITECTURES["AIE2p"].timing(MHZ), (15360, 61440)
    found = [
        simulate(
            _reads(columns, channels, run, w), np.zeros(16 * w, np.int32), timing=timing, strict=False, code="scheduled"
        ).cycles
        for w in words
    ]
    return 4 * (words[1] - words[0]) * columns * channels / (found[1] - found[0]) * MHZ / 1000


@cache
def _objects() -> Any:
    """Objects of 8 words go to a core, which adds one to each, and back (mlir-aie's add_one)."""
    tile, host = "memref<8xi32>", "memref<64xi32>"
    turns = "".join(
        f"""
        aie.use_lock(%ic, AcquireGreaterEqual, 1)
        aie.use_lock(%op, AcquireGreaterEqual, 1)
        scf.for %i = %z to %n step %one {{
          %x = memref.load %a{b}[%i] : {tile}
          %y = arith.addi %x, %k : i32
          memref.store %y, %c{b}[%i] : {tile}
        }}
        aie.use_lock(%ip, Release, 1)
        aie.use_lock(%oc, Release, 1)"""
        for b in range(2)
    )
    rings = "\n".join(
        f"""%{d} = aie.dma_start({way}, 0, ^{x}0, ^e{d})
    ^{x}0:
      aie.use_lock(%{take}, AcquireGreaterEqual, 1)
      aie.dma_bd(%{x}0 : {tile}, 0, 8)
      aie.use_lock(%{give}, Release, 1)
      aie.next_bd ^{x}1
    ^{x}1:
      aie.use_lock(%{take}, AcquireGreaterEqual, 1)
      aie.dma_bd(%{x}1 : {tile}, 0, 8)
      aie.use_lock(%{give}, Release, 1)
      aie.next_bd ^{x}0
    ^e{d}:"""
        for d, (way, x, take, give) in enumerate((("S2MM", "a", "ip", "ic"), ("MM2S", "c", "oc", "op")))
    )
    text = f"""module {{ aie.device(npu1_1col) {{
    %s = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    {chr(10).join(f"%{b} = aie.buffer(%t) : {tile}" for b in ("a0", "a1", "c0", "c1"))}
    %ip = aie.lock(%t, 0) {{init = 2 : i32}}
    %ic = aie.lock(%t, 1)
    %op = aie.lock(%t, 2) {{init = 2 : i32}}
    %oc = aie.lock(%t, 3)
    aie.flow(%s, DMA : 0, %t, DMA : 0)
    aie.flow(%t, DMA : 0, %s, DMA : 0)
    aie.core(%t) {{
      %z = arith.constant 0 : index
      %one = arith.constant 1 : index
      %n = arith.constant 8 : index
      %four = arith.constant 4 : index
      %k = arith.constant 1 : i32
      scf.for %r = %z to %four step %one {{{turns}
      }}
      aie.end
    }}
    aie.mem(%t) {{
    {rings}
      aie.end
    }}
    aie.shim_dma_allocation @in (%s, MM2S, 0)
    aie.shim_dma_allocation @out (%s, S2MM, 0)
    aie.runtime_sequence(%a : {host}, %b : {host}) {{
      {transfer("%b", host, 64, "out", 0, token=True)}
      {transfer("%a", host, 64, "in", 1)}
      {wait("out")}
    }}
  }} }}"""
    a, b = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    report = simulate(text, a, b, trace=True, code="scheduled")
    assert (b == a + 1).all()
    return report


def _first_object() -> float:
    """From the start of the shim's MM2S task to the end of the first object's way out of the core."""
    [start] = cycles_of(_objects(), "DMA_MM2S_0_START_TASK", (0, 0))
    return cycles_of(_objects(), "DMA_MM2S_0_FINISHED_BD", (0, 2))[0] - start


def _object_period() -> float:
    return middle(periods(cycles_of(_objects(), "DMA_MM2S_0_FINISHED_BD", (0, 2))))


@cache
def _push_to_push() -> float:
    """Between the starts of two tasks of two channels."""
    chain = Chain(256)
    host = [np.zeros(chain.words * chain.tiles, np.int32) for _ in range(2)]
    report = simulate(chain.text(), *host, kernels={"work": lambda _: 0}, trace=True, code="scheduled")
    [out], [into] = (cycles_of(report, f"DMA_{d}_0_START_TASK", (0, 0)) for d in ("S2MM", "MM2S"))
    return into - out


_S = "xdna-emu, Phoenix (T)"
_PR, _T2 = "mlir-aie PR 2559", "timing-2.md"
ROWS = (
    Row("bandwidth", "npu2 copy of 16 M i32, 8 columns, AxCache 2", 2016, "us", "calibration", _PR, partial(_copied, True)),
    Row("bandwidth", "npu2 the same, AxCache 0", 2417, "us", "calibration", _PR, partial(_copied, False)),
    Row("bandwidth", "npu2 weights, one channel of a column", 10.16, "GB/s", "calibration", _T2, partial(read_rate, 1, 1)),
    Row("bandwidth", "npu2 weights, two channels of a column", 14.35, "GB/s", "calibration", _T2, partial(read_rate, 1, 2)),
    Row("bandwidth", "npu2 reads by eight columns", 52.7, "GB/s", "calibration", "timing-3.md", partial(read_rate, 8, 2)),
    Row("bandwidth", "npu2 reads in bursts of 16 bytes (about, in a product)", 10, "GB/s", "context", _T2,
        partial(read_rate, 8, 1, 4)),
    Row("bandwidth", "npu2 reads of a packed panel (in a product; 8 channels here)", 47, "GB/s", "context", _T2,
        partial(read_rate, 8, 1)),
    Row("control", "from push to push, one dma_memcpy_nd after the other", 1075, "cycles", "calibration", _S, _push_to_push),
    Row("shim", "first output object of 8 words after a cold start", 1115, "cycles", "calibration", _S, _first_object),
    Row("scalar code", "add_one on objects of 8 words, a period", 67, "cycles", "informed", _S, _object_period),
)  # fmt: skip
