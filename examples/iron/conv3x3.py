"""A 3x3 convolution: the core holds a window of three lines of the image, which slides; edges are zero."""

import aie.iron as iron
import numpy as np
from aie.iron import CompileTime, In, ObjectFifo, Out, Program, Runtime, TaskGroup, Worker, kernels
from aie.iron.controlflow import range_
from aie.utils.verify import assert_pass

SCALE = 8


@iron.jit
def conv(x: In, w: In, y: Out, *, rows: CompileTime[int], width: CompileTime[int], ci: CompileTime[int], co: CompileTime[int]):
    kernel = kernels.conv2dk3(width, ci, co, np.uint8)
    line_in, line_out = np.ndarray[(width, 1, ci), np.dtype[np.uint8]], np.ndarray[(width, 1, co), np.dtype[np.uint8]]
    weights = np.ndarray[(9 * ci * co,), np.dtype[np.int8]]
    fin, fout = ObjectFifo(line_in, depth=4, name="in"), ObjectFifo(line_out, name="out")
    fw = ObjectFifo(weights, depth=1, name="weights")

    def core(fin, fw, fout, kernel):
        held = fw.acquire(1)

        def line(above, here, below, check):
            out = fout.acquire(1)
            kernel(above, here, below, held, out, width, ci, co, 3, 3, check, SCALE, 0)
            fout.release(1)

        first = fin.acquire(2)
        line(first[0], first[0], first[1], 0)
        for _ in range_(rows - 2):
            window = fin.acquire(3)
            line(window[0], window[1], window[2], 1)
            fin.release(1)
        last = fin.acquire(2)
        line(last[0], last[1], last[1], 2)
        fin.release(2)
        fw.release(1)

    def sequence(x, w, y, source, held, sink):
        group = TaskGroup()
        held.fill(w, group=group)
        source.fill(x, group=group)
        sink.drain(y, wait=True, group=group)
        group.finish()

    arrays = [np.ndarray[(rows * width * c,), np.dtype[np.uint8]] for c in (ci, co)]
    rt = Runtime(sequence, [arrays[0], weights, arrays[1], fin.prod(), fw.prod(), fout.cons()])
    worker = Worker(core, [fin.cons(), fw.cons(), fout.prod(), kernel])
    return Program(iron.get_current_device(), rt, workers=[worker]).resolve_program()


rows, width, ci, co = 8, 16, 16, 8
rng = np.random.default_rng(0)
image = rng.integers(0, 32, (ci, rows, width)).astype(np.int32)
filters = rng.integers(-16, 16, (co, ci, 3, 3)).astype(np.int32)
padded = np.pad(image, ((0, 0), (1, 1), (1, 1)))
views = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))  # ci, rows, width, 3, 3
sums = np.einsum("irxab,oiab->orx", views, filters)
expected = np.clip((sums + (1 << (SCALE - 1))) >> SCALE, 0, 255).astype(np.uint8)

lines = image.reshape(ci // 8, 8, rows, width).transpose(2, 0, 3, 1).astype(np.uint8)  # rows, ci / 8, x, 8
blocks = filters.reshape(co // 8, 8, ci // 8, 8, 3, 3).transpose(0, 2, 4, 5, 3, 1).astype(np.int8)
x, w = iron.tensor(lines.ravel()), iron.tensor(blocks.ravel())
y = iron.zeros(rows * width * co, dtype=np.uint8)
conv(x, w, y, rows=rows, width=width, ci=ci, co=co)
found = y.numpy().reshape(rows, co // 8, width, 8).transpose(1, 3, 0, 2).reshape(co, rows, width)
assert_pass(found, expected)
