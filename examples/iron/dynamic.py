"""One design for any number of pieces: the sequence gets the number with each run, and loops over transfers."""

import aie.iron as iron
import numpy as np
from aie.iron import In, ObjectFifo, Out, Program, Runtime, Worker
from aie.iron.controlflow import range_
from aie.utils.verify import assert_pass

N, PIECE = 4096, 512


@iron.jit
def negated(pieces: In, x: In, y: Out):
    whole, part = np.ndarray[(N,), np.dtype[np.int32]], np.ndarray[(64,), np.dtype[np.int32]]
    source, sink = ObjectFifo(part, name="in"), ObjectFifo(part, name="out")

    def core(source, sink):
        a, b = source.acquire(1), sink.acquire(1)
        for i in range_(64):
            b[i] = 0 - a[i]
        source.release(1)
        sink.release(1)

    def sequence(pieces, x, y, source, sink):
        for i in range_(pieces):
            piece = {"sizes": [1, 1, 1, PIECE], "strides": [0, 0, 0, 1], "offset": i * PIECE, "managed": False}
            into, out = source.fill(x, **piece), sink.drain(y, wait=True, **piece)
            out.await_()
            into.free()

    rt = Runtime(sequence, [np.int32, whole, whole, source.prod(), sink.cons()])
    return Program(iron.get_current_device(), rt, [Worker(core, [source.cons(), sink.prod()])]).resolve_program()


x, y = iron.arange(N, dtype=np.int32), iron.zeros(N, dtype=np.int32)
for pieces in (1, 8):
    _, result = negated(pieces, x, y)
    print(f"{pieces} pieces: {result.cycles} cycles")
assert_pass(y.numpy(), -x.numpy())
