"""Helpers of IRON programs, by the names that they import."""

from allo_air.aie.iron.tensor import CPUOnlyTensor, NpuTensor, tensor
from allo_air.aie.utils.hostruntime.running import DefaultNPURuntime, HostRuntime, NPUKernel
from allo_air.aie.utils.trace.config import TraceConfig

__all__ = ["CPUOnlyTensor", "DefaultNPURuntime", "HostRuntime", "NPUKernel", "NpuTensor", "TraceConfig", "tensor"]
