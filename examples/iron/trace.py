"""A traced design: events of a core and of its DMAs, in the packets of the hardware, read back by `parse_trace`."""

import aie.iron as iron
import numpy as np
from aie.iron import CompileTime, In, ObjectFifo, Out, Program, Runtime, Worker
from aie.iron.controlflow import range_
from aie.utils.trace import parse_trace
from aie.utils.trace.events import CoreEvent, MemEvent
from aie.utils.verify import assert_pass

PART = np.ndarray[(64,), np.dtype[np.int32]]


@iron.jit
def negated(x: In, y: Out, *, n: CompileTime[int], trace_size: CompileTime[int] = 0):
    fin, fout = ObjectFifo(PART, name="in"), ObjectFifo(PART, name="out")

    def core(fin, fout):
        a, b = fin.acquire(1), fout.acquire(1)
        for i in range_(64):
            b[i] = -1 * a[i]
        fin.release(1)
        fout.release(1)

    def sequence(x, y, source, sink):
        source.fill(x)
        sink.drain(y, wait=True)

    whole = np.ndarray[(n,), np.dtype[np.int32]]
    rt = Runtime(sequence, [whole, whole, fin.prod(), fout.cons()])
    worker = Worker(core, [fin.cons(), fout.prod()])
    program = Program(iron.get_current_device(), rt, workers=[worker])
    program.enable_trace(
        trace_size, workers=[worker], coretile_events=[CoreEvent.LOCK_STALL, CoreEvent.INSTR_LOCK_ACQUIRE_REQ],
        coremem_events=[MemEvent.DMA_S2MM_0_START_TASK, MemEvent.DMA_MM2S_0_START_TASK],
    )  # fmt: skip
    return program.resolve_program()


x, size = iron.arange(1024, dtype=np.int32), 8192
y = iron.zeros_like(x)
_, result = negated(x, y, n=1024, trace_size=size)
events = parse_trace(result.trace, str(negated.as_mlir(n=1024, trace_size=size)))
stalls = [e["ts"] for e in events if e["name"] == "LOCK_STALL" and e["ph"] == "B"]
assert stalls == sorted(stalls), "events come in the order of time"
print(f"{len(events)} events; the core waits {len(stalls)} times")
assert_pass(y.numpy(), -x.numpy())
