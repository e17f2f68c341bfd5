"""What objectFifos become on AIE1 does what it should: each lock that is a flag is run as two that count, on a device of AIE2.

Acquiring a flag for 0 takes the object's room, releasing it to 1 gives what is in it; and the reverse.
"""

from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air import asm
from allo_air.core import driver, pipeline
from allo_air.core.registry import Registry
from allo_air.core.walking import walk_named
from allo_air.dialects import aie
from allo_air.mlir import ir, new_context

LOWERED = {
    "of March": "aie-objectFifo-stateful-transform{state=2026-03}",
    "of March, choosing": "aie-objectFifo-stateful-transform{state=2026-03 dynamic-objFifos=true}",
    "of August": "aie-objectFifo-stateful-transform",
    "of August, unrolled": "aie-objectFifo-stateful-transform,aie-objectFifo-unroll",
    "of August, not peeled": "aie-objectFifo-stateful-transform,aie-objectFifo-unroll{peel-first-iteration=false}",
}
DESIGN = """
aie.device(xcvc1902) {
  %shim = aie.tile(2, 0)
  %near = aie.tile(2, 3)
  %beside = aie.tile(2, 4)
  %far = aie.tile(3, 2)
  aie.objectfifo @in(%shim, {%far}, [1, DEPTH]) : !aie.objectfifo<memref<4xi32>>
  aie.objectfifo @mid(%far, {%near}, [2, 3]) : !aie.objectfifo<memref<4xi32>>
  aie.objectfifo @next(%near, {%beside}, DEPTH : i32) : !aie.objectfifo<memref<4xi32>>
  aie.objectfifo @out(%beside, {%shim}, [2, 1]) : !aie.objectfifo<memref<4xi32>>
  CORES
}
"""
CORE = """
  aie.core(%TILE) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %trips = arith.constant TRIPS : index
    scf.for %i = %c0 to %trips step %c1 {
      %s = aie.objectfifo.acquire @FROM(Consume, TAKES) : !aie.objectfifosubview<memref<4xi32>>
      %a = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      %b = aie.objectfifo.subview.access %s[LAST] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      %t = aie.objectfifo.acquire @TO(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
      %r = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      scf.for %j = %c0 to %c4 step %c1 {
        %x = memref.load %a[%j] : memref<4xi32>
        %y = memref.load %b[%j] : memref<4xi32>
        %z = arith.addi %x, %y : i32
        memref.store %z, %r[%j] : memref<4xi32>
      }
      aie.objectfifo.release @FROM(Consume, GIVES)
      aie.objectfifo.release @TO(Produce, 1)
    }
    aie.end
  }"""
SEQUENCE = """
    aie.runtime_sequence(%a: memref<SENTxi32>, %b: memref<GOTxi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, GOT][0, 0, 0, 1])
        {id = 0 : i64, metadata = @out_shim_alloc, issue_token = true} : memref<GOTxi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, SENT][0, 0, 0, 1])
        {id = 1 : i64, metadata = @in_shim_alloc} : memref<SENTxi32>
      aiex.npu.dma_wait {symbol = @out_shim_alloc}
    }
"""
_RELEASE = 1


def core(tile: str, source: str, to: str, trips: int, takes: int, gives: int) -> str:
    found = {"TILE": tile, "FROM": source, "TO": to, "TRIPS": trips, "TAKES": takes, "GIVES": gives, "LAST": takes - 1}
    text = CORE
    for name, value in found.items():
        text = text.replace(name, str(value))
    return text


def as_counting(device: Any) -> None:
    """Makes two locks of each, one for an object's room and one for what is in it."""
    pairs: dict[Any, list[Any]] = {}
    for op in walk_named(device, "aie.lock"):
        lock, ip = op.opview, ir.InsertionPoint(op)
        counts = (1 - lock.init, lock.init)
        made = [aie.LockOp(tile=lock.tile, init=n, sym_name=f"{lock.sym_name}_{n0}", ip=ip) for n0, n in enumerate(counts)]
        pairs[lock.lock] = [new.lock for new in made]
    for op in walk_named(device, "aie.use_lock"):
        use, chosen = op.opview, op.operands[0].owner
        if chosen.name == "aie.lock":
            op.operands[0] = pairs[op.operands[0]][use.value]
        else:
            for region in chosen.regions:
                [last] = region.blocks[0].operations
                last.operands[0] = pairs[last.operands[0]][use.value]
        action = "Release" if use.action == _RELEASE else "AcquireGreaterEqual"
        aie.UseLockOp(lock=op.operands[0], action=action, value=1, ip=ir.InsertionPoint(op))
        op.erase()
    for lock in pairs:
        lock.owner.erase()


@pytest.mark.parametrize("passes", LOWERED)
@pytest.mark.parametrize(("depth", "takes", "gives"), [(1, 1, 1), (3, 2, 1), (4, 3, 2), (2, 2, 2)])
def test_flags(passes: str, depth: int, takes: int, gives: int) -> None:
    """Windows from the stream and from the memory beside, and one object after the other between them."""
    trips, rest = 9, 0 if takes == gives else takes - gives
    first = trips
    last = (first - rest) // gives
    cores = core("far", "in", "mid", first, takes, gives) + core("near", "mid", "next", first, 1, 1)
    cores += core("beside", "next", "out", last, takes, gives)
    sent = np.random.default_rng(5).integers(-99, 99, ((first - 1) * gives + takes, 4)).astype(np.int32)

    def windows(rows: Any, trips: int) -> Any:
        return np.stack([rows[i * gives] + rows[i * gives + takes - 1] for i in range(trips)])

    wanted = windows(2 * windows(sent, first), last)
    text = DESIGN.replace("DEPTH", str(depth)).replace("CORES", cores)
    with new_context(), ir.Location.unknown():
        module = asm.read(text, "aie1.mlir")
        steps = pipeline.parse(f"builtin.module(aie.device({LOWERED[passes]}))", Registry())
        driver.run(steps, module, driver.Settings(verify=asm.verify))
        as_counting(walk_named(module, "aie.device")[0])
        lowered = asm.write(module).replace("aie.device(xcvc1902)", "aie.device(npu1)")
    for op in ("objectfifo.", "Acquire,"):
        assert op not in lowered
    body, end = lowered.rsplit("}", 2)[0], "\n  }\n}\n"
    sequence = SEQUENCE.replace("SENT", str(sent.size)).replace("GOT", str(wanted.size))
    found = np.zeros(wanted.size, np.int32)
    report = allo_air.simulate(body + sequence + end, sent.ravel(), found)
    assert report.findings == []
    np.testing.assert_array_equal(found, wanted.ravel())
