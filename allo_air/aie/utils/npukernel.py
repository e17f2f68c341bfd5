"""`HostRuntime` and its kernels."""

from allo_air.aie.utils.hostruntime.running import DefaultNPURuntime, HostRuntime, NPUKernel

__all__ = ["DefaultNPURuntime", "HostRuntime", "NPUKernel"]
