"""C = A + B: tiles on the cores, taken in pieces; `allo-tune eltwise_add.py:build` tries other pieces."""

import argparse
from itertools import product

import numpy as np

from allo_air.air import api as air
from allo_air.air.api import bf16
from allo_air.air.backend.xrt_runner import XRTRunner


def build(M=64, N=1024, dtype=bf16, tile_m=16, tile_n=512):
    """The launch; the number of elements that are moved at a time is a symbol."""
    piece = air.symbol(choices=[128, 256, 512])
    A = air.tensor([M, N], dtype)
    B = air.tensor([M, N], dtype)
    C = air.tensor([M, N], dtype)

    with air.launch(name="eltwise_add") as launch:

        @launch.body
        def _():
            with air.herd(product(range(0, M, tile_m), range(0, N, tile_n))) as h:

                @h.body
                def _(i, j):
                    tm, tn = h.tile_sizes
                    a, b, c = (air.alloc([tm, piece], dtype, scope=h.private()) for _ in range(3))
                    for k in air.sequential(0, tn, piece):
                        at = (slice(i * tm, i * tm + tm), slice(j * tn + k, j * tn + k + piece))
                        air.ops.load(a, A[at])
                        air.ops.load(b, B[at])
                        c[:] = a[:] + b[:]
                        air.ops.store(c, C[at])

    return launch


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="auto", help="npu1, npu2, or auto")
    parser.add_argument("-p", "--print-module-only", action="store_true")
    args = parser.parse_args()
    launch = build()
    module = launch.build(args.target)
    if args.print_module_only:
        raise SystemExit(print(module))
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((64, 1024)).astype(bf16.np_dtype) for _ in range(2))
    wanted = (a.astype(np.float32) + b.astype(np.float32)).astype(bf16.np_dtype)
    runner = XRTRunner(target_device=launch.target)
    raise SystemExit(runner.run_test(module, inputs=[a, b], expected_outputs=[wanted], rtol=1.6e-2, atol=5e-2))
