"""exp of a vector of bf16, by a core for each column: a kernel and an algorithm of the library. `--emit-mlir` prints it."""

import argparse

import aie.iron as iron
import ml_dtypes
import numpy as np
from aie.iron import In, Out, kernels
from aie.iron.algorithms import transform_parallel
from aie.utils.hostruntime.argparse import add_compile_args
from aie.utils.hostruntime.cli import run_design_cli
from aie.utils.verify import assert_pass

N, TILE = 16384, 512


@iron.jit
def vector_exp(x: In, y: Out):
    whole = np.ndarray[(N,), np.dtype[ml_dtypes.bfloat16]]
    return transform_parallel(kernels.bf16_exp(TILE), whole, tile_size=TILE, pass_size_to_kernel=False)


def run_and_verify():
    x = iron.tensor(np.linspace(-4, 4, N).astype(ml_dtypes.bfloat16))
    y = iron.zeros_like(x)
    vector_exp(x, y)
    assert_pass(y.numpy(), kernels.bf16_exp_ref(x.numpy()), rtol=2**-7)


if __name__ == "__main__":
    opts = add_compile_args(argparse.ArgumentParser(description=__doc__)).parse_args()
    run_design_cli(vector_exp, opts, run_and_verify=run_and_verify)
