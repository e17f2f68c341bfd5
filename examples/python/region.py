"""Allo's language: a region of four cores, each with a quarter of the rows, and a stream between two kernels."""

import numpy as np

import allo_air.dataflow as df
from allo_air.ir.types import Stream, int32
from allo_air.memory import Layout

ROWS = Layout("S0R")


@df.region()
def top(A: int32[64, 32], B: int32[64, 32]):
    pipe: Stream[int32[16, 32], 2][4]

    @df.kernel(mapping=[4], args=[A])
    def double(local: int32[64, 32] @ ROWS):
        i = df.get_pid()
        pipe[i].put(local + local)

    @df.kernel(mapping=[4], args=[B])
    def add_one(local: int32[64, 32] @ ROWS):
        i = df.get_pid()
        local[:, :] = pipe[i].get() + 1


A = np.arange(64 * 32, dtype=np.int32).reshape(64, 32)
B = np.zeros_like(A)
df.build(top, target="aie", device_type="npu1")(A, B)
np.testing.assert_array_equal(B, 2 * A + 1)
print("PASS")
