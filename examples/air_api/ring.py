"""Workers that pass their tiles around a ring until each has seen all: channels whose indices are `%` of a coordinate."""

import argparse

import numpy as np

from allo_air.air import api as air
from allo_air.air.api import i32
from allo_air.air.backend.xrt_runner import XRTRunner


def build(workers=4, size=64):
    """The launch: Y[w] is the sum of all tiles of X, for each worker w."""
    X = air.tensor([workers, size], i32)
    Y = air.tensor([workers, size], i32)
    ring = air.channel("Ring", size=[workers])

    with air.launch(name="ring") as launch:

        @launch.body
        def _():
            with air.segment() as seg:

                @seg.body
                def _():
                    with air.herd(range(workers), shape=workers) as h:

                        @h.body
                        def _(w):
                            here, total = (air.alloc([size], i32, scope=h.private()) for _ in range(2))
                            air.ops.load(here, X[w, :])
                            total[:] = here[:]
                            for _ in air.sequential(workers - 1):
                                ring.put(here, indices=[(w + 1) % workers])
                                ring.get(here, indices=[w])
                                total[:] = total[:] + here[:]
                            air.ops.store(total, Y[w, :])

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
    x = np.random.default_rng(0).integers(-1000, 1000, (4, 64)).astype(np.int32)
    wanted = np.tile(x.sum(axis=0, dtype=np.int32), (4, 1))
    raise SystemExit(XRTRunner(target_device=launch.target).run_test(module, inputs=[x], expected_outputs=[wanted]))
