"""C = A B on four cores, one above the other: each has a quarter of k, and sums go down by the cascade."""

from itertools import pairwise

import aie.iron as iron
import numpy as np
from aie.helpers.taplib import TensorTiler2D
from aie.iron import Buffer, CascadeFlow, CompileTime, In, ObjectFifo, Out, Program, Runtime, TaskGroup, Worker, kernels
from aie.iron.controlflow import range_
from aie.iron.device import Tile
from aie.utils.verify import assert_pass

CORES = 4


@iron.jit
def matmul(a: In, b: In, c: Out, *, M: CompileTime[int], K: CompileTime[int], N: CompileTime[int], m: CompileTime[int] = 16):
    k, n = K // CORES, N
    last = kernels.cascade_mm("get_only", m, k, n, np.int16, np.int32)
    modes = [last.put_only, *[last.put_get] * (CORES - 2), last]
    part_a, part_b, part_c = last.arg_types()
    # a memtile gives each core its columns of A and its rows of B
    whole_a, whole_b = np.ndarray[(m * K,), np.dtype[np.int16]], np.ndarray[(K * N,), np.dtype[np.int16]]
    in_a, in_b = ObjectFifo(whole_a, name="inA"), ObjectFifo(whole_b, name="inB", depth=1)
    parts = [
        fifo.cons().split(
            [i * size for i in range(CORES)],
            obj_types=[kind] * CORES,
            names=[f"{name}{i}" for i in range(CORES)],
            depths=[depth] * CORES,
            tile=Tile(column, 1),
        )
        for fifo, size, kind, name, depth, column in ((in_a, m * k, part_a, "a", 2, 0), (in_b, k * n, part_b, "b", 1, 1))
    ]
    out = ObjectFifo(part_c, name="out")

    def core(a, b, c, kernel, zero):
        right = b.acquire(1)
        for _ in range_(M // m):
            left = a.acquire(1)
            if zero is None:  # sums go on to the next core
                kernel(left, right, c)
            else:
                tile = c.acquire(1)
                zero(tile)
                kernel(left, right, tile)
                c.release(1)
            a.release(1)
        b.release(1)

    workers = []
    for i, kernel in enumerate(modes):
        ends = i == CORES - 1
        sink = out.prod() if ends else Buffer(part_c, name=f"unused{i}")
        arguments = [parts[0][i].cons(), parts[1][i].cons(), sink, kernel, kernel.zero if ends else None]
        workers.append(Worker(core, arguments, tile=Tile(0, 5 - i)))

    tiles = [TensorTiler2D.group_tiler((M, K), (m, k), (1, CORES))[i] for i in range(M // m)]

    def sequence(a, b, c, source_a, source_b, sink):
        group = TaskGroup()
        source_b.fill(b, group=group)
        sink.drain(c, wait=True, group=group)
        for tap in tiles:
            source_a.fill(a, tap=tap, group=group)
        group.finish()

    types = [np.ndarray[shape, np.dtype[d]] for shape, d in (((M, K), np.int16), ((K, N), np.int16), ((M, N), np.int32))]
    rt = Runtime(sequence, [*types, in_a.prod(), in_b.prod(), out.cons()])
    rt.add_flow(*(CascadeFlow(above, below) for above, below in pairwise(workers)))
    return Program(iron.get_current_device(), rt, workers=workers).resolve_program()


rng = np.random.default_rng(0)
a = iron.tensor(rng.integers(-100, 100, (64, 64)).astype(np.int16))
b = iron.tensor(rng.integers(-100, 100, (64, 16)).astype(np.int16))
c = iron.zeros(64, 16, dtype=np.int32)
matmul(a, b, c, M=64, K=64, N=16)
assert_pass(c.numpy(), a.numpy().astype(np.int32) @ b.numpy().astype(np.int32))
