"""Functions of cores whose branches are Python's `if`."""

import numpy as np
import pytest

import allo_air
from allo_air.aie.dialects.aie import AIEDevice, ObjectFifoPort, core, device, object_fifo, tile
from allo_air.aie.dialects.aiex import dma_await_task, dma_free_task, dma_start_task, runtime_sequence, shim_dma_single_bd_task
from allo_air.aie.extras.ast.canonicalize import canonicalize
from allo_air.aie.extras.context import mlir_mod_ctx
from allo_air.aie.extras.dialects.ext import arith, scf
from allo_air.aie.extras.dialects.ext.scf import range_
from allo_air.errors import AlloAirError

N = 16
ROW = np.ndarray[(N,), np.dtype[np.int32]]


def design(function):
    """A core that writes y[i] = function(x[i]), and y."""
    with mlir_mod_ctx() as ctx:

        @device(AIEDevice.npu1_1col)
        def _design():
            shim, worker = tile(0, 0), tile(0, 2)
            source, sink = object_fifo("in", shim, worker, 2, ROW), object_fifo("out", worker, shim, 2, ROW)

            @core(worker)
            def _body():
                x, y = source.acquire(ObjectFifoPort.Consume, 1), sink.acquire(ObjectFifoPort.Produce, 1)
                for i in range_(N):
                    function(x[i], y, i)
                source.release(ObjectFifoPort.Consume, 1)
                sink.release(ObjectFifoPort.Produce, 1)

            @runtime_sequence(ROW, ROW)
            def _sequence(a, b):
                sent = shim_dma_single_bd_task(source, a, sizes=[1, 1, 1, N])
                received = shim_dma_single_bd_task(sink, b, sizes=[1, 1, 1, N], issue_token=True)
                dma_start_task(sent, received)
                dma_await_task(received)
                dma_free_task(sent)

    return str(ctx.module)


LIMIT, IS_SIGNED = 10, True


@canonicalize(using=(scf.canonicalizer, arith.canonicalizer))
def branching(x, y, i, *, floor=3):
    big = LIMIT  # of Python
    if x > big:
        y[i] = x * 2
    elif x < floor and not (x == 1):  # noqa: SIM201
        y[i] = 0 - x if IS_SIGNED else x
    else:
        if x > 5 or x == 4:
            r = yield x + 100
        else:
            r = yield 7
        if IS_SIGNED:
            y[i] = r
        else:
            y[i] = 0


@canonicalize(using=scf.canonicalizer)
def summing(x, y, i):
    for k, total, _result in range_(4, iter_args=[x]):
        doubled = total + (x if k > 1 else 1)
        yield doubled
    y[i] = _result


def expected(x):
    if x > 10:
        return 2 * x
    if x < 3 and x != 1:
        return -x
    return x + 100 if x > 5 or x == 4 else 7


@pytest.mark.parametrize(("function", "of"), [(branching, expected), (summing, lambda x: 3 * x + 2)])
def test_results(function, of):
    x, y = np.arange(-2, N - 2, dtype=np.int32), np.zeros(N, np.int32)
    allo_air.compile(design(function))(x, y)
    assert y.tolist() == [of(int(v)) for v in x]


def test_branches_yield_the_same():
    @canonicalize(using=scf.canonicalizer)
    def wrong(x, y, i):
        if x > 3:
            r = yield x, 1
        else:
            r = yield x
        y[i] = r

    with pytest.raises(
        AlloAirError, match=r"the branches of an if yield \(i32, i32\) and \(i32\); expected values of the same"
    ):
        design(wrong)
    with pytest.raises(TypeError, match="expected the canonicalizer of a dialect"):
        canonicalize(using=3)


@canonicalize(using=scf.canonicalizer)
def restored(x, y, i):
    v = 1
    if x > 3:
        v = 2
        for k in range(5):  # of Python
            if k == v:
                break
        y[i] = v + k
    else:
        y[i] = v
    for v in range(2):
        if x == v:
            y[i] = 9


def test_branches_do_not_see_what_the_other_assigns():
    x, y = np.arange(N, dtype=np.int32), np.zeros(N, np.int32)
    allo_air.compile(design(restored))(x, y)
    assert y.tolist() == [9, 9, 1, 1] + [4] * (N - 4)


def assigned(x, y, i):
    v = 1
    if x > 3:
        v = 2
    y[i] = v


def added(x, y, i):
    v = 1
    if x > 3:
        v += 2
    y[i] = v + 1


def returned(x, y, i):
    if x > 3:
        return
    y[i] = 1


def broken(x, y, i):
    for k in range(4):
        if x > k:
            break
        y[i] = k


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (assigned, "'v' is assigned in a branch of an if on a value of a core"),
        (added, "'v' is assigned in a branch"),
        (returned, "'return' leaves an if on a value of a core"),
        (broken, "'break' leaves an if"),
    ],
)
def test_python_cannot_decide_after_an_if_on_a_value(function, says):
    with pytest.raises(AlloAirError, match=says):
        design(canonicalize(using=scf.canonicalizer)(function))
