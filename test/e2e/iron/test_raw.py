"""Designs by the raw builders of aie and aiex: their text, and what they compute on the simulator."""

import numpy as np
import pytest

import allo_air
from allo_air.aie import ir
from allo_air.aie.dialects.aie import (
    AIEDevice,
    Core,
    Device,
    DMAChannelDir,
    EndOp,
    LockAction,
    ObjectFifoPort,
    WireBundle,
    another_bd,
    buffer,
    core,
    device,
    dma,
    dma_bd,
    dma_start,
    external_func,
    flow,
    lock,
    mem,
    memtile_dma,
    next_bd,
    object_fifo,
    object_fifo_link,
    packetflow,
    shim_dma_allocation,
    tile,
    use_lock,
)
from allo_air.aie.dialects.aiex import (
    bds,
    dma_await_task,
    dma_configure_task,
    dma_start_task,
    dma_wait,
    npu_dma_memcpy_nd,
    npu_rtp_write,
    runtime_sequence,
    shim_dma_bd,
    shim_dma_single_bd_task,
)
from allo_air.aie.extras import types as T
from allo_air.aie.extras.context import mlir_mod_ctx
from allo_air.aie.extras.dialects import arith, memref
from allo_air.aie.helpers.dialects.ext.func import func
from allo_air.aie.helpers.dialects.ext.scf import _for as range_
from allo_air.aie.helpers.dialects.ext.scf import else_, if_, yield_
from allo_air.aie_api.kernel import CppKernel
from allo_air.errors import AlloAirError

S2MM, MM2S = DMAChannelDir.S2MM, DMAChannelDir.MM2S
DEVICES = [AIEDevice.npu1_1col, AIEDevice.npu2_1col]
N = 256
KERNEL = 'extern "C" void twice(int *a, int *b, int n) {for (int i = 0; i < n; i++) b[i] = 2 * a[i];}'


def array(n, dtype=np.int32):
    return np.ndarray[(n,), np.dtype[dtype]]


def built(body, dev):
    with mlir_mod_ctx() as ctx:
        device(dev)(body)
    assert ctx.module.operation.verify()
    return str(ctx.module)


def ran(text, *arrays, kernels=None):
    allo_air.compile(text, pipeline="aie-prepare", kernels=kernels)(*arrays)


@pytest.mark.parametrize("dev", DEVICES)
def test_queues_and_a_kernel(dev, tmp_path):
    """A queue through a memtile, a kernel of an object file, tasks."""

    def design():
        part = array(64)
        twice = external_func("twice", inputs=[part, part, np.int32], link_with="twice.o")
        shim, memory, worker = tile(0, 0), tile(0, 1), tile(0, 2)
        of_in = object_fifo("in", shim, memory, 2, part)
        of_mid = object_fifo("mid", memory, worker, [2, 3], part)
        object_fifo_link(of_in, of_mid)
        of_out = object_fifo("out", worker, shim, 2, part)

        @core(worker)
        def body():
            for _ in range_(0xFFFFFFFF):
                x, y = of_mid.acquire(ObjectFifoPort.Consume, 1), of_out.acquire(ObjectFifoPort.Produce, 1)
                twice(x, y, 64)
                of_mid.release(ObjectFifoPort.Consume, 1)
                of_out.release(ObjectFifoPort.Produce, 1)

        @runtime_sequence(array(N), array(N))
        def sequence(a, b):
            tasks = [
                shim_dma_single_bd_task(of, x, sizes=[1, 1, 1, N], issue_token=True) for of, x in ((of_in, a), (of_out, b))
            ]
            dma_start_task(*tasks)
            dma_await_task(*tasks)

    text = built(design, dev)
    assert "[2 : i32, 3 : i32]" not in text and "aie.objectfifo @mid(%mem_tile_0_1, {%tile_0_2}, [2, 3])" in text
    source = tmp_path / "twice.cc"
    source.write_text(KERNEL)
    x, y = np.arange(N, dtype=np.int32), np.zeros(N, np.int32)
    ran(text, x, y, kernels={"twice": CppKernel(str(source), {}, [])})
    np.testing.assert_array_equal(y, 2 * x)


def chained(block, direction, channel, work, first, last):
    """A channel of one BD, which repeats, in blocks from `first`."""
    dma_start(direction, channel, dest=block[first], chain=block[last])
    with block[first]:
        work()
        next_bd(block[first])


