"""Functions for kernels and schedules: layers of networks, systolic arrays; and regions that are made by size.

They are templates: `nn.linear2d[float32, M, N, K](X, W, b)` in a kernel, and by themselves
`customize(nn.linear2d, instantiate=[float32, M, N, K])`. `schedule_NAME(s)` applies a schedule to one, as does
`s.compose(nn.linear2d, instantiate=[...])`.
"""

from allo_air.library import aie, nn, systolic

__all__ = ["aie", "nn", "systolic"]
