"""Locks, flows, packets and DMA programs that a program says itself, parts of its own, and compile-time contexts."""

import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.dialects.aie import buffer, tile
from allo_air.aie.iron import (
    Acquire,
    Bd,
    Buffer,
    CascadeFlow,
    CompilableDesign,
    CompileTime,
    DmaChannel,
    Flow,
    In,
    Lock,
    ObjectFifo,
    Out,
    PacketDest,
    PacketFlow,
    Program,
    Release,
    Runtime,
    TaskGroup,
    TileDma,
    Worker,
    compile_context,
    get_compile_arg,
)
from allo_air.aie.iron.controlflow import range_
from allo_air.aie.iron.device import NPU1, NPU2, Tile
from allo_air.errors import AlloAirError

N, TILE = 256, 64


@pytest.fixture(params=[NPU1, NPU2], ids=["npu1", "npu2"], autouse=True)
def device_of_test(request):
    iron.set_current_device(request.param())
    yield
    iron.set_current_device(None)


def array(n, dtype=np.int32):
    return np.ndarray[(n,), np.dtype[dtype]]


@iron.jit
def explicit(x: In, y: Out, *, packets: CompileTime[bool] = False):
    """A core between two buffers, which a DMA program fills and sends."""
    shim, worker = Tile(0, 0), Tile(0, 2)
    source, sink = Buffer(array(TILE), name="source"), Buffer(array(TILE), name="sink")
    free, full, room, done = Lock(init=1, name="free"), Lock(name="full"), Lock(init=1, name="room"), Lock(name="done")

    def body(source, sink, free, full, room, done):
        full.acquire(1)
        room.acquire()
        for i in range_(TILE):
            sink[i] = source[i] * 2
        free.release()
        done.release(1)

    program = TileDma(
        worker,
        DmaChannel("S2MM", 0, [Bd(source, Acquire(free), Release(full))]),
        DmaChannel(
            "MM2S", 0, [Bd(sink, acquire=done, release=room, packet=(0, 5) if packets else None, sizes=[8, 8], strides=[1, 8])]
        ),
    )
    into = Flow(shim, worker)
    out = Flow(worker, shim)

    def sequence(x, y):
        group = TaskGroup()
        into.fill(x, group=group)
        out.drain(y, wait=True, group=group)
        group.finish()

    rt = Runtime(sequence, [array(N), array(N)])
    rt.add_flow(into, *([PacketFlow(5, worker, PacketDest(shim))] if packets else [out]))
    rt.add_tile_dma(program)
    made = Worker(body, [source, sink, free, full, room, done], tile=worker)
    return Program(iron.get_current_device(), rt, [made]).resolve_program()


@pytest.mark.parametrize("packets", [False, True])
def test_a_dma_program_with_locks(packets):
    x, y = iron.arange(N, dtype=np.int32), iron.zeros(N, dtype=np.int32)
    explicit(x, y, packets=packets)
    wanted = 2 * x.numpy().reshape(-1, 8, 8).transpose(0, 2, 1).ravel()
    np.testing.assert_array_equal(y.numpy(), wanted)
    text = str(explicit.as_mlir(packets=packets))
    assert ("aie.packet_flow(5)" in text) == packets


class Own:
    """A part of a program's own, which builds what it likes."""

    def tiles(self):
        return []

    def resolve(self, loc=None, ip=None):
        buffer(tile(1, 1), array(16), "own", loc=loc, ip=ip)


def test_parts_of_ones_own_and_cascades():
    fifos = [ObjectFifo(array(TILE), name=n) for n in ("in", "out")]
    workers = [Worker(lambda *_: None, [f], tile=Tile(0, 3 - i)) for i, f in enumerate((fifos[0].cons(), fifos[1].prod()))]

    def sequence(x, y, source, sink, own):
        source.fill(x)
        sink.drain(y, wait=True)

    rt = Runtime(sequence, [array(N), array(N), fifos[0].prod(), fifos[1].cons(), Own()])
    rt.add_flow(CascadeFlow(*workers))
    text = str(Program(iron.get_current_device(), rt, workers).resolve_program())
    assert "aie.cascade_flow(" in text and 'sym_name = "own"' in text


def test_arguments_of_the_context_and_designs_of_files(tmp_path):
    def lines():
        return get_compile_arg("n") // get_compile_arg("tile", TILE)

    @iron.jit
    def counted(x: In, y: Out, *, n: CompileTime[int]):
        assert lines() == n // TILE
        return explicit.as_mlir()

    x, y = iron.arange(N, dtype=np.int32), iron.zeros(N, dtype=np.int32)
    counted(x, y, n=N)
    with compile_context(n=2 * TILE):
        assert lines() == 2
    with pytest.raises(AlloAirError, match="get_compile_arg: there is no argument 'n'"):
        lines()
    (tmp_path / "aie.mlir").write_text(str(counted.as_mlir(n=N)))
    z = iron.zeros_like(y)
    CompilableDesign(tmp_path / "aie.mlir")(x, z)
    np.testing.assert_array_equal(z.numpy(), y.numpy())


MISTAKES = {
    "DmaChannel MM2S 0 has no Bd; give at least one": lambda: DmaChannel("MM2S", 0, []),
    "Bd takes a Buffer, got int": lambda: Bd(5),
    "a flow goes from a tile to a tile, got int": lambda: Flow(1, 2),
    "Lock 'l' has no argument 'colour'": lambda: Lock(name="l", colour=1),
    "Lock 'l' is not in the design; give it to a worker or to rt.add_lock": lambda: Lock(name="l").release(),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes(message):
    with pytest.raises(AlloAirError) as raised:
        MISTAKES[message]()
    assert str(raised.value) == message
