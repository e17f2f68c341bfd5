"""Matrix times vector in pairs of columns, sums by the cascade, blocks of block floats, a skip with a convolution."""

from itertools import pairwise

import ml_dtypes
import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.iron import CascadeFlow, CompileTime, In, ObjectFifo, Out, Program, Runtime, Worker, kernels
from allo_air.aie.iron.device import NPU1, NPU2, Tile
from allo_air.errors import AlloAirError

RNG = np.random.default_rng(3)


@pytest.fixture(params=[NPU1, NPU2], ids=["npu1", "npu2"], autouse=True)
def device(request):
    iron.set_current_device(request.param())
    yield request.param()
    iron.set_current_device(None)


@pytest.mark.parametrize("vectorized", [True, False])
def test_a_matrix_times_a_vector(vectorized):
    m, k = 32, 64
    a, b = RNG.integers(-99, 99, (m, k)).astype(np.int16), RNG.integers(-99, 99, k).astype(np.int16)

    @iron.jit
    def product(a: In, b: In, c: Out):
        kernel = kernels.mv(m, k, vectorized=vectorized)
        whole, part = np.ndarray[(m * k,), np.dtype[np.int16]], kernel.arg_types()
        into = ObjectFifo(whole, name="a")
        dims = [(k // 2, 2), (m, k), (2, 1)] if vectorized else None
        fa, fb, fc = into.cons().forward(dims_to_stream=dims), ObjectFifo(part[1], name="b"), ObjectFifo(part[2], name="c")

        def core(a, b, c, kernel, zero):
            out = c.acquire(1)
            zero(out)
            kernel(a.acquire(1), b.acquire(1), out)
            for end in (a, b, c):
                end.release(1)

        def sequence(x, y, z, a, b, c):
            a.fill(x)
            b.fill(y)
            c.drain(z, wait=True)

        rt = Runtime(sequence, [whole, part[1], part[2], into.prod(), fb.prod(), fc.cons()])
        worker = Worker(core, [fa.cons(), fb.cons(), fc.prod(), kernel, kernel.zero])
        return Program(iron.get_current_device(), rt, [worker]).resolve_program()

    y = iron.zeros(m, dtype=np.int32)
    product(iron.tensor(a.ravel()), iron.tensor(b), y)
    np.testing.assert_array_equal(y.numpy(), a.astype(np.int32) @ b)


@iron.jit
def chained(a: In, b: In, c: Out, *, dtype: CompileTime[object], result: CompileTime[object]):
    """Three cores, one above the other, each with a third of k."""
    m, k, n = 8, 16, 4
    last = kernels.cascade_mm("get_only", m, k, n, dtype, result)
    kinds = last.arg_types()
    wide = [np.ndarray[(3 * x,), np.dtype[dtype]] for x in (m * k, k * n)]
    whole = [ObjectFifo(t, name=f"w{i}", depth=1) for i, t in enumerate(wide)]
    parts = [
        w.cons(tile=None).split([i * s for i in range(3)], names=[f"p{j}{i}" for i in range(3)], tile=Tile(j, 1))
        for j, (w, s) in enumerate(zip(whole, (m * k, k * n), strict=True))
    ]
    out = ObjectFifo(kinds[2], name="out")

    def core(a, b, c, kernel, zero):
        x, y = a.acquire(1), b.acquire(1)
        if zero is not None:
            z = c.acquire(1)
            zero(z)
            kernel(x, y, z)
            c.release(1)
        else:
            kernel(x, y, c)
        a.release(1)
        b.release(1)

    workers = []
    for i, kernel in enumerate((last.put_only, last.put_get, last)):
        end = out.prod() if i == 2 else iron.Buffer(kinds[2], name=f"unused{i}")
        arguments = [parts[0][i].cons(), parts[1][i].cons(), end, kernel, kernel.zero if i == 2 else None]
        workers.append(Worker(core, arguments, tile=Tile(0, 4 - i)))

    def sequence(x, y, z, a, b, c):
        a.fill(x)
        b.fill(y)
        c.drain(z, wait=True)

    rt = Runtime(sequence, [*wide, kinds[2], *(w.prod() for w in whole), out.cons()])
    rt.add_flow(*(CascadeFlow(first, second) for first, second in pairwise(workers)))
    return Program(iron.get_current_device(), rt, workers).resolve_program()


@pytest.mark.parametrize(("dtype", "result"), [(np.int16, np.int32), (ml_dtypes.bfloat16, np.float32)])
def test_sums_by_the_cascade(dtype, result):
    a, b = RNG.integers(-9, 9, (3, 8, 16)).astype(dtype), RNG.integers(-9, 9, (3, 16, 4)).astype(dtype)
    y = iron.zeros(32, dtype=result)
    chained(iron.tensor(a.ravel()), iron.tensor(b.ravel()), y, dtype=dtype, result=result)
    wanted = np.einsum("imk,ikn->mn", a.astype(np.float64), b.astype(np.float64))
    np.testing.assert_array_equal(y.numpy().reshape(8, 4), wanted)


def test_blocks_of_block_floats(device):
    if device.arch == "AIE2":
        with pytest.raises(AlloAirError, match="emulate_bf16_mmul_with_bfp16 is for bf16 on npu2"):
            kernels.mm(16, 16, 16, ml_dtypes.bfloat16, emulate_bf16_mmul_with_bfp16=True)
        return
    mm = kernels.mm(16, 8, 8, ml_dtypes.bfloat16, np.float32, emulate_bf16_mmul_with_bfp16=True)
    assert mm.mac_dims == (8, 8, 8)
    a, b = RNG.integers(-9, 9, (16, 8)).astype(ml_dtypes.bfloat16), RNG.integers(-9, 9, (8, 8)).astype(ml_dtypes.bfloat16)
    y = iron.zeros(128, dtype=np.float32)

    @iron.jit
    def product(a: In, b: In, c: Out):
        def core(a, b, c, mm, zero):
            out = c.acquire(1)
            zero(out)
            mm(a.acquire(1), b.acquire(1), out)
            for end in (a, b, c):
                end.release(1)

        fifos = [ObjectFifo(t, name=n) for t, n in zip(mm.arg_types(), "abc", strict=True)]

        def sequence(x, y, z, a, b, c):
            a.fill(x)
            b.fill(y)
            c.drain(z, wait=True)

        rt = Runtime(sequence, [*mm.arg_types(), fifos[0].prod(), fifos[1].prod(), fifos[2].cons()])
        worker = Worker(core, [fifos[0].cons(), fifos[1].cons(), fifos[2].prod(), mm, mm.zero])
        return Program(iron.get_current_device(), rt, [worker]).resolve_program()

    product(iron.tensor(a.ravel()), iron.tensor(b.ravel()), y)
    np.testing.assert_array_equal(y.numpy().reshape(16, 8), a.astype(np.float64) @ b.astype(np.float64))


def eights(image):
    """[x][channel] as [channel / 8][x][8]."""
    return image.reshape(image.shape[0], -1, 8).swapaxes(0, 1)


def weights(matrix):
    """[out][in] as [out / 8][in / 8][8 in][8 out]."""
    o, i = matrix.shape
    return matrix.reshape(o // 8, 8, i // 8, 8).transpose(0, 2, 3, 1).ravel()


def test_a_skip_with_a_convolution():
    width, ci, co, cs = 8, 16, 8, 8
    kernel = kernels.conv2dk1_skip_init(width, ci, co, cs)
    one, own = RNG.integers(-9, 9, (co, ci)).astype(np.int8), RNG.integers(-9, 9, (co, cs)).astype(np.int8)
    x, skip = RNG.integers(0, 99, (width, ci)).astype(np.uint8), RNG.integers(-99, 99, (width, cs)).astype(np.int8)
    both = np.concatenate([weights(one), weights(own)])
    numbers = (width, ci, co, cs, 5, 1, 4)

    kept = eights(skip).reshape(width, 1, cs)

    @iron.jit
    def block(x: In, y: Out):
        halves = [t for t in kernel.arg_types() if not isinstance(t, str)]
        pair = ObjectFifo(np.ndarray[(width * ci,), np.dtype[np.uint8]], name="pair")
        parts = pair.cons().split([0, width * ci // 2], obj_types=halves[:2], names=["first", "second"])
        rest = [ObjectFifo(t, name=n, depth=1) for t, n in zip(halves[2:], ("w", "y", "s"), strict=True)]

        def core(a, b, w, y, s, kernel):
            kernel(a.acquire(1), b.acquire(1), w, y.acquire(1), s, *numbers)
            for end in (a, b, y):
                end.release(1)

        held = [iron.Buffer(halves[2], both, name="held"), iron.Buffer(halves[4], kept, name="kept")]

        def sequence(x, y, source, sink):
            source.fill(x)
            sink.drain(y, wait=True)

        rt = Runtime(sequence, [np.ndarray[(width * ci,), np.dtype[np.uint8]], halves[3], pair.prod(), rest[1].cons()])
        worker = Worker(core, [parts[0].cons(), parts[1].cons(), held[0], rest[1].prod(), held[1], kernel])
        return Program(iron.get_current_device(), rt, [worker]).resolve_program()

    y = iron.zeros(co // 8, width, 8, dtype=np.uint8)
    block(iron.tensor(eights(x).ravel()), y)

    def rounded(v, by):
        return (v + (1 << (by - 1))) >> by

    first = np.clip(rounded(x.astype(int) @ one.T.astype(int), 5), -128, 127)
    second = np.clip(rounded(skip.astype(int) @ own.T.astype(int), 4), -128, 127)
    np.testing.assert_array_equal(y.numpy().swapaxes(0, 1).reshape(width, co), np.clip(rounded(first + second, 1), 0, 255))


def from_a_core(kernel, **queue):
    """A design of one core that calls `kernel` on its input and its output, of 32 elements each."""

    @iron.jit
    def design(x: In, y: Out):
        part = np.ndarray[(32,), np.dtype[np.int32]]
        source, sink = ObjectFifo(part, name="in"), ObjectFifo(part, name="out", **queue)

        def core(source, sink, kernel):
            kernel(source.acquire(1), *([] if queue else [sink.acquire(1)]), 32)
            source.release(1)
            if not queue:
                sink.release(1)

        def sequence(x, y, source, sink):
            source.fill(x)
            sink.drain(y, wait=True)

        whole = np.ndarray[(96,), np.dtype[np.int32]]
        rt = Runtime(sequence, [whole, whole, source.prod(), sink.cons()])
        return Program(iron.get_current_device(), rt, [Worker(core, [source.cons(), sink.prod(), kernel])]).resolve_program()

    return design


def test_a_core_that_writes_its_stream():
    part = np.ndarray[(32,), np.dtype[np.int32]]
    source = """#include <aie_api/aie.hpp>
    extern "C" void send(int *a, int n) { for (int i = 0; i < n; i++) put_ms(a[i] + 1, i == n - 1); }"""
    send = iron.ExternalFunction("send", source_string=source, arg_types=[part, np.int32])
    x, y = iron.arange(96, dtype=np.int32), iron.zeros(96, dtype=np.int32)
    from_a_core(send, aie_stream=(0, 0))(x, y)
    np.testing.assert_array_equal(y.numpy(), x.numpy() + 1)


def test_an_object_file_that_is_not_there():
    part = np.ndarray[(32,), np.dtype[np.int32]]
    x, y = iron.arange(96, dtype=np.int32), iron.zeros(96, dtype=np.int32)
    with pytest.raises(
        AlloAirError, match=r"'none\.o' is missing, .*: compile it under allo-env, or put the C\+\+ file 'none\.cc'"
    ):
        from_a_core(iron.Kernel("send", "none.o", [part, part, np.int32]))(x, y)
