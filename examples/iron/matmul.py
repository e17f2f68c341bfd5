"""C = A B on one core: tiles of 32 x 32 in blocks of the matrix instruction, which the transfers lay out."""

import aie.iron as iron
import numpy as np
from aie.helpers.taplib import TensorTiler2D
from aie.iron import CompileTime, In, ObjectFifo, Out, Program, Runtime, TaskGroup, Worker, kernels
from aie.iron.controlflow import range_
from aie.utils.verify import assert_pass


@iron.jit
def matmul(a: In, b: In, c: Out, *, M: CompileTime[int], K: CompileTime[int], N: CompileTime[int], m: CompileTime[int] = 32):
    k = n = m
    mm = kernels.mm(m, k, n, np.int16, np.int32)
    r, s, t = mm.mac_dims
    of_ab, of_c = np.ndarray[(m * k,), np.dtype[np.int16]], np.ndarray[(m * n,), np.dtype[np.int32]]
    in_a = ObjectFifo(of_ab, name="inA")
    in_b = ObjectFifo(of_ab, name="inB")
    a_blocks = in_a.cons().forward(name="memA", dims_to_stream=[(m // r, r * k), (k // s, s), (r, k), (s, 1)])
    b_blocks = in_b.cons().forward(name="memB", dims_to_stream=[(k // s, s * n), (n // t, t), (s, n), (t, 1)])
    c_blocks = ObjectFifo(of_c, name="memC")
    out_c = c_blocks.cons().forward(name="outC", dims_to_stream=[(m // r, r * n), (r, t), (n // t, r * t), (t, 1)])

    def core(a, b, c, zero, mm):
        for _ in range_(M // m * (N // n)):
            tile = c.acquire(1)
            zero(tile)
            for _ in range_(K // k):
                left, right = a.acquire(1), b.acquire(1)
                mm(left, right, tile)
                a.release(1)
                b.release(1)
            c.release(1)

    rows = TensorTiler2D.group_tiler((M, K), (m, k), (1, K // k))
    columns = TensorTiler2D.group_tiler((K, N), (k, n), (K // k, 1), tile_group_col_major=True)
    results = TensorTiler2D.simple_tiler((M, N), (m, n))

    def sequence(a, b, c, a_in, b_in, c_out):
        for i in range(M // m):
            for j in range(N // n):
                group = TaskGroup()
                a_in.fill(a, tap=rows[i], group=group)
                b_in.fill(b, tap=columns[j], group=group)
                c_out.drain(c, tap=results[i * (N // n) + j], wait=True, group=group)
                group.finish()

    types = [
        np.ndarray[(M, K), np.dtype[np.int16]],
        np.ndarray[(K, N), np.dtype[np.int16]],
        np.ndarray[(M, N), np.dtype[np.int32]],
    ]
    rt = Runtime(sequence, [*types, in_a.prod(), in_b.prod(), out_c.cons()])
    worker = Worker(core, [a_blocks.cons(), b_blocks.cons(), c_blocks.prod(), mm.zero, mm])
    return Program(iron.get_current_device(), rt, workers=[worker]).resolve_program()


rng = np.random.default_rng(0)
a = iron.tensor(rng.integers(-100, 100, (64, 96)).astype(np.int16))
b = iron.tensor(rng.integers(-100, 100, (96, 64)).astype(np.int16))
c = iron.zeros(64, 64, dtype=np.int32)
matmul(a, b, c, M=64, K=96, N=64)
assert_pass(c.numpy(), a.numpy().astype(np.int32) @ b.numpy())
