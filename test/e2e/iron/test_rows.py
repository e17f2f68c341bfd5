"""The control flow of convolutions: lines one by one, in tiles, with a skip, three at a time; and the cascade of `bn_`."""

import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.iron import (
    Buffer,
    CascadeFlow,
    CompileTime,
    ExternalFunction,
    In,
    ObjectFifo,
    Out,
    Program,
    Runtime,
    Worker,
    kernels,
)
from allo_air.aie.iron.algorithms import row_at_a_time, row_at_a_time_tiled, row_at_a_time_with_skip, sliding_3row
from allo_air.aie.iron.device import NPU1, NPU2, Tile
from allo_air.errors import AlloAirError

ROWS, WIDTH = 6, 16
LINE = np.ndarray[(WIDTH,), np.dtype[np.int32]]
ALL = np.ndarray[(ROWS * WIDTH,), np.dtype[np.int32]]


@pytest.fixture(autouse=True, params=[NPU1, NPU2])
def device(request):
    iron.set_current_device(request.param())


def function(name, body, arrays, scalars):
    kinds = [f"int32_t *p{n}" for n in range(arrays)] + [f"int32_t s{n}" for n in range(scalars)]
    text = f'#include <stdint.h>\nextern "C" void {name}({", ".join(kinds)}) {{ {body} }}'
    return ExternalFunction(name, source_string=text, arg_types=[LINE] * arrays + [np.int32] * scalars)


@iron.jit
def by_rows(x: In, y: Out, *, how: CompileTime[str]):
    fin, fout = ObjectFifo(LINE, name="in", depth=4), ObjectFifo(LINE, name="out")
    weights = Buffer(LINE, np.arange(WIDTH, dtype=np.int32), name="weights")
    loop = f"for (int i = 0; i < {WIDTH}; i++)"
    kernel = {
        "one": function("one", f"{loop} p2[i] = p0[i] * p1[i] + s0;", 3, 1),
        "tiled": function("tiled", f"{loop} p1[i] = p0[i] + s0;", 2, 1),
        "three": function("three", f"{loop} p4[i] = (s1 == 0 ? 0 : p0[i]) + p3[i] * p1[i] + (s1 == 2 ? 0 : p2[i]) * s0;", 5, 2),
    }[how]

    def core(fin, fout, weights, kernel):
        if how == "one":
            row_at_a_time(fin, weights, fout, kernel, ROWS, params=[7])
        elif how == "tiled":
            row_at_a_time_tiled(kernel, fin, fout, rows=ROWS, tiles=2, params=lambda tile: [tile])
        else:
            sliding_3row(kernel, fin, fout, ROWS, weights=weights, params=[10], check_at=1)

    def sequence(x, y, source, sink):
        source.fill(x)
        sink.drain(y, wait=True)

    out = np.ndarray[(ROWS * WIDTH * (2 if how == "tiled" else 1),), np.dtype[np.int32]]
    rt = Runtime(sequence, [ALL, out, fin.prod(), fout.cons()])
    return Program(iron.get_current_device(), rt, [Worker(core, [fin.cons(), fout.prod(), weights, kernel])]).resolve_program()


@pytest.mark.parametrize("how", ["one", "tiled", "three"])
def test_lines(how):
    x, weights = np.random.default_rng(1).integers(-99, 99, (ROWS, WIDTH)).astype(np.int32), np.arange(WIDTH)
    out = iron.zeros(ROWS, 2 if how == "tiled" else 1, WIDTH, dtype=np.int32)
    by_rows(iron.tensor(x.ravel()), out, how=how)
    above, below = np.pad(x, ((1, 1), (0, 0)))[:-2], np.pad(x, ((1, 1), (0, 0)))[2:]
    wanted = {
        "one": lambda: (x * weights + 7)[:, None],
        "tiled": lambda: np.stack([x, x + 1], 1),
        "three": lambda: (above + weights * x + 10 * below)[:, None],
    }[how]()
    np.testing.assert_array_equal(out.numpy(), wanted)


@iron.jit
def skipped(x: In, y: Out):
    fin, fout = ObjectFifo(LINE, name="in"), ObjectFifo(LINE, name="out")
    weights = Buffer(LINE, np.arange(WIDTH, dtype=np.int32), name="weights")
    kernel = function("skip", f"for (int i = 0; i < {WIDTH}; i++) p2[i] = p0[i] * p1[i] + p3[i] * s0;", 4, 1)
    kept = fin.cons(4).forward(name="kept", depth=4)

    def core(fin, kept, fout, weights, kernel):
        row_at_a_time_with_skip(fin, kept, fout, weights, kernel, ROWS, params=[3])

    def sequence(x, y, source, sink):
        source.fill(x)
        sink.drain(y, wait=True)

    rt = Runtime(sequence, [ALL, ALL, fin.prod(), fout.cons()])
    worker = Worker(core, [fin.cons(), kept.cons(), fout.prod(), weights, kernel])
    return Program(iron.get_current_device(), rt, [worker]).resolve_program()


