"""`NPUKernel` and `HostRuntime`: run programs from files that `aiecc` or a design wrote, and check the results."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.errors import IronValueError
from allo_air.aie.iron.current import get_current_device
from allo_air.aie.iron.design import KernelResult
from allo_air.aie.iron.tensor import NpuTensor
from allo_air.aie.utils.verify import count_mismatches


@dataclass
class NPUKernel:
    """A program: the paths of its xclbin and instructions, and the kernel's name."""

    xclbin_path: str
    insts_path: str | None = None
    kernel_name: str = "MLIR_AIE"
    trace_config: Any = None

    def __init__(
        self,
        xclbin_path: object,
        insts_path: object = None,
        kernel_name: str = "MLIR_AIE",
        trace_config: Any = None,
        **keywords: object,
    ):
        refuse(keywords, "NPUKernel", ignored=("device_index", "verbosity"))
        self.xclbin_path, self.insts_path = str(xclbin_path), None if insts_path is None else str(insts_path)
        self.kernel_name, self.trace_config = kernel_name, trace_config

    def __call__(self, *tensors: object, **keywords: object) -> KernelResult:
        """Runs it."""
        refuse(keywords, "NPUKernel")
        return DefaultNPURuntime.load_and_run(self, list(tensors))[1]


class HostRuntime:
    """Loads programs and runs them on tensors, which they read and write."""

    def load(self, npu_kernel: NPUKernel, **keywords: object) -> Any:
        """Loads the program of a kernel's files."""
        refuse(keywords, "HostRuntime.load", ignored=("verbosity",))
        from allo_air.compat import pyxrt

        for path in (npu_kernel.xclbin_path, npu_kernel.insts_path):
            if path is not None and not Path(path).exists():
                raise IronValueError(f"NPUKernel: there is no file '{path}'")
        return pyxrt.xclbin(npu_kernel.xclbin_path)

    def run(self, kernel_handle: Any, args: Sequence[object], **keywords: object) -> KernelResult:
        """Runs a loaded program; arrays after those of the sequence may be left out."""
        refuse(keywords, "HostRuntime.run", ignored=("only_if_loaded", "fail_on_error", "verbosity"))
        import numpy as np

        from allo_air.compat import scalars

        program = kernel_handle.program()
        arrays = [a.numpy() if isinstance(a, NpuTensor) else np.asarray(a) for a in args]
        buffers = [np.ascontiguousarray(a).reshape(-1).view(np.uint8) for a in arrays]
        declared = getattr(program, "arguments", ())
        buffers += [np.zeros(_bytes(a), np.uint8) for a in declared[len(buffers) :]]
        ran = scalars.run(program, buffers)
        for array, after in zip(arrays, buffers, strict=False):
            if array.flags.writeable:
                array[...] = after.view(array.dtype).reshape(array.shape)
        report = ran.report() if hasattr(ran, "report") else None
        microseconds = float(report.microseconds) if report is not None else 0.0
        return KernelResult(
            1e3 * microseconds, report.cycles if report is not None else 0, trace=_trace_of(buffers, declared, arrays)
        )

    def load_and_run(self, npu_kernel: NPUKernel, args: Sequence[object], **keywords: object) -> tuple[Any, KernelResult]:
        """Loads a program and runs it."""
        refuse(keywords, "HostRuntime.load_and_run", ignored=("only_if_loaded", "fail_on_error", "verbosity"))
        handle = self.load(npu_kernel)
        result = self.run(handle, args)
        if npu_kernel.trace_config is not None and result.trace is not None:
            npu_kernel.trace_config.write_trace(result.trace)
        return handle, result

    def device(self) -> Any:
        """The current device."""
        return get_current_device()

    def verify_results(self, io_args: Sequence[Any], refs: Mapping[int, object], verbosity: int = 0, **keywords: object) -> int:
        """The number of elements of the tensors in `io_args` that differ from `refs`, by number."""
        refuse(keywords, "HostRuntime.verify_results")
        import numpy as np

        wrong = 0
        for number, expected in refs.items():
            array = io_args[number].numpy() if isinstance(io_args[number], NpuTensor) else np.asarray(io_args[number])
            expected = np.asarray(expected)
            floats = not np.issubdtype(expected.dtype, np.integer)
            tolerances = {"rtol": 0.128, "atol": 0.05} if floats else {}
            count = count_mismatches(array.reshape(expected.shape), expected, **tolerances)
            if count and verbosity >= 1:
                print(f"argument {number}: {count} elements differ", file=sys.stderr)
            wrong += count
        return wrong

    def run_test(
        self, npu_kernel: NPUKernel, io_args: Sequence[object], ref: Mapping[int, Any] | None = None, n_warmup_iters: int = 0,
        n_iters: int = 1, verify: bool = True, verbosity: int = 0, **keywords: object,
    ) -> int:  # fmt: skip
        """Runs a program once, for any number of iterations, prints the predicted time, and returns 0 if the results
        are as expected.
        """
        refuse(keywords, "HostRuntime.run_test")
        result = self.load_and_run(npu_kernel, io_args)[1]
        microseconds = result.npu_time / 1e3
        wrong = self.verify_results(io_args, ref or {}, verbosity) if verify else 0
        print(f"\nAvg NPU time: {microseconds:.1f}us. (predicted)\nMin NPU time: {microseconds:.1f}us. (predicted)")
        print(f"Max NPU time: {microseconds:.1f}us. (predicted)")
        if wrong:
            print(f"\nError count: {wrong}\n\nFailed.\n")
        return int(wrong > 0)


DefaultNPURuntime = HostRuntime()


def _bytes(argument: Any) -> int:
    from math import prod

    from allo_air.dtypes import numpy_dtype

    return int(prod(argument.shape)) * int(numpy_dtype(argument.element).itemsize)


def _trace_of(buffers: Sequence[Any], declared: Sequence[Any], arrays: Sequence[Any]) -> Any:
    """An array for the buffer after the passed ones, if the program has one of bytes."""
    return buffers[-1] if len(buffers) > len(arrays) and declared and declared[-1].element == "i8" else None
