"""`aie.iron`: objectFifos, workers and sequences that become a design in the aie dialect, and run on the simulator."""

import sys
from collections.abc import Sequence

from allo_air.aie.building.arrays import dtype_to_str, str_to_dtype, v8bfp16ebs8, v16bfp16ebs16
from allo_air.aie.iron import algorithms, controlflow, dataflow, device, kernels, runtime
from allo_air.aie.iron import current as hostruntime
from allo_air.aie.iron.barrier import WorkerRuntimeBarrier
from allo_air.aie.iron.buffer import Buffer, GlobalBuffer, LocalBuffer
from allo_air.aie.iron.context import compile_context, get_compile_arg
from allo_air.aie.iron.current import ensure_current_device, get_current_device, set_current_device
from allo_air.aie.iron.dataflow import ObjectFifo
from allo_air.aie.iron.design import CallableDesign, CompilableDesign, CompileTime, In, InOut, Out, compileconfig, jit
from allo_air.aie.iron.explicit import CascadeFlow, Flow, Lock, PacketDest, PacketFlow
from allo_air.aie.iron.kernel import ExternalFunction, Kernel
from allo_air.aie.iron.program import Program
from allo_air.aie.iron.runtime import Runtime, RuntimeData
from allo_air.aie.iron.scratchpad import ScratchpadParameter, sync_parameters
from allo_air.aie.iron.tasks import Task, TaskGroup
from allo_air.aie.iron.tensor import (
    CPUOnlyTensor,
    NpuTensor,
    arange,
    ceildiv,
    full,
    ones,
    rand,
    randint,
    set_tensor_class,
    tensor,
    zeros,
    zeros_like,
)
from allo_air.aie.iron.tile_dma import Acquire, Bd, BdIteration, DmaChannel, Release, TileDma
from allo_air.aie.iron.worker import Worker

__all__ = [
    "CPUOnlyTensor", "NpuTensor",
    "Acquire", "Bd", "BdIteration", "CascadeFlow", "DmaChannel", "Flow", "Lock", "PacketDest", "PacketFlow", "PadDims",
    "Release", "StreamDims", "TileDma", "compile_context", "compileconfig", "get_compile_arg", "set_tensor_class",
    "Buffer", "CallableDesign", "CompilableDesign", "CompileTime", "ExternalFunction", "GlobalBuffer",
    "In", "InOut", "Kernel", "LocalBuffer",
    "ObjectFifo", "Out", "Program", "Runtime", "RuntimeData", "ScratchpadParameter",
    "Task", "TaskGroup", "Worker", "WorkerRuntimeBarrier", "hostruntime",
    "algorithms", "arange", "ceildiv", "controlflow", "dataflow", "device", "dtype_to_str", "ensure_current_device",
    "full", "get_current_device", "jit", "kernels", "ones", "rand", "randint", "runtime", "set_current_device",
    "str_to_dtype", "sync_parameters", "tensor", "zeros", "zeros_like",
    "v8bfp16ebs8", "v16bfp16ebs16",
]  # fmt: skip

StreamDims = Sequence[tuple[int, int]]
"""Dimensions of a stream: pairs (size, stride), outermost first."""
PadDims = Sequence[tuple[int, int]]
"""Pads of a stream: pairs (before, after), outermost first."""

_ELSEWHERE = {
    "dataflow.objectfifo": "dataflow", "device.device": "device", "device.tile": "device", "globalbuffer": "buffer",
    "localbuffer": "buffer", "runtime.data": "runtime", "runtime.runtime": "runtime", "runtime.dmatask": "tasks",
    "runtime.task": "tasks", "hostruntime": "current", "hostruntime.config": "current", "config": "current",
    "runtime.taskgroup": "tasks", "kernels.linalg": "kernels.matmul", "kernels.eltwise": "kernels.elementwise",
    "kernels.activation": "kernels.elementwise", "kernels.reduction": "kernels.reduce",
    "algorithms.transform": "algorithms", "algorithms.for_each": "algorithms", "algorithms.reduce": "algorithms",
}  # fmt: skip
"""Modules that mlir-aie cuts otherwise."""
sys.modules.update({f"{__name__}.{alias}": sys.modules[f"{__name__}.{module}"] for alias, module in _ELSEWHERE.items()})
