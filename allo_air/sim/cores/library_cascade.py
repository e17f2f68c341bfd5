"""Built-in matrix products with sums on the cascade: each core adds its part of K to the sums from the previous core.

mlir-aie's `cascade_mm` is row-major and scalar: each element of C is sent separately, in the first lane of 16 i32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from allo_air.core_model.machine import Machine
from allo_air.sim.cores.kernel import Kernel, Signature
from allo_air.sim.cores.library_matmul import sizes

LANES = 16


def matmul(part: str) -> Callable[[Signature, Machine, bool], Kernel]:
    """`matmul_scalar_cascade_<part>_<in>_<out>(A, B, C)`: `put_only` begins the row of cores, `put_get` adds to the sum that it
    passes on, `get_only` ends the row with C += sum.
    """
    gets, puts = "get" in part, "put" in part

    def make(_: Signature, machine: Machine, __: bool) -> Kernel:
        def run(a: np.ndarray, b: np.ndarray, c: np.ndarray, *, cascade: Any) -> int:
            m, k, n = sizes(a, b, c)
            sums = (a.reshape(m, k).astype(np.int64) @ b.reshape(k, n).astype(np.int64)).astype(np.int32)
            for place, value in enumerate(sums.reshape(-1)):
                total = value + cascade.get(np.int32)[0] if gets else value
                if puts:
                    cascade.put(np.full(LANES, total, np.int32))
                else:
                    c.reshape(-1)[place] += total
            return round(m * k * n * 2 + m * n * (machine.scalar_load + machine.store))

        return Kernel(run, (0, 1) if puts else (0, 1, 2), () if puts else (2,))

    return make
