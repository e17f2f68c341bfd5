"""`XRTBackend`: compiles an AIR module with the pipeline air-npu and runs it, on the simulator or on an NPU."""

from __future__ import annotations

import sys
from math import prod
from typing import Any, Literal

from allo_air.errors import AlloAirError

_TAKEN = ("target_device", "num_device_columns", "num_device_cols", "kernels")
_STEERING = {
    "omit_while_true_loop": "omit_while_true_loop",
    "omit_pingpong": "omit_ping_pong",
    "omit_auto_broadcast": "omit_auto_broadcast",
    "air_loop_fusion": "air_loop_fusion",
    "channel_multiplexing": "channel_multiplexing",
    "lower_linalg_to_func": "lower_linalg_to_func",
    "runtime_loop_tiling_sizes": "runtime_loop_tiling_sizes",
    "stack_size": "stack_size",
}
"""Options of MLIR-AIR's driver with those of the pipeline that are the same."""


class XRTBackend:
    """Compiles and runs AIR modules.

    `target_device` is npu1 (default; npu2 with NPU2=1), npu2 or one of their column subsets, `num_device_columns` the columns
    that may be used, `kernels` what stands for external functions on the simulator (as in `allo_air.compile`); without, a file
    `f.cc` beside the program does for what is linked with `f.o`. `backend` "xrt"
    runs on an NPU. Options of MLIR-AIR's driver that have no meaning here are named on standard error when `verbose`.
    """

    def __init__(self, verbose: bool = False, backend: Literal["sim", "xrt"] = "sim", **options: Any):
        from allo_air.device import default_npu

        self.verbose, self.backend = verbose, backend
        self.device = options.get("target_device") or default_npu()
        self.columns = options.get("num_device_columns") or options.get("num_device_cols") or 0
        self.kernels = options.get("kernels") or {}
        self.steering = {_STEERING[n]: _as_option(n, v) for n, v in options.items() if n in _STEERING and v}
        ignored = sorted(n for n, v in options.items() if n not in _TAKEN and n not in _STEERING and v)
        if verbose and ignored:
            print(f"allo_air: without meaning here: {', '.join(ignored)}", file=sys.stderr)
        self._program: Any = None

    def compile(self, air_module: Any, **_: Any) -> Any:
        """The compiled program of a module or its text; DiagnosticError where it cannot be compiled."""
        from allo_air import asm
        from allo_air.air.backend.scalars import ProgramOfScalars, scalar_places, with_constants
        from allo_air.device import DEVICES
        from allo_air.mlir import ir, new_context

        if self.device not in DEVICES:
            raise AlloAirError(f"target_device is '{self.device}', wanted one of {', '.join(DEVICES)}")
        text = str(air_module)
        with new_context(), ir.Location.unknown():
            places = scalar_places(asm.read(text, "<text>"))
        if not places:
            return self._compiled(text)

        def compiled(values: tuple[int, ...]) -> Any:
            with new_context(), ir.Location.unknown():
                module = asm.read(text, "<text>")
                with_constants(module, values, places)
                return self._compiled(asm.write(module))

        return ProgramOfScalars(places, compiled)

    def _compiled(self, text: str) -> Any:
        import allo_air
        from allo_air.air.backend.sources import kernels_beside
        from allo_air.device import DEVICES

        beside = kernels_beside(text) if self.backend == "sim" else {}
        if self.verbose and beside.keys() - self.kernels.keys():
            print(f"allo_air: kernels found: {beside}", file=sys.stderr)
        kernels = {**beside, **self.kernels}
        columns = self.columns or DEVICES[self.device].columns
        return allo_air.compile(
            text, pipeline="air-npu", device=self.device, backend=self.backend, cols=columns,
            kernels=kernels or None, **self.steering,
        )  # fmt: skip

    def load(self, artifact: Any) -> Any:
        """A function that runs the program on numpy arrays, inputs and outputs, and returns them all as they are afterwards."""
        self._program = artifact

        def run(*arrays: Any) -> tuple[Any, ...]:
            import numpy as np

            from allo_air.air.backend.scalars import ProgramOfScalars

            held = [np.array(a, order="C") for a in arrays]
            program, buffers = artifact.taking(held) if isinstance(artifact, ProgramOfScalars) else (artifact, held)
            program(*_as_buffers(program, buffers))
            return tuple(held)

        return run

    def compile_and_load(self, air_module: Any, **options: Any) -> Any:
        """`load(compile(air_module))`."""
        return self.load(self.compile(air_module, **options))

    def unload(self) -> None:
        """Forgets the program."""
        self._program = None


def _as_buffers(program: Any, arrays: list[Any]) -> list[Any]:
    """Views of the arrays in the arguments' shapes and types, where they have as many bytes: XRT knows no types."""
    from allo_air.dtypes import numpy_dtype

    arguments = program.arguments
    if len(arguments) != len(arrays):
        return arrays
    seen = []
    for argument, array in zip(arguments, arrays, strict=True):
        dtype, size = numpy_dtype(argument.element), prod(argument.shape)
        fits = array.size and array.nbytes == size * dtype.itemsize
        seen.append(array.reshape(-1).view(dtype).reshape(argument.shape) if fits else array)
    return seen


def _as_option(name: str, value: Any) -> Any:
    """The pipeline's value: all memories where ping-pong is just switched off."""
    return "all" if name == "omit_pingpong" and value is True else tuple(value) if isinstance(value, list) else value
