"""Helpers of IRON programs, by the names that they import."""

import sys

from allo_air.aie.iron import design as _design
from allo_air.aie.iron.current import ensure_current_device, get_current_device, set_current_device
from allo_air.aie.iron.tensor import CPUOnlyTensor, NpuTensor, tensor
from allo_air.aie.utils.hostruntime import running as _running
from allo_air.aie.utils.hostruntime.running import DefaultNPURuntime, HostRuntime, NPUKernel
from allo_air.aie.utils.trace import events as _events
from allo_air.aie.utils.trace.config import TraceConfig

__all__ = [
    "CPUOnlyTensor", "DefaultNPURuntime", "HostRuntime", "NPUKernel", "NpuTensor", "TraceConfig", "ensure_current_device",
    "get_current_device", "set_current_device", "tensor",
]  # fmt: skip

_tensor = sys.modules[NpuTensor.__module__]
_ELSEWHERE = {
    "jit": _design, "callabledesign": _design, "compilabledesign": _design, "hostruntime.hostruntime": _running,
    "hostruntime.tensor_class": _tensor, "hostruntime.xrtruntime": _running,
    "hostruntime.xrtruntime.hostruntime": _running, "hostruntime.xrtruntime.tensor": _tensor,
    "trace_events_enum": _events,
}  # fmt: skip
"""Modules that mlir-aie cuts otherwise."""
sys.modules.update({f"{__name__}.{alias}": module for alias, module in _ELSEWHERE.items()})
