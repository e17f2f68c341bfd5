"""Scratchpad parameters: their values are given with each call; in cores, and as offsets of transfers."""

import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.iron import CompileTime, In, ObjectFifo, Out, Program, Runtime, ScratchpadParameter, Worker, sync_parameters
from allo_air.aie.iron.controlflow import range_
from allo_air.aie.iron.device import NPU2Col1
from allo_air.errors import AlloAirError

PART = np.ndarray[(64,), np.dtype[np.int32]]


@pytest.fixture(autouse=True)
def device():
    iron.set_current_device(NPU2Col1())


@iron.jit
def moved(x: In, y: Out, *, delta: CompileTime[int] = 1):
    fin, fout = ObjectFifo(PART, name="in"), ObjectFifo(PART, name="out")
    start, more = ScratchpadParameter("start", np.int32), ScratchpadParameter("more", np.int32)

    def core(fin, fout, more):
        a, b = fin.acquire(1), fout.acquire(1)
        number = more.read()
        for i in range_(64):
            b[i] = a[i] * delta + number
        fin.release(1)
        fout.release(1)

    def sequence(x, y, start, source, sink):
        sync_parameters()
        source.fill(x, sizes=[1, 1, 1, 64], strides=[0, 0, 0, 1], offset_parameter=start)
        sink.drain(y, wait=True)

    whole = np.ndarray[(512,), np.dtype[np.int32]]
    rt = Runtime(sequence, [whole, PART, start, fin.prod(), fout.cons()])
    return Program(iron.get_current_device(), rt, [Worker(core, [fin.cons(), fout.prod(), more])]).resolve_program()


def test_each_call_has_its_values():
    x, y = iron.arange(512, dtype=np.int32), iron.zeros(64, dtype=np.int32)
    for start, more in ((0, 5), (320, -7)):
        moved(x, y, start=start, more=more, delta=2)
        np.testing.assert_array_equal(y.numpy(), x.numpy()[start : start + 64] * 2 + more)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"start": 0, "mor": 1}, "moved has no argument 'mor'; it has 'delta', 'more' (scratchpad), 'start' (scratchpad)"),
        ({"start": 0}, "moved: scratchpad parameter 'more' has no value; call moved(..., more=...)"),
    ],
)
def test_values_that_are_unknown_or_missing(values, message):
    with pytest.raises(AlloAirError) as raised:
        moved(iron.arange(512, dtype=np.int32), iron.zeros(64, dtype=np.int32), **values)
    assert str(raised.value) == message and raised.value.diagnostics[0].file == __file__
