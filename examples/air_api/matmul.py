"""C = A B: launches over blocks of C, four cores with accumulators that stay, operands packed for the matrix instruction."""

import argparse

import numpy as np

from allo_air.air import api as air
from allo_air.air.api import bf16, f32
from allo_air.air.backend.xrt_runner import XRTRunner

MICRO = {"npu1": (4, 8, 4), "npu2": (8, 8, 8)}
# 8 x 8 x 8 of AIE2p multiplies in block floating point, 8 elements to an exponent: at K = 128 sums are off by 0.49 at most
ATOL = {"npu1": 1e-3, "npu2": 0.6}


def build(M, N, K, micro, tm=32, tn=32, tk=32, cores=(2, 2)):
    """The launch for bf16 operands and an f32 result; each core computes tm x tn, in steps of tk."""
    rows, columns = cores
    A = air.tensor([M, K], bf16)
    B = air.tensor([K, N], bf16)
    C = air.tensor([M, N], f32)
    mm = air.micro_tile(*micro)

    with air.launch([range(0, M, rows * tm), range(0, N, columns * tn)], name="matmul") as launch:

        @launch.body
        def _(i, j):
            tall, wide = launch.tile_sizes
            with air.segment(name="matmul_segment") as seg:

                @seg.body
                def _():
                    a2 = air.alloc([tall, tk], bf16, scope=seg.private())
                    b2 = air.alloc([tk, wide], bf16, scope=seg.private())
                    c2 = air.alloc([tall, wide], f32, scope=seg.private())
                    acc = air.alloc(mm.c(tm, tn, lead=cores), f32, scope=seg.shared())
                    grid = [range(rows), range(columns)]

                    with air.herd(grid, shape=cores) as zero:

                        @zero.body
                        def _(x, y):
                            acc[:] = 0.0

                    for k in air.sequential(0, K, tk):
                        air.ops.load(a2, A[i * tall : i * tall + tall, k : k + tk])
                        air.ops.load(b2, B[k : k + tk, j * wide : j * wide + wide])
                        with air.herd(grid, shape=cores) as compute:

                            @compute.body
                            def _(x, y):
                                a1 = air.alloc(mm.a(tm, tk), bf16, scope=compute.private())
                                b1 = air.alloc(mm.b(tk, tn), bf16, scope=compute.private())
                                air.ops.load(a1, a2[x * tm : x * tm + tm, :])
                                air.ops.load(b1, b2[:, y * tn : y * tn + tn])
                                air.ops.dot(a1, b1, acc=acc)

                    with air.herd(grid, shape=cores) as drain:

                        @drain.body
                        def _(x, y):
                            air.ops.store(acc[x, y, :, :], c2[x * tm : x * tm + tm, y * tn : y * tn + tn])

                    air.ops.store(c2, C[i * tall : i * tall + tall, j * wide : j * wide + wide])

    return launch


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="npu2", choices=sorted(MICRO))
    parser.add_argument("-p", "--print-module-only", action="store_true")
    for size in "MNK":
        parser.add_argument(f"--{size}", type=int, default=128)
    args = parser.parse_args()
    module = build(args.M, args.N, args.K, MICRO[args.target]).build(args.target)
    if args.print_module_only:
        raise SystemExit(print(module))
    rng = np.random.default_rng(0)
    a = rng.standard_normal((args.M, args.K)).astype(bf16.np_dtype)
    b = rng.standard_normal((args.K, args.N)).astype(bf16.np_dtype)
    wanted = a.astype(np.float32) @ b.astype(np.float32)
    runner = XRTRunner(target_device=args.target)
    raise SystemExit(runner.run_test(module, inputs=[a, b], expected_outputs=[wanted], rtol=2e-3, atol=ATOL[args.target]))
