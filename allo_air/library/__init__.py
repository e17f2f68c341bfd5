"""Library functions for kernels and schedules (layers of networks, systolic arrays), and regions of any size.

They are templates: `nn.linear2d[float32, M, N, K](X, W, b)` in a kernel, or `customize(nn.linear2d, instantiate=[float32, M, N,
K])` by themselves. `schedule_NAME(s)` schedules such a kernel. `s.compose(nn.linear2d, instantiate=[...])` does the same.
"""

from allo_air.library import aie, nn, systolic

__all__ = ["aie", "nn", "systolic"]
