"""Forms of 2024 and 2025: sequences that are functions, allocations by column, names of arguments that have changed."""

import numpy as np

import allo_air
from allo_air.aie.dialects.aie import (
    AIEDevice,
    DMAChannelDir,
    ObjectFifoPort,
    core,
    device,
    object_fifo,
    shim_dma_allocation,
    tile,
)
from allo_air.aie.dialects.aiex import dma_wait, npu_dma_memcpy_nd, npu_sync
from allo_air.aie.dialects.func import FuncOp
from allo_air.aie.extras import types as T
from allo_air.aie.extras.context import mlir_mod_ctx
from allo_air.aie.extras.dialects.ext.scf import _for as range_
from allo_air.aie.extras.dialects.ext.scf import yield_
from allo_air.aie.iron import Buffer, GlobalBuffer, Kernel, ObjectFifo, Program, Runtime, Worker
from allo_air.aie.iron.device import NPU2, NPU1Col1, Tile
from allo_air.aie.iron.placers import SequentialPlacer

WHOLE, PART = np.ndarray[(64,), np.dtype[np.int32]], np.ndarray[(16,), np.dtype[np.int32]]


def test_a_sequence_that_is_a_function():
    with mlir_mod_ctx() as ctx:

        @device(AIEDevice.npu1_1col)
        def design():
            shim, worker = tile(0, 0), tile(0, 2)
            of_in = object_fifo("in", shim, worker, 2, T.memref(16, T.i32()))
            of_out = object_fifo("out", worker, shim, 2, T.memref(16, T.i32()))

            @core(worker)
            def body():
                for _ in range_(4):
                    x, y = of_in.acquire(ObjectFifoPort.Consume, 1), of_out.acquire(ObjectFifoPort.Produce, 1)
                    for i in range_(16):
                        y[i] = x[i] - 1
                        yield_([])
                    of_in.release(ObjectFifoPort.Consume, 1)
                    of_out.release(ObjectFifoPort.Produce, 1)
                    yield_([])

            memref = T.memref(64, T.i32())

            @FuncOp.from_py_func(memref, memref)
            def sequence(a, b):
                npu_dma_memcpy_nd(metadata="out", bd_id=0, mem=b, sizes=[1, 1, 1, 64])
                npu_dma_memcpy_nd(metadata="in", bd_id=1, mem=a, sizes=[1, 1, 1, 64])
                npu_sync(column=0, row=0, direction=0, channel=0)

    x, y = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    allo_air.compile(str(ctx.module))(x, y)
    np.testing.assert_array_equal(y, x - 1)


def test_allocations_by_column():
    with mlir_mod_ctx() as ctx:

        @device(AIEDevice.npu1)
        def design():
            shim_dma_allocation("a", DMAChannelDir.MM2S, 0, 2)
            shim_dma_allocation("b", DMAChannelDir.S2MM, 1, 2)

    text = str(ctx.module)
    assert "@a(%shim_noc_tile_2_0, MM2S, 0)" in text and "@b(%shim_noc_tile_2_0, S2MM, 1)" in text
    assert text.count("aie.tile") == 1


def test_names_that_have_changed():
    of_in = ObjectFifo(PART, default_depth=3, name="in")
    of_out = ObjectFifo(PART, None, "out")
    assert (of_in.depth, of_out.depth, GlobalBuffer) == (3, 2, Buffer)
    kernel = Kernel("k", bin_name="lib.a", arg_types=[PART, PART])
    assert kernel.object_file_name == "lib.a"
    worker = Worker(lambda a, b, k: k(a.acquire(), b.acquire()), [of_in.cons(), of_out.prod(), kernel], placement=Tile(0, 3))
    parameter = GlobalBuffer(PART, name="rtp", use_write_rtp=True)
    holder = Worker(None, [parameter])
    rt = Runtime()
    with rt.sequence(WHOLE, WHOLE, np.int32) as (a, b, n):
        assert (n.shape, n.dtype) == ((), np.int32)

        def write(buffer, value):
            buffer[2] = value

        rt.inline_ops(write, [parameter, n])
        rt.inline_ops(lambda x: npu_dma_memcpy_nd(of_in.prod(), 1, x), [a])
        rt.start(worker, holder)
        rt.drain(of_out.cons(), b, wait=True)
        rt.inline_ops(lambda: dma_wait("out"), [])
    of_in.prod().bind(Tile(0, 0), "the test")
    text = str(Program(NPU1Col1(), rt).resolve_program(SequentialPlacer(cores_per_col=2)))
    assert "aiex.npu.rtp_write(@rtp, 2, %arg2) : i32" in text and 'link_with = "lib.a"' in text


def test_tiles_of_a_device():
    assert [len(t) for t in (NPU2().get_shim_tiles(), NPU2().get_mem_tiles(), NPU2().get_compute_tiles())] == [8, 8, 32]
    assert (NPU1Col1().get_compute_tiles()[1].col, NPU1Col1().get_compute_tiles()[1].row) == (0, 3)
