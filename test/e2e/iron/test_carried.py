"""Values and tasks that loops carry, numbers of transfers known at run time, verbs of aiex, init values of queues."""

import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.dialects.aiex import dma_await_task, dma_start_task, dma_wait, npu_dma_memcpy_nd, shim_dma_single_bd_task
from allo_air.aie.extras import types as T
from allo_air.aie.extras.dialects import arith, memref
from allo_air.aie.iron import CompileTime, ExternalFunction, In, ObjectFifo, Out, Program, Runtime, Worker, kernels
from allo_air.aie.iron.controlflow import range_, yield_
from allo_air.aie.iron.device import NPU1, NPU2
from allo_air.errors import AlloAirError

N, TILE = 512, 64


@pytest.fixture(params=[NPU1, NPU2], ids=["npu1", "npu2"], autouse=True)
def device(request):
    iron.set_current_device(request.param())
    yield
    iron.set_current_device(None)


def array(shape, dtype=np.int32):
    return np.ndarray[tuple(shape), np.dtype[dtype]]


def resolved(core, sequence, types, *fifos):
    rt = Runtime(sequence, [*types, fifos[0].prod(), fifos[1].cons()])
    worker = Worker(core, [fifos[0].cons(), fifos[1].prod()])
    return Program(iron.get_current_device(), rt, [worker]).resolve_program()


