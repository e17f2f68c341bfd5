"""C = A B on an array of cores: rows of A go along rows, columns of B down columns, and a core keeps its tile of C.

With `--emit-mlir` it prints the module; `-M`, `-K`, `-N` are the sizes.
"""

import argparse

import aie.iron as iron
import numpy as np
from aie.helpers.taplib import TensorTiler2D
from aie.iron import CompileTime, In, ObjectFifo, Out, Program, Runtime, TaskGroup, Worker, kernels
from aie.iron.controlflow import range_
from aie.utils.hostruntime.argparse import add_compile_args, device_from_args
from aie.utils.hostruntime.cli import run_design_cli
from aie.utils.verify import assert_pass

ROWS, COLUMNS, TILE = 4, 4, 16


@iron.jit
def matmul(a: In, b: In, c: Out, *, M: CompileTime[int], K: CompileTime[int], N: CompileTime[int]):
    m = k = n = TILE
    mm = kernels.mm(m, k, n, np.int16, np.int32)
    r, s, t = mm.mac_dims

    def flat(size, dtype):
        return np.ndarray[(size,), np.dtype[dtype]]

    a_row, b_column, c_column = flat(m * k, np.int16), flat(k * n, np.int16), flat(ROWS * m * n, np.int32)
    a_in = [ObjectFifo(a_row, name=f"A_L3L2_{i}") for i in range(ROWS)]
    a_out = [
        f.cons().forward(name=f"A_L2L1_{i}", dims_to_stream=[(m // r, r * k), (k // s, s), (r, k), (s, 1)])
        for i, f in enumerate(a_in)
    ]
    b_in = [ObjectFifo(b_column, name=f"B_L3L2_{j}") for j in range(COLUMNS)]
    b_out = [
        f.cons().forward(name=f"B_L2L1_{j}", dims_to_stream=[(k // s, s * n), (n // t, t), (s, n), (t, 1)])
        for j, f in enumerate(b_in)
    ]
    order = [(m // r, r * n), (r, t), (n // t, r * t), (t, 1)]
    c_out = [ObjectFifo(c_column, name=f"C_L2L3_{j}", dims_to_stream=order) for j in range(COLUMNS)]
    offsets = [m * n * i for i in range(ROWS)]
    tiles = [flat(m * n, np.int32)] * ROWS
    c_parts = [
        f.prod().join(offsets, obj_types=tiles, names=[f"C_L1L2_{j}_{i}" for i in range(ROWS)]) for j, f in enumerate(c_out)
    ]

    def core(a, b, c, zero, mm):
        for _ in range_(M // m // ROWS * (N // n // COLUMNS)):
            tile = c.acquire(1)
            zero(tile)
            for _ in range_(K // k):
                mm(a.acquire(1), b.acquire(1), tile)
                a.release(1)
                b.release(1)
            c.release(1)

    workers = Worker.grid(
        ROWS, COLUMNS, lambda i, j: Worker(core, [a_out[i].cons(), b_out[j].cons(), c_parts[j][i].prod(), mm.zero, mm])
    )
    a_taps = TensorTiler2D.group_tiler((M, K), (m, k), (1, K // k))
    b_taps = TensorTiler2D.group_tiler((K, N), (k, n), (K // k, 1), tile_group_col_major=True)
    c_taps = TensorTiler2D.simple_tiler((M, N), (ROWS * m, n))

    def sequence(a, b, c, a_ends, b_ends, c_ends):
        for down in range(M // m // ROWS):
            for right in range(N // n // COLUMNS):
                group = TaskGroup()
                for i, end in enumerate(a_ends):
                    end.fill(a, tap=a_taps[down * ROWS + i], group=group)
                for j, (end, drained) in enumerate(zip(b_ends, c_ends, strict=True)):
                    column = right * COLUMNS + j
                    end.fill(b, tap=b_taps[column], group=group)
                    drained.drain(c, tap=c_taps[down * (N // n) + column], wait=True, group=group)
                group.finish()

    arrays = [np.ndarray[s, np.dtype[d]] for s, d in (((M, K), np.int16), ((K, N), np.int16), ((M, N), np.int32))]
    ends = [[f.prod() for f in a_in], [f.prod() for f in b_in], [f.cons() for f in c_out]]
    return Program(iron.get_current_device(), Runtime(sequence, [*arrays, *ends]), workers=workers).resolve_program()


def run_and_verify(sizes):
    rng = np.random.default_rng(0)
    a = iron.tensor(rng.integers(-100, 100, (sizes["M"], sizes["K"])).astype(np.int16))
    b = iron.tensor(rng.integers(-100, 100, (sizes["K"], sizes["N"])).astype(np.int16))
    c = iron.zeros(sizes["M"], sizes["N"], dtype=np.int32)
    matmul(a, b, c, **sizes)
    assert_pass(c.numpy(), a.numpy().astype(np.int32) @ b.numpy())


if __name__ == "__main__":
    parser = add_compile_args(argparse.ArgumentParser(description=__doc__))
    for name in "MKN":
        parser.add_argument(f"-{name}", type=int, default=128 if name != "K" else 64)
    opts = parser.parse_args()
    sizes = {name: getattr(opts, name) for name in "MKN"}
    device = device_from_args(opts, COLUMNS)
    run_design_cli(matmul, opts, compile_kwargs=sizes, run_and_verify=lambda: run_and_verify(sizes), device=device)
