"""Prints a design: 16-bit numbers times a factor, which comes in a queue of its own."""

import argparse

import numpy as np
from aie.iron import Kernel, ObjectFifo, Program, Runtime, Worker
from aie.iron.controlflow import range_
from aie.iron.device import NPU2, NPU1Col1
from aie.iron.placers import SequentialPlacer

parser = argparse.ArgumentParser()
parser.add_argument("-d", "--dev", default="npu")
parser.add_argument("-n", type=int, default=1024)
parser.add_argument("-t", "--trace_size", type=int, default=0)
options = parser.parse_args()

whole = np.ndarray[(options.n,), np.dtype[np.int16]]
part = np.ndarray[(options.n // 4,), np.dtype[np.int16]]
one = np.ndarray[(1,), np.dtype[np.int32]]
scaled = Kernel("scaled", "scaled.o", [part, part, one, np.int32])
source, factor, sink = ObjectFifo(part, name="in"), ObjectFifo(one, name="factor"), ObjectFifo(part, name="out")


def core(source, factor, sink, scaled):
    by = factor.acquire(1)
    for _ in range_(4):
        scaled(source.acquire(1), sink.acquire(1), by, options.n // 4)
        source.release(1)
        sink.release(1)
    factor.release(1)


worker = Worker(core, [source.cons(), factor.cons(), sink.prod(), scaled], trace=1)
rt = Runtime()
with rt.sequence(whole, one, whole) as (a, f, c):
    rt.enable_trace(options.trace_size)
    rt.start(worker)
    rt.fill(source.prod(), a)
    rt.fill(factor.prod(), f)
    rt.drain(sink.cons(), c, wait=True)
device = NPU1Col1() if options.dev == "npu" else NPU2()
print(Program(device, rt).resolve_program(SequentialPlacer()))