@pytest.mark.parametrize("dev", DEVICES)
def test_locks_flows_and_a_dma_program(dev):
    """Buffers with locks, a DMA program of blocks, a function of the device, branches, and numbers of the sequence."""

    def design():
        shim, worker = tile(0, 0), tile(0, 3)
        source = buffer(worker, array(64), "source")
        sink = buffer(worker, T.memref(64, T.i32()), "sink")
        limit = buffer(worker, array(1), "limit", use_write_rtp=True)
        free_in, full_in = lock(worker, lock_id=0, init=1), lock(worker, lock_id=1, init=0)
        free_out, full_out = lock(worker, lock_id=2, init=1), lock(worker, lock_id=3, init=0, sym_name="full")
        flow(shim, WireBundle.DMA, 0, worker, WireBundle.DMA, 0)
        flow(worker, WireBundle.DMA, 1, shim, WireBundle.DMA, 0)
        shim_dma_allocation("a", shim, MM2S, 0)
        shim_dma_allocation("b", shim, S2MM, 0)

        @func
        def lift(x: array(64), by: np.int32):
            for i in range_(64):
                x[i] = x[i] + by

        @mem(worker)
        def program(block):
            def moved(buffer, taken, given):
                use_lock(taken, LockAction.AcquireGreaterEqual, value=1)
                dma_bd(buffer, offset=0, len=64)
                use_lock(given, LockAction.Release, value=1)

            chained(block, S2MM, 0, lambda: moved(source, free_in, full_in), 1, 2)
            with block[2]:
                chained(block, MM2S, 1, lambda: moved(sink, full_out, free_out), 3, 4)
            with block[4]:
                EndOp()

        @core(worker)
        def body():
            for _ in range_(0xFFFFFFFF):
                use_lock(full_in, LockAction.AcquireGreaterEqual)
                use_lock(free_out, LockAction.AcquireGreaterEqual)
                lift(source, 1)
                for i in range_(64):
                    value = memref.load(source, [i])
                    with if_(value > limit[0], hasElse=True) as branch:
                        sink[i] = value * 2
                        yield_([])
                    with else_(branch):
                        memref.store(arith.constant(-1), sink, [i])
                use_lock(free_in, LockAction.Release)
                use_lock(full_out, LockAction.Release)

        @runtime_sequence(array(N), array(N))
        def sequence(a, b):
            npu_rtp_write("limit", 0, 100)
            npu_dma_memcpy_nd(metadata="a", bd_id=1, mem=a, sizes=[1, 1, 1, N])
            npu_dma_memcpy_nd(metadata="b", bd_id=0, mem=b, sizes=[1, 1, 1, N])
            dma_wait("b")

    x, y = np.arange(N, dtype=np.int32), np.zeros(N, np.int32)
    ran(built(design, dev), x, y)
    np.testing.assert_array_equal(y, np.where(x + 1 > 100, 2 * (x + 1), -1))


@pytest.mark.parametrize("dev", DEVICES)
def test_bds_in_regions_and_tasks_of_several_bds(dev):
    def design():
        shim, worker = tile(0, 0), tile(0, 2)
        halves = [buffer(worker, array(32), f"half{i}") for i in range(2)]
        free, full = lock(worker, init=2), lock(worker, init=0)
        flow(shim, dest=worker)
        flow(worker, dest=shim)

        @mem(worker)
        def program():
            def moved(half, taken, given):
                def bd():
                    use_lock(taken, LockAction.AcquireGreaterEqual)
                    dma_bd(half)
                    use_lock(given, LockAction.Release)

                return bd

            into = dma(S2MM, 0)(moved(halves[0], free, full))
            another_bd(into)(moved(halves[1], free, full))
            out = dma(MM2S, 0)(moved(halves[0], full, free))
            another_bd(out)(moved(halves[1], full, free))
            EndOp()

        @runtime_sequence(array(128), array(128))
        def sequence(a, b):
            into = dma_configure_task(shim, MM2S, 0)
            with bds(into) as bd:
                with bd[0]:
                    shim_dma_bd(a, offset=64, sizes=[1, 1, 1, 64], strides=[0, 0, 0, 1])
                    next_bd(bd[1])
                with bd[1]:
                    shim_dma_bd(a, offset=0, sizes=[1, 1, 1, 64], strides=[0, 0, 0, 1])
                    EndOp()
            out = dma_configure_task(shim, S2MM, 0, issue_token=True)
            with bds(out) as bd, bd[0]:
                shim_dma_bd(b)
            dma_start_task(into, out)
            dma_await_task(out)

    x, y = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    ran(built(design, dev), x, y)
    np.testing.assert_array_equal(y, np.roll(x, 64))


