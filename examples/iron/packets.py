"""Two cores share a stream of packets in both directions: the id of a transfer says which core gets it."""

import aie.iron as iron
import numpy as np
from aie.dialects.aie import DMAChannelDir, WireBundle
from aie.dialects.aiex import bds, dma_await_task, dma_configure_task, dma_start_task, shim_dma_bd
from aie.iron import (
    Acquire,
    Bd,
    Buffer,
    DmaChannel,
    In,
    Lock,
    Out,
    PacketFlow,
    Program,
    Release,
    Runtime,
    TileDma,
    Worker,
)  # fmt: skip
from aie.iron.controlflow import range_
from aie.iron.device import Tile
from aie.utils.verify import assert_pass

N = 256
PART = np.ndarray[(N,), np.dtype[np.int32]]


def lane(tile, number):
    """A core that adds a number, and the DMA program that fills and empties its buffers."""
    source, result = Buffer(PART, name=f"in{number}"), Buffer(PART, name=f"out{number}")
    free, full, room, done = (
        Lock(tile=tile, init=i, name=f"{name}{number}") for name, i in (("free", 1), ("full", 0), ("room", 1), ("done", 0))
    )

    def core(source, result, free, full, room, done):
        full.acquire()
        room.acquire()
        for i in range_(N):
            result[i] = source[i] + 100 * (number + 1)
        free.release()
        done.release()

    worker = Worker(core, [source, result, free, full, room, done], tile=tile)
    dma = TileDma(
        tile,
        DmaChannel(DMAChannelDir.S2MM, 0, [Bd(source, Acquire(free), Release(full))]),
        DmaChannel(DMAChannelDir.MM2S, 0, [Bd(result, Acquire(done), Release(room), packet=(0, 8 + number))]),
    )
    return worker, dma


@iron.jit
def switched(x: In, y: Out):
    shim, tiles = Tile(0, 0), [Tile(0, 2), Tile(0, 3)]
    lanes = [lane(tile, i) for i, tile in enumerate(tiles)]
    ends = {"source_bundle": WireBundle.DMA, "dest_bundle": WireBundle.DMA, "source_channel": 0, "dest_channel": 0}
    flows = [PacketFlow(i + 1, shim, tile, **ends) for i, tile in enumerate(tiles)]
    flows += [PacketFlow(8 + i, tile, shim, **ends) for i, tile in enumerate(tiles)]

    def moved(direction, array, half, **packet):
        task = dma_configure_task(shim.op, direction, 0, issue_token=True)
        with bds(task) as bd, bd[0]:
            shim_dma_bd(array, offset=half * N, sizes=[1, 1, 1, N], strides=[0, 0, 0, 1], **packet)
        dma_start_task(task)
        return task

    def sequence(x, y, *_parts):
        for half in range(2):  # one answer after the other: both come on one channel
            moved(DMAChannelDir.MM2S, x, half, packet=(0, half + 1))
            dma_await_task(moved(DMAChannelDir.S2MM, y, half))

    whole = np.ndarray[(2 * N,), np.dtype[np.int32]]
    rt = Runtime(sequence, [whole, whole])
    rt.add_flow(*flows)
    rt.add_tile_dma(*(dma for _, dma in lanes))
    return Program(iron.get_current_device(), rt, workers=[worker for worker, _ in lanes]).resolve_program()


x = iron.arange(2 * N, dtype=np.int32)
y = iron.zeros_like(x)
switched(x, y)
assert_pass(y.numpy(), x.numpy() + np.repeat([100, 200], N).astype(np.int32))