def test_a_skip():
    x = np.random.default_rng(2).integers(-99, 99, (ROWS, WIDTH)).astype(np.int32)
    out = iron.zeros(ROWS, WIDTH, dtype=np.int32)
    skipped(iron.tensor(x.ravel()), out)
    np.testing.assert_array_equal(out.numpy(), x * np.arange(WIDTH) + 3 * x)


@iron.jit
def halves(x: In, y: Out, *, first: CompileTime[bytes], second: CompileTime[bytes]):
    width, ci, co = 4, 8, 8
    put, get = kernels.bn_conv2dk1_i8_put(width, ci, co), kernels.bn_conv2dk1_i8_get(width, ci, co)
    line, _, out = (k for k in get.arg_types() if not isinstance(k, str))
    whole = ObjectFifo(np.ndarray[(2 * width * ci,), np.dtype[np.uint8]], name="whole", depth=1)
    parts = whole.cons().split([0, width * ci], obj_types=[line, line], names=["a", "b"])
    fout = ObjectFifo(out, name="out")
    held = [Buffer(initial_value=np.frombuffer(w, np.int8), name=f"w{i}") for i, w in enumerate((first, second))]

    def gives(a, w, put):
        put(a.acquire(1), w, width, ci, co)
        a.release(1)

    def takes(b, w, y, get):
        get(b.acquire(1), w, y.acquire(1), width, ci, co, 4)
        b.release(1)
        y.release(1)

    def sequence(x, y, source, sink):
        source.fill(x)
        sink.drain(y, wait=True)

    workers = [
        Worker(gives, [parts[0].cons(), held[0], put], tile=Tile(0, 4)),
        Worker(takes, [parts[1].cons(), held[1], fout.prod(), get], tile=Tile(0, 3)),
    ]
    rt = Runtime(sequence, [np.ndarray[(2 * width * ci,), np.dtype[np.uint8]], out, whole.prod(), fout.cons()])
    rt.add_flow(CascadeFlow(*workers))
    return Program(iron.get_current_device(), rt, workers).resolve_program()


def test_halves_of_the_channels_by_the_cascade():
    rng = np.random.default_rng(4)
    x, w = rng.integers(0, 50, (2, 4, 8)).astype(np.uint8), rng.integers(-9, 9, (2, 8, 8)).astype(np.int8)  # w: [part][in][out]
    y = iron.zeros(4, 8, dtype=np.int8)
    halves(iron.tensor(x.ravel()), y, first=w[0].tobytes(), second=w[1].tobytes())
    sums = np.einsum("pxi,pio->xo", x.astype(int), w.astype(int))
    np.testing.assert_array_equal(y.numpy(), np.clip((sums + 8) >> 4, -128, 127))


def test_what_is_missing():
    with pytest.raises(AlloAirError, match="outside of a core"):
        sliding_3row(None)


def loops(how, rows):
    def core(fin, more, fout, kernel):
        how(fin, more, more, fout, kernel, rows) if rows is not None else how(fin, fout, kernel, 1)

    def sequence(x, y, source, other, sink):
        source.fill(x)
        other.fill(x)
        sink.drain(y, wait=True)

    fin, more, fout = (ObjectFifo(LINE, name=name, depth=4) for name in ("lines", "more", "out"))
    rt = Runtime(sequence, [ALL, ALL, fin.prod(), more.prod(), fout.cons()])
    worker = Worker(core, [fin.cons(), more.cons(), fout.prod(), function("nothing", "", 3, 0)])
    return Program(iron.get_current_device(), rt, [worker]).resolve_program()


@pytest.mark.parametrize("how", [row_at_a_time, sliding_3row])
def test_a_consumer_too_many(how):
    with pytest.raises(AlloAirError, match=f"{how.__name__} takes one consumer for the lines .* 'more' is one too many"):
        loops(how, ROWS)


def test_one_line_is_not_three():
    with pytest.raises(AlloAirError, match="sliding_3row: rows is 1, expected 2 or more"):
        loops(sliding_3row, None)
