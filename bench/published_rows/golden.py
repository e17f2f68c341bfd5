"""mlir-aie's golden hardware traces of vector_scalar_mul, 1024 x i16 a tile (npu1; test/parse-trace): sources.md#timing."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from allo_air import simulate

from .events import after, cycles_of
from .row import Row
from .transfers import middle, periods, transfer, wait

CORE = (0, 2)
TILES = 8

_MEM = """
    aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^in0, ^s1)
    ^in0:
      aie.use_lock(%ip, AcquireGreaterEqual, 1)
      aie.dma_bd(%a0 : memref<1024xi16>, 0, 1024)
      aie.use_lock(%ic, Release, 1)
      aie.next_bd ^in1
    ^in1:
      aie.use_lock(%ip, AcquireGreaterEqual, 1)
      aie.dma_bd(%a1 : memref<1024xi16>, 0, 1024)
      aie.use_lock(%ic, Release, 1)
      aie.next_bd ^in0
    ^s1:
      %1 = aie.dma_start(S2MM, 1, ^f0, ^s2)
    ^f0:
      aie.use_lock(%fp, AcquireGreaterEqual, 1)
      aie.dma_bd(%f : memref<1xi32>, 0, 1)
      aie.use_lock(%fc, Release, 1)
      aie.next_bd ^f0
    ^s2:
      %2 = aie.dma_start(MM2S, 0, ^out0, ^end)
    ^out0:
      aie.use_lock(%oc, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0 : memref<1024xi16>, 0, 1024)
      aie.use_lock(%op, Release, 1)
      aie.next_bd ^out1
    ^out1:
      aie.use_lock(%oc, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1 : memref<1024xi16>, 0, 1024)
      aie.use_lock(%op, Release, 1)
      aie.next_bd ^out0
    ^end:
      aie.end
    }"""


def _kernel(source: str, dest: str) -> str:
    return f"""
        aie.use_lock(%ic, AcquireGreaterEqual, 1)
        aie.use_lock(%op, AcquireGreaterEqual, 1)
        aie.event(0)
        scf.for %i = %z to %n step %lanes {{
          %v = vector.transfer_read {source}[%i], %zero {{in_bounds = [true]}} : memref<1024xi16>, vector<32xi16>
          %w = arith.extsi %v : vector<32xi16> to vector<32xi32>
          %p = arith.muli %w, %fw : vector<32xi32>
          %r = arith.trunci %p : vector<32xi32> to vector<32xi16>
          vector.transfer_write %r, {dest}[%i] {{in_bounds = [true]}} : vector<32xi16>, memref<1024xi16>
        }}
        aie.event(1)
        aie.use_lock(%ip, Release, 1)
        aie.use_lock(%oc, Release, 1)"""


def design() -> str:
    """The design of programming_examples/basic/vector_scalar_mul, its kernel as vector code."""
    host = f"memref<{1024 * TILES}xi16>"
    return f"""module {{ aie.device(npu1_1col) {{
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %a0 = aie.buffer(%t02) : memref<1024xi16>
    %a1 = aie.buffer(%t02) : memref<1024xi16>
    %c0 = aie.buffer(%t02) : memref<1024xi16>
    %c1 = aie.buffer(%t02) : memref<1024xi16>
    %f = aie.buffer(%t02) : memref<1xi32>
    %ip = aie.lock(%t02, 0) {{init = 2 : i32}}
    %ic = aie.lock(%t02, 1)
    %fp = aie.lock(%t02, 2) {{init = 1 : i32}}
    %fc = aie.lock(%t02, 3)
    %op = aie.lock(%t02, 4) {{init = 2 : i32}}
    %oc = aie.lock(%t02, 5)
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t00, DMA : 1, %t02, DMA : 1)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    aie.core(%t02) {{
      %z = arith.constant 0 : index
      %one = arith.constant 1 : index
      %n = arith.constant 1024 : index
      %lanes = arith.constant 32 : index
      %tiles = arith.constant {TILES // 2} : index
      %zero = arith.constant 0 : i16
      aie.use_lock(%fc, AcquireGreaterEqual, 1)
      %fv = memref.load %f[%z] : memref<1xi32>
      %ft = arith.trunci %fv : i32 to i16
      %fb = vector.broadcast %ft : i16 to vector<32xi16>
      %fw = arith.extsi %fb : vector<32xi16> to vector<32xi32>
      scf.for %t = %z to %tiles step %one {{{_kernel("%a0", "%c0")}{_kernel("%a1", "%c1")}
      }}
      aie.use_lock(%fp, Release, 1)
      aie.end
    }}{_MEM}
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @factor (%t00, MM2S, 1)
    aie.shim_dma_allocation @out (%t00, S2MM, 0)
    aie.runtime_sequence(%a : {host}, %f_host : memref<1xi32>, %c : {host}) {{
      {transfer("%c", host, 1024 * TILES, "out", 0, token=True)}
      {transfer("%f_host", "memref<1xi32>", 1, "factor", 1)}
      {transfer("%a", host, 1024 * TILES, "in", 2)}
      {wait("out")}
    }}
  }} }}"""


@cache
def _run() -> Any:
    a = np.arange(1024 * TILES, dtype=np.int16)
    c = np.zeros_like(a)
    report = simulate(design(), a, np.array([3], np.int32), c, trace=True, code="scheduled")
    assert (c == a * 3).all()
    return report


def _steady(name: str, phase: str = "at") -> list[int]:
    return cycles_of(_run(), name, CORE, phase)


def _period() -> float:
    """The middle one of the times from output tile to output tile."""
    return middle(periods(_steady("PORT_RUNNING_MM2S_0", "begin")))


def _between(first: str, second: str, *, first_phase: str = "at", second_phase: str = "at") -> float:
    """Cycles from the fourth `first` to the next `second`."""
    start = _steady(first, first_phase)[3]
    return after(_steady(second, second_phase), start) - start


def _burst() -> float:
    """The middle one of the bursts."""
    begins, ends = _steady("PORT_RUNNING_MM2S_0", "begin"), _steady("PORT_RUNNING_MM2S_0", "end")
    return middle([e - b for b, e in zip(begins, ends, strict=True)])


def _arrival_to_wake() -> float:
    """From the last word of an input tile to the end of the LOCK_STALL that waits for it."""
    last = _steady("PORT_RUNNING_S2MM_0", "end")[4] - 1
    return after(_steady("LOCK_STALL", "end"), last) - last


def _release_to_stream() -> float:
    """From the release of the first output tile (the second of two) to the first word on the stream: no tile is before it."""
    release = after(_steady("LOCK_RELEASE"), _steady("INSTR_EVENT_1")[0])
    release = after(_steady("LOCK_RELEASE"), release + 1)
    return after(_steady("PORT_RUNNING_MM2S_0", "begin"), release) - release


def _lock_spacing() -> float:
    first = after(_steady("LOCK_RELEASE"), _steady("INSTR_EVENT_1")[3])
    return after(_steady("LOCK_RELEASE"), first + 1) - first


def _uncontended() -> float:
    """The shortest LOCK_STALL: of an acquire that need not wait."""
    return min(e - b for b, e in zip(_steady("LOCK_STALL", "begin"), _steady("LOCK_STALL", "end"), strict=True))


def _request() -> float:
    """From a lock instruction to its LOCK_STALL."""
    first = _steady("LOCK_ACQUIRE")[3]
    return after(_steady("LOCK_STALL", "begin"), first) - first


_T = "mlir-aie golden trace"
ROWS = (
    Row("golden", "BD to BD of a channel, steady state", 513, "cycles", "calibration", _T, _period),
    Row("golden", "stream burst of one 1024 x i16 BD", 512, "cycles", "prediction", _T, _burst),
    Row("golden", "S2MM last beat -> LOCK_STALL deasserts", 9, "cycles", "calibration", _T, _arrival_to_wake),
    Row("golden", "LOCK_STALL end -> INSTR_EVENT_0 (2, and one more acquire of 14)", 16, "cycles", "calibration", _T,
        lambda: _between("LOCK_STALL", "INSTR_EVENT_0", first_phase="end")),
    Row("golden", "EVENT_0 -> EVENT_1, 1024 x i16 (Chess, II 2)", 72, "cycles", "informed", _T,
        lambda: _between("INSTR_EVENT_0", "INSTR_EVENT_1")),
    Row("golden", "EVENT_1 -> lock release", 8, "cycles", "calibration", _T, lambda: _between("INSTR_EVENT_1", "LOCK_RELEASE")),
    Row("golden", "lock instruction to lock instruction", 14, "cycles", "calibration", _T, _lock_spacing),
    Row("golden", "LOCK_STALL of an acquire that need not wait", 1, "cycles", "calibration", _T, _uncontended),
    Row("golden", "lock instruction -> LOCK_STALL", 3, "cycles", "calibration", _T, _request),
    Row("golden", "out-of-line release call (S: about 13)", 13, "cycles", "informed", "xdna-emu, Phoenix (S)", _lock_spacing),
    Row("golden", "core release -> MM2S stream start", 12, "cycles", "calibration", _T, _release_to_stream),
)  # fmt: skip
