"""Products of one tile whose operands lie row by row or column by column, in blocks of the matrix instruction."""

import ml_dtypes
import numpy as np
import pytest

import allo_air.aie.iron as iron
from allo_air.aie.iron import CompileTime, In, ObjectFifo, Out, Program, Runtime, Worker, kernels
from allo_air.aie.iron.device import NPU1, NPU2

M, K, N = 16, 32, 16


@pytest.fixture(params=[NPU1, NPU2], ids=["npu1", "npu2"], autouse=True)
def device(request):
    iron.set_current_device(request.param())
    yield
    iron.set_current_device(None)


def blocks(matrix, r, s):
    rows, columns = matrix.shape
    return matrix.reshape(rows // r, r, columns // s, s).swapaxes(1, 2).ravel()


def unblocked(flat, rows, columns, r, s):
    return flat.reshape(rows // r, columns // s, r, s).swapaxes(1, 2).reshape(rows, columns)


def kernel(dtype, b_col, c_col):
    return kernels.mm(M, K, N, dtype, b_col_maj=b_col, c_col_maj=c_col)


@iron.jit
def product(a: In, b: In, c: Out, *, dtype: CompileTime[object], b_col: CompileTime[bool], c_col: CompileTime[bool]):
    mm = kernel(dtype, b_col, c_col)
    kinds = mm.arg_types()
    fa, fb, fc = (ObjectFifo(t, name=n, depth=1) for t, n in zip(kinds, "abc", strict=True))

    def core(a, b, c, mm, zero):
        out = c.acquire(1)
        zero(out)
        mm(a.acquire(1), b.acquire(1), out)
        for end in (a, b, c):
            end.release(1)

    def sequence(x, y, z, a, b, c):
        a.fill(x)
        b.fill(y)
        c.drain(z, wait=True)

    rt = Runtime(sequence, [*kinds, fa.prod(), fb.prod(), fc.cons()])
    worker = Worker(core, [fa.cons(), fb.cons(), fc.prod(), mm, mm.zero])
    return Program(iron.get_current_device(), rt, [worker]).resolve_program()


@pytest.mark.parametrize("dtype", [np.int8, np.int16, ml_dtypes.bfloat16])
@pytest.mark.parametrize(("b_col", "c_col"), [(True, False), (False, True), (True, True)])
def test_layouts(dtype, b_col, c_col):
    rng = np.random.default_rng(1)
    a, b = rng.integers(-8, 8, (M, K)).astype(dtype), rng.integers(-8, 8, (K, N)).astype(dtype)
    mm = kernel(dtype, b_col, c_col)
    r, s, t = mm.mac_dims
    y = iron.zeros(M * N, dtype=mm.arg_dtype(2))
    flat_b = blocks(b.T, t, s) if b_col else blocks(b, s, t)
    product(iron.tensor(blocks(a, r, s)), iron.tensor(flat_b), y, dtype=dtype, b_col=b_col, c_col=c_col)
    found = unblocked(y.numpy(), N, M, t, r).T if c_col else unblocked(y.numpy(), M, N, r, t)
    np.testing.assert_array_equal(found.astype(np.float64), a.astype(np.float64) @ b.astype(np.float64))
