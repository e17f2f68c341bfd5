"""A copy over all columns of the device, two channels each, through the memtiles. Runs as `allo-env python passthrough.py`."""

import aie.iron as iron
import numpy as np
from aie.helpers.taplib import TensorAccessPattern
from aie.iron import CompileTime, In, ObjectFifo, Out, Program, Runtime, TaskGroup
from aie.utils.benchmark import print_benchmark, run_iters
from aie.utils.verify import assert_pass


@iron.jit
def passthrough(x: In, y: Out, *, n: CompileTime[int], line: CompileTime[int] = 512):
    device = iron.get_current_device()
    lanes, whole = 2 * device.cols, np.ndarray[(n,), np.dtype[np.int32]]
    each = n // lanes
    ins = [ObjectFifo(np.ndarray[(line,), np.dtype[np.int32]], name=f"in{c}") for c in range(lanes)]
    outs = [fifo.cons().forward(name=f"out{c}") for c, fifo in enumerate(ins)]

    def sequence(x, y, sources, sinks):
        group = TaskGroup()
        for c, (source, sink) in enumerate(zip(sources, sinks, strict=True)):
            tap = TensorAccessPattern((n,), c * each, [1, 1, 1, each], [0, 0, 0, 1])
            source.fill(x, tap=tap, group=group)
            sink.drain(y, tap=tap, wait=True, group=group)
        group.finish()

    rt = Runtime(sequence, [whole, whole, [f.prod() for f in ins], [f.cons() for f in outs]])
    return Program(device, rt).resolve_program()


x = iron.arange(32768, dtype=np.int32, device="npu")
y = iron.zeros_like(x)
print_benchmark(run_iters(passthrough, x, y, n=32768))
assert_pass(y.numpy(), x.numpy())
