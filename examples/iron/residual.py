"""A residual block of three cores: 1x1, 3x3 over three lines, 1x1 and the sum with the input, which waits in a memtile."""

import aie.iron as iron
import numpy as np
from aie.iron import CompileTime, In, ObjectFifo, Out, Program, Runtime, TaskGroup, Worker, kernels
from aie.iron.controlflow import range_
from aie.utils.verify import assert_pass

SCALE, SKIP_SCALE = 7, 1


@iron.jit
def block(x: In, w: In, y: Out, *, rows: CompileTime[int], width: CompileTime[int], c: CompileTime[int], mid: CompileTime[int]):
    narrow = kernels.conv2dk1(width, c, mid, np.int8)
    middle = kernels.conv2dk3(width, mid, mid // 2, np.uint8, weight_channels=mid)  # half of the channels a call
    wide = kernels.conv2dk1_skip(width, mid, c, np.int8)

    def line(channels, dtype):
        return np.ndarray[(width, 1, channels), np.dtype[dtype]]

    def flat(n, dtype=np.int8):
        return np.ndarray[(n,), np.dtype[dtype]]

    sizes = [c * mid, 9 * mid * mid, mid * c]
    starts = [0, sizes[0], sizes[0] + sizes[1]]
    fx = ObjectFifo(line(c, np.int8), name="act")
    skip = fx.cons(depth=6).forward(name="skip", depth=2)
    fw = ObjectFifo(flat(sum(sizes)), depth=1, name="weights")
    w1, w2, w3 = fw.cons().split(starts, depths=[1] * 3, obj_types=[flat(n) for n in sizes], names=["w1", "w2", "w3"])
    first = ObjectFifo(line(mid, np.uint8), depth=4, name="first")
    half = line(mid // 2, np.uint8)
    halves = [ObjectFifo(half, name=f"second{i}") for i in range(2)]
    out = ObjectFifo(line(c, np.uint8), name="out")

    def narrowed(x, w, y, kernel):
        held = w.acquire(1)
        for _ in range_(rows):
            kernel(x.acquire(1), held, y.acquire(1), width, c, mid, SCALE)
            x.release(1)
            y.release(1)
        w.release(1)

    def windowed(x, w, low, high, kernel):
        held = w.acquire(1)

        def both(above, here, below, check):
            for end, offset in ((low, 0), (high, mid // 2)):
                kernel(above, here, below, held, end.acquire(1), width, mid, mid // 2, 3, 3, check, SCALE, offset)
                end.release(1)

        lines = x.acquire(2)
        both(lines[0], lines[0], lines[1], 0)
        for _ in range_(rows - 2):
            lines = x.acquire(3)
            both(*lines, 1)
            x.release(1)
        lines = x.acquire(2)
        both(lines[0], lines[1], lines[1], 2)
        x.release(2)
        w.release(1)

    def widened(low, high, w, skip, y, kernel):
        held = w.acquire(1)
        for _ in range_(rows):
            kernel(
                low.acquire(1), high.acquire(1), held, y.acquire(1), skip.acquire(1), width, mid, c, SCALE, SKIP_SCALE
            )  # fmt: skip
            for end in (low, high, skip, y):
                end.release(1)
        w.release(1)

    def sequence(x, w, y, source, held, sink):
        group = TaskGroup()
        held.fill(w, group=group)
        source.fill(x, group=group)
        sink.drain(y, wait=True, group=group)
        group.finish()

    low, high = halves
    workers = [
        Worker(narrowed, [fx.cons(), w1.cons(), first.prod(), narrow]),
        Worker(windowed, [first.cons(), w2.cons(), low.prod(), high.prod(), middle]),
        Worker(widened, [low.cons(), high.cons(), w3.cons(), skip.cons(), out.prod(), wide]),
    ]
    arrays = [flat(rows * width * c), flat(sum(sizes)), flat(rows * width * c, np.uint8)]
    rt = Runtime(sequence, [*arrays, fx.prod(), fw.prod(), out.cons()])
    return Program(iron.get_current_device(), rt, workers=workers).resolve_program()


def in_lines(a):
    """(channels, rows, width) as rows, channels / 8, width, 8."""
    return a.reshape(a.shape[0] // 8, 8, *a.shape[1:]).transpose(2, 0, 3, 1)


def in_blocks(w):
    """(out, in, y, x) as out / 8, in / 8, y, x, 8 in, 8 out."""
    o, i, kh, kw = w.shape
    return w.reshape(o // 8, 8, i // 8, 8, kh, kw).transpose(0, 2, 4, 5, 3, 1).astype(np.int8).ravel()


def shifted(a, by, low, high):
    return np.clip((a + (1 << (by - 1))) >> by, low, high)


rows, width, c, mid = 8, 8, 32, 16
rng = np.random.default_rng(0)
image = rng.integers(-64, 64, (c, rows, width))
filters = [rng.integers(-16, 16, s) for s in ((mid, c, 1, 1), (mid, mid, 3, 3), (c, mid, 1, 1))]
one = shifted(np.einsum("irx,oi->orx", image, filters[0][..., 0, 0]), SCALE, 0, 255)
views = np.lib.stride_tricks.sliding_window_view(np.pad(one, ((0, 0), (1, 1), (1, 1))), (3, 3), axis=(1, 2))
two = shifted(np.einsum("irxab,oiab->orx", views, filters[1]), SCALE, 0, 255)
three = shifted(np.einsum("irx,oi->orx", two, filters[2][..., 0, 0]), SCALE, -128, 127)
expected = shifted(three + image, SKIP_SCALE, 0, 255).astype(np.uint8)

x = iron.tensor(in_lines(image).astype(np.int8).ravel())
w = iron.tensor(np.concatenate([in_blocks(f) for f in filters]))
y = iron.zeros(rows * width * c, dtype=np.uint8)
block(x, w, y, rows=rows, width=width, c=c, mid=mid)
assert_pass(y.numpy(), in_lines(expected).ravel())
