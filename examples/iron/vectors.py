"""Vectors by the library's kernels and algorithms: a sum, a product, a largest element, a softmax.

`allo-env python vectors.py`; `--op add` runs one of them.
"""

import argparse

import aie.iron as iron
import ml_dtypes
import numpy as np
from aie.iron import CompileTime, In, Out, kernels
from aie.iron.algorithms import reduce, transform, transform_parallel_binary
from aie.utils.verify import assert_pass

BF16 = ml_dtypes.bfloat16
N, TILE = 4096, 128


def array(n, dtype):
    return np.ndarray[(n,), np.dtype[dtype]]


@iron.jit
def pairwise(a: In, b: In, y: Out, *, op: CompileTime[str]):
    kernel = {"add": kernels.add, "mul": kernels.mul}[op](TILE)
    return transform_parallel_binary(kernel, array(N, BF16), tile_size=TILE, pass_size_to_kernel=False)


@iron.jit
def largest(x: In, y: Out):
    return reduce(kernels.reduce_max(N, dtype=np.int32), array(N, np.int32), array(1, np.int32))


@iron.jit
def softmax(x: In, y: Out):
    return transform(kernels.softmax(1024), array(N, BF16), tile_size=1024)


def run_pairwise(op):
    a, b = iron.rand(N, dtype=BF16), iron.rand(N, dtype=BF16)
    y = iron.zeros_like(a)
    pairwise(a, b, y, op=op)
    wanted = a.numpy() + b.numpy() if op == "add" else a.numpy() * b.numpy()
    return y.numpy(), wanted, 2**-7


def run_reduce(_op):
    x, y = iron.randint(-(2**30), 2**30, (N,), dtype=np.int32), iron.zeros(1, dtype=np.int32)
    largest(x, y)
    return y.numpy(), x.numpy().max(keepdims=True), None


def run_softmax(_op):
    x = iron.tensor((4 * np.random.default_rng(0).standard_normal(N)).astype(BF16))
    y = iron.zeros_like(x)
    softmax(x, y)
    return y.numpy(), kernels.softmax_ref(x.numpy().reshape(-1, 1024)).ravel(), 2**-6


RUNS = {"add": run_pairwise, "mul": run_pairwise, "reduce": run_reduce, "softmax": run_softmax}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--op", choices=list(RUNS), help="this one only")
    chosen = parser.parse_args().op
    for op in [chosen] if chosen else RUNS:
        found, wanted, rtol = RUNS[op](op)
        assert_pass(found, wanted, rtol=rtol, atol=None if rtol is None else 2**-12)
