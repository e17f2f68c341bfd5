"""Sums of rows by a kernel in C++: the program links with rows.o, for which rows.cc stands on the simulator."""

import argparse

import numpy as np

from allo_air.air import api as air
from allo_air.air.api import bf16, f32, i32
from allo_air.air.backend.xrt_runner import XRTRunner


def build(rows=128, tile=32):
    """The launch: Y[r] is half the sum of X[r, :]."""
    X = air.tensor([rows, 64], bf16)
    Y = air.tensor([rows], f32)
    scaled_sums = air.extern("scaled_sums", object="rows.o", scalars=[i32, bf16])

    with air.launch(name="row_sums") as launch:

        @launch.body
        def _():
            with air.herd(range(0, rows, tile)) as h:

                @h.body
                def _(i):
                    x = air.alloc([tile, 64], bf16, scope=h.private())
                    y = air.alloc([tile], f32, scope=h.private())
                    air.ops.load(x, X[i * tile : i * tile + tile, :])
                    scaled_sums(tile, 0.5, x, y)
                    air.ops.store(y, Y[i * tile : i * tile + tile])

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
    x = np.random.default_rng(0).standard_normal((128, 64)).astype(bf16.np_dtype)
    wanted = 0.5 * x.astype(np.float32).sum(axis=1)
    runner = XRTRunner(target_device=launch.target)
    raise SystemExit(runner.run_test(module, inputs=[x], expected_outputs=[wanted], rtol=1e-4, atol=1e-4))
