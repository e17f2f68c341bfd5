"""Deadlocks explained from made-up ends of runs: the missing provider, the cycle, and where counts part."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from allo_air.sim.array import Design
from allo_air.sim.control import LaidOutSequence, control_of
from allo_air.sim.deadlock import explain
from allo_air.sim.flows import routes_of
from allo_air.sim.layout import lay_out
from allo_air.sim.naming import Names
from allo_air.sim.programs import programs_of
from allo_air.sim.report_types import Finding

BODY = """%shim = aie.tile(0, 0)
%t = aie.tile(0, 1)
%prod = aie.lock(%t, 0) {init = 1 : i32, sym_name = "prod"}
%cons = aie.lock(%t, 1) {init = 0 : i32, sym_name = "cons"}
%b = aie.buffer(%t) {sym_name = "b"} : memref<64xi32>
aie.flow(%shim, DMA : 0, %t, DMA : 0)
aie.flow(%t, DMA : 0, %shim, DMA : 0)
%m = aie.memtile_dma(%t) {
  %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
^bb1:
  aie.use_lock(%prod, AcquireGreaterEqual, 1)
  aie.dma_bd(%b : memref<64xi32>, 0, 64)
  RELEASE
  aie.next_bd ^bb1
^bb2:
  %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
^bb3:
  aie.use_lock(%cons, AcquireGreaterEqual, 1)
  aie.dma_bd(%b : memref<64xi32>, 0, 64)
  aie.use_lock(%prod, Release, 1)
  aie.next_bd ^bb3
^bb4:
  aie.end
}
aie.shim_dma_allocation @in (%shim, MM2S, 0)
aie.shim_dma_allocation @out (%shim, S2MM, 0)
aie.runtime_sequence(%x : memref<128xi32>, %y : memref<128xi32>) {
  aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<128xi32>
  aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<128xi32>
  aiex.npu.dma_wait {symbol = @out}
}"""
RELEASED = "aie.use_lock(%cons, Release, 1)"

Explain = Callable[..., Finding]


def agent(unit: str, row: int = -1, direction: int = -1, bd: int = -1, site: int = -1) -> SimpleNamespace:
    column, channel = (0, 0) if unit == "dma" else (-1, -1)
    return SimpleNamespace(unit=unit, col=column, row=row, direction=direction, channel=channel, bd=bd, site=site)


def wait(who: SimpleNamespace, kind: str, **fields: Any) -> SimpleNamespace:
    blank = dict.fromkeys(("col", "row", "lock", "action", "value", "wanted", "direction", "channel", "words"), -1)
    return SimpleNamespace(agent=who, kind=kind, since=7, ports=[], **{**blank, **fields})


def counters(row: int, direction: int, words: int) -> SimpleNamespace:
    return SimpleNamespace(col=0, row=row, direction=direction, channel=0, words=words, bds=words // 64, tasks=1)


TOKEN = wait(agent("controller"), "token", col=0, row=0, direction=0, channel=0)
SHIM_IN = wait(agent("dma", 0, 0, bd=1), "stream-empty", words=0, wanted=128)


@pytest.fixture
def explained(device: Callable[..., Any]) -> Explain:
    def run(waits: list[Any], locks: list[Any] = [], channels: list[Any] = [], release: str = RELEASED) -> Finding:  # noqa: B006
        op = device(BODY.replace("RELEASE", release))
        layout = lay_out(op)
        sequence = next(o for o in op.block.operations if o.operation.name == "aie.runtime_sequence")
        design = Design(layout, *programs_of(layout), routes_of(layout), [])
        names = Names(design, control_of(layout.device, LaidOutSequence(op, sequence, layout).by_operation()))
        result = SimpleNamespace(waits=waits, locks=locks, channels=channels, cores=[], findings=[], cycles=99)
        return explain(names, result)

    return run


def test_lock_that_nobody_releases(explained: Explain) -> None:
    sender = wait(agent("dma", 1, 1, bd=1), "lock", col=0, row=1, lock=1, action=2, value=0, wanted=1)
    use = SimpleNamespace(col=0, row=1, lock=1, initial=0, value=0, acquires=[], releases=[])
    found = explained([TOKEN, SHIM_IN, sender], [use], release="")
    assert (found.kind, found.tile, found.channel, found.lock, found.line) == ("deadlock", (0, 1), "MM2S 0", "cons", 18)
    assert "nothing in the design releases lock cons of memtile (0, 1)" in found.message
    assert "began at 0, was released 0 times and acquired 0 times" in found.message
    assert "waits for the token of a task of S2MM 0 of shim (0, 0)" in found.message


def test_cycle(explained: Explain) -> None:
    sender = wait(agent("dma", 1, 1, bd=1), "lock", col=0, row=1, lock=1, action=2, value=0, wanted=1)
    filler = wait(agent("dma", 1, 0, bd=0), "lock", col=0, row=1, lock=0, action=2, value=0, wanted=1)
    found = explained([TOKEN, SHIM_IN, sender, filler])
    assert found.lock == "prod" and found.line == 11
    assert "this is a cycle: MM2S 0 of memtile (0, 1) waits for S2MM 0 of memtile (0, 1) waits for MM2S 0" in found.message


def test_counts_part(explained: Explain) -> None:
    filler = wait(agent("dma", 1, 0, bd=0), "stream-empty", words=32, wanted=64)
    sender = wait(agent("dma", 1, 1, bd=1), "lock", col=0, row=1, lock=1, action=2, value=0, wanted=1)
    found = explained([TOKEN, SHIM_IN, sender, filler], channels=[counters(0, 1, 96), counters(1, 0, 96)])
    assert (found.tile, found.channel, found.line) == ((0, 1), "S2MM 0", 12)
    assert "received 32 of the 64 words" in found.message
    assert "the counts differ: 96 words were sent and 96 received, and the receiver's BD expects 32 more" in found.message


def test_token_that_nobody_issues(explained: Explain) -> None:
    found = explained(
        [wait(agent("controller"), "token", col=0, row=0, direction=1, channel=0)], channels=[counters(0, 1, 128)]
    )
    assert "1 task queued there, 0 with a token" in found.message
    assert found.tile == (0, 0)