def test_mistakes_are_told_at_the_programs_line():
    def sequence_outside():
        npu_rtp_write("x", 0, 1)

    def wrong_number():
        tile(0, 2)
        object_fifo("f", tile(0, 3), tile(0, 4), 2, array(4), dimensionsFromStreamPerConsumer=[[(1, 2)], []])

    for body, message in (
        (sequence_outside, "npu_rtp_write is outside of the runtime's sequence function"),
        (wrong_number, "object_fifo 'f': 2 lists of dimensions for 1 consumer; give one for each"),
    ):
        with pytest.raises(AlloAirError, match="^" + message) as raised:
            built(body, AIEDevice.npu1)
        assert raised.value.diagnostics[0].file == __file__


def test_blocks_by_hand_and_packets():
    """Blocks that the program makes itself, a device by its class, packets from one channel to two cores."""

    def design():
        dev = Device(AIEDevice.npu1_1col)
        with ir.InsertionPoint(ir.Block.create_at_start(dev.body_region)):
            shim, memory, cores = tile(0, 0), tile(0, 1), [tile(0, 2), tile(0, 3)]
            flow(shim, dest=memory)
            held, full = [buffer(memory, (32,), T.i32(), f"held{i}") for i in range(2)], [lock(memory, init=0) for _ in "ab"]
            shim_dma_allocation("in", shim, MM2S, 0)
            for number, worker in enumerate(cores):
                packetflow(number, memory, WireBundle.DMA, 0, {"dest": worker, "port": WireBundle.DMA, "channel": 0})
                packetflow(2 + number, worker, WireBundle.DMA, 0, shim, WireBundle.DMA, number)  # March: without dests
                shim_dma_allocation(f"out{number}", shim, S2MM, number)
                own = buffer(worker, array(32), f"own{number}")
                ready, done, sent = lock(worker, init=1), lock(worker, init=0), lock(worker, init=0)

                @mem(worker)
                def program(block, own=own, ready=ready, done=done, sent=sent, number=number):
                    dma_start(S2MM, 0, dest=block[1], chain=block[2])
                    with block[1]:
                        use_lock(ready, LockAction.AcquireGreaterEqual)
                        dma_bd(own)
                        use_lock(done, LockAction.Release)
                        next_bd(block[1])
                    with block[2]:
                        dma_start(MM2S, 0, dest=block[3], chain=block[4])
                    with block[3]:
                        use_lock(sent, LockAction.AcquireGreaterEqual)
                        dma_bd(own, packet=(0, 2 + number))
                        use_lock(ready, LockAction.Release)
                        next_bd(block[3])
                    with block[4]:
                        EndOp()

                made = Core(worker)
                with ir.InsertionPoint(ir.Block.create_at_start(made.body)):
                    for _ in range_(1000):
                        use_lock(done, LockAction.AcquireGreaterEqual)
                        for i in range_(32):
                            own[i] = own[i] + 100 * number
                        use_lock(sent, LockAction.Release)
                    EndOp()

            @memtile_dma(memory)
            def spread(block):
                dma_start(S2MM, 0, dest=block[1], chain=block[3])
                for i in range(2):
                    with block[1 + i]:
                        dma_bd(held[i])
                        use_lock(full[i], LockAction.Release)
                        next_bd(block[2 - i])
                with block[3]:
                    dma_start(MM2S, 0, dest=block[4], chain=block[6])
                for i in range(2):
                    with block[4 + i]:
                        use_lock(full[i], LockAction.AcquireGreaterEqual)
                        dma_bd(held[i], packet=(0, i))
                        next_bd(block[5 - i])
                with block[6]:
                    EndOp()

            @runtime_sequence(array(64), array(64))
            def sequence(a, b):
                npu_dma_memcpy_nd(metadata="in", bd_id=0, mem=a)
                for n in range(2):
                    npu_dma_memcpy_nd(
                        metadata=f"out{n}", bd_id=1 + n, mem=b, offsets=[0, 0, 0, 32 * n], sizes=[1, 1, 1, 32], issue_token=True
                    )
                dma_wait("out0", "out1")

    with mlir_mod_ctx() as ctx:
        design()
    x, y = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    ran(str(ctx.module), x, y)
    np.testing.assert_array_equal(y, x + np.repeat([0, 100], 32))