@iron.jit
def sums(x: In, y: Out, *, step: CompileTime[int] = 1):
    source, sink = ObjectFifo(array([TILE]), name="in"), ObjectFifo(array([2]), name="out")

    def core(source, sink):
        a, b = source.acquire(1), sink.acquire(1)
        for i, (total, most), (all_of, last) in range_(0, TILE, step, iter_args=[0, -1000]):  # noqa: B007
            value = a[i]
            yield_([total + value, arith.select(arith.cmpi("sgt", value, most), value, most)])
        b[0], b[1] = all_of, last
        source.release(1)
        sink.release(1)

    def sequence(x, y, source, sink):
        piece = {"sizes": [1, 1, 1, TILE], "strides": [0, 0, 0, 1], "wait": True, "managed": False}
        first = source.fill(x, offset=0, **piece)
        for i, before, last in range_(1, N // TILE, iter_args=[first]):  # noqa: B007 - used after the loop
            task = source.fill(x, offset=i * TILE, **piece)
            before.await_()
            yield_(task)
        drained = sink.drain(y, wait=True, managed=False)
        last.await_()
        drained.await_()

    return resolved(core, sequence, [array([N]), array([2 * N // TILE])], source, sink)


@pytest.mark.parametrize("step", [1, 4])
def test_loops_carry_values_and_tasks(step):
    x = iron.tensor(np.random.default_rng(step).integers(-99, 99, N).astype(np.int32))
    y = iron.zeros(2 * N // TILE, dtype=np.int32)
    sums(x, y, step=step)
    parts = x.numpy().reshape(-1, TILE)[:, ::step]
    np.testing.assert_array_equal(y.numpy().reshape(-1, 2), np.stack([parts.sum(1), parts.max(1)], 1))


@iron.jit
def clipped(x: In, y: Out):
    source, sink = ObjectFifo(array([TILE]), name="in"), ObjectFifo(array([TILE]), name="out")

    def core(source, sink):
        a, b = source.acquire(1), sink.acquire(1)
        for i in range_(TILE):
            more = arith.addi(memref.load(a, [i]), arith.constant(7))
            memref.store(arith.maxsi(more, arith.constant(100, T.i32())), b, [i])
        source.release(1)
        sink.release(1)

    def sequence(x, y, source, sink):
        npu_dma_memcpy_nd(metadata="in", bd_id=1, mem=x, sizes=[1, 1, 1, N])
        npu_dma_memcpy_nd(metadata=sink, bd_id=0, mem=y, sizes=[1, 1, 1, N // 2], strides=[0, 0, 0, 1])
        dma_wait(sink)
        task = shim_dma_single_bd_task(sink, y, sizes=[1, 1, 1, N // 2], offset=N // 2, issue_token=True)
        dma_start_task(task)
        dma_await_task(task)

    return resolved(core, sequence, [array([N]), array([N])], source, sink)


def test_verbs_of_aiex_and_functions_of_arith():
    x = iron.arange(N, dtype=np.int32)
    y = iron.zeros_like(x)
    clipped(x, y)
    np.testing.assert_array_equal(y.numpy(), np.maximum(x.numpy() + 7, 100))


@iron.jit
def edges(x: In, y: Out):
    source, sink = ObjectFifo(array([TILE], np.uint8), name="in"), ObjectFifo(array([TILE], np.uint8), name="out")
    threshold, both = kernels.threshold(TILE), kernels.add_weighted(TILE)

    def core(source, sink, threshold, both):
        a, b = source.acquire(1), sink.acquire(1)
        threshold(a, b, TILE, 100, 200, 0)
        both(a, b, b, TILE, 8192, 4096, 3)
        source.release(1)
        sink.release(1)

    def sequence(x, y, source, sink):
        source.fill(x)
        sink.drain(y, wait=True)

    rt = Runtime(sequence, [array([N], np.uint8)] * 2 + [source.prod(), sink.cons()])
    worker = Worker(core, [source.cons(), sink.prod(), threshold, both])
    return Program(iron.get_current_device(), rt, [worker]).resolve_program()


def test_kernels_of_images():
    x = iron.tensor(np.random.default_rng(0).integers(0, 256, N).astype(np.uint8))
    y = iron.zeros_like(x)
    edges(x, y)
    above = np.where(x.numpy() > 100, 200, 0)
    wanted = ((x.numpy().astype(int) * 8192 + above * 4096 + 8192) >> 14) + 3
    np.testing.assert_array_equal(y.numpy(), np.clip(wanted, 0, 255))


SOURCE = 'extern "C" void twice(int *in, int *out) { for (int i = 0; i < 64; i++) out[i] = 2 * in[i]; }'


@iron.jit
def doubled(x: In, y: Out, *, prefix: CompileTime[str] = "", inline: CompileTime[bool] = False):
    source, sink = ObjectFifo(array([TILE]), name="in"), ObjectFifo(array([TILE]), name="out")
    types = [array([TILE])] * 2
    twice = ExternalFunction("twice", source_string=SOURCE, arg_types=types, symbol_prefix=prefix, inline=inline)

    def core(source, sink):
        twice(source.acquire(1), sink.acquire(1))
        source.release(1)
        sink.release(1)

    def sequence(x, y, source, sink):
        source.fill(x)
        sink.drain(y, wait=True)

    return resolved(core, sequence, [array([N])] * 2, source, sink)


@pytest.mark.parametrize(("prefix", "inline"), [("", True), ("a_", False), ("b_", True)])
def test_functions_inline_and_with_a_prefix(prefix, inline):
    x = iron.arange(N, dtype=np.int32)
    y = iron.zeros_like(x)
    doubled(x, y, prefix=prefix, inline=inline)
    np.testing.assert_array_equal(y.numpy(), 2 * x.numpy())
    text = str(doubled.as_mlir(prefix=prefix, inline=inline))
    assert f"@{prefix}twice" in text and ('link_with_mode = "merge"' in text) == inline


def test_a_queue_with_values_and_pins_is_written_so():
    source = ObjectFifo(array([4]), name="in")
    sink = ObjectFifo(array([4]), name="out", init_values=[[1, 2, 3, 4], [5, 6, 7, 8]])

    def core(source, sink):
        source.acquire(1)

    def sequence(n, x, source, sink):
        sink.drain(x, sizes=[1, 1, 1, n], strides=[0, 0, 0, 1])

    rt = Runtime(sequence, [np.int32, array([N]), sink.cons()])
    rt.fn_args.insert(2, source.prod(channel=1))
    program = Program(iron.get_current_device(), rt, [Worker(core, [source.cons(), sink.prod()])])
    text = str(program.resolve_program())
    assert "prod_dma_channel = 1 : i32" in text
    assert "= [dense<[1, 2, 3, 4]> : memref<4xi32>, dense<[5, 6, 7, 8]> : memref<4xi32>]" in text
    assert "(%arg0: i32, %arg1: memref<512xi32>)" in text and "len = %" in text


@iron.jit
def copied(n: In, x: In, y: Out):
    """n pieces, one after another, by a loop of the sequence."""
    source = ObjectFifo(array([TILE]), name="in")
    sink = source.cons().forward(name="out")

    def sequence(n, x, y, source, sink):
        for i in range_(n):
            piece = {"sizes": [1, 1, 1, TILE], "strides": [0, 0, 0, 1], "offset": i * TILE, "managed": False}
            into, out = source.fill(x, **piece), sink.drain(y, wait=True, **piece)
            out.await_()
            into.free()

    rt = Runtime(sequence, [np.int32, array([N]), array([N]), source.prod(), sink.cons()])
    return Program(iron.get_current_device(), rt).resolve_program()


def test_a_scalar_is_given_with_each_run():
    text = str(copied.as_mlir())
    assert "(%arg0: i32, %arg1: memref<512xi32>, %arg2: memref<512xi32>)" in text and "offset = %" in text
    x = iron.arange(N, dtype=np.int32)
    for n in (2, np.int32(3)):
        y = iron.zeros_like(x)
        copied(n, x, y)
        np.testing.assert_array_equal(y.numpy(), np.where(x.numpy() < n * TILE, x.numpy(), 0))
    with pytest.raises(AlloAirError, match="argument 1 of the sequence is memref<512xi32>, and 5 was given for it"):
        copied(2, 5, x)
