"""`XRTBackend`: compiles an AIR module with the pipeline air-npu and runs it, on the simulator or on an NPU."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from allo_air.air.backend import options as xrt_options
from allo_air.air.backend.target import detect_target_device
from allo_air.errors import AlloAirError

__all__ = ["XRTBackend", "XRTCompileArtifact", "detect_target_device"]


@dataclass(frozen=True)
class XRTCompileArtifact:
    """The names of a compiled program's files, and the program, which is read from the files if it is not passed. Other
    attributes are those of the program.
    """

    output_binary: str = "air.xclbin"
    kernel: str = "MLIR_AIE"
    insts: str = "air.insts.bin"
    compiled: Any = None

    @property
    def xclbin(self) -> str:
        """The file that holds the program."""
        return self.output_binary

    @cached_property
    def program(self) -> Any:
        """The compiled program; AlloAirError if the file is missing, or was written by another tool."""
        from allo_air.compat import package

        return package.read(self.output_binary)[1]() if self.compiled is None else self.compiled

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.program, name)

    def __call__(self, *arrays: object, **settings: object) -> Any:
        return self.program(*arrays, **settings)


class XRTBackend:
    """Compiles and runs AIR modules.

    `target_device` is npu1 (default; that of AIR_TARGET_DEVICE, or npu2 with NPU2=1), npu2 or one of their column subsets,
    `num_device_columns` the columns that may be used. `kernels` implement external functions on the simulator (as in
    `allo_air.compile`); without them, the linked object files record their sources, or a file `f.cc` next to the program is
    used for `f.o`. Right shifts of i32 round as in cores that MLIR-AIR's tool chain compiles; with `shift_rounding="floor"`
    they follow `arith.shrsi`. `backend` "xrt" runs on an NPU. With `verbose`, options of MLIR-AIR's driver that have no
    effect are listed on standard error.
    """

    def __init__(
        self,
        verbose: bool = False,
        omit_while_true_loop: bool = False,
        omit_pingpong: bool | str = "",
        *,
        backend: Literal["sim", "xrt"] = "sim",
        **options: Any,
    ):
        options |= {"omit_while_true_loop": omit_while_true_loop, "omit_pingpong": omit_pingpong}
        xrt_options.check("XRTBackend", options, ("verbose", "omit_while_true_loop", "omit_pingpong", "backend"))
        self.verbose, self.backend, self.output_format = verbose, backend, options.get("output_format") or "xclbin"
        self.device = self.target_device = xrt_options.device_of(options.get("target_device"))
        self.columns = options.get("num_device_columns") or options.get("num_device_cols") or 0
        self.kernels = options.get("kernels") or {}
        self.kernel_name = options.get("instance_name") or options.get("kernel_name") or "MLIR_AIE"
        self.steering = xrt_options.steering(options)
        xrt_options.say_ignored(options, verbose)
        self.currently_loaded = False
        self.last_program: Any = None

    def compile(
        self,
        air_module: Any,
        xclbin: str | None = None,
        kernel: str | None = None,
        insts: str | None = None,
        output_binary_name: str | None = None,
        **_: object,
    ) -> XRTCompileArtifact:
        """The compiled program of a module or its text; DiagnosticError if it cannot be compiled.

        The files `xclbin` (or `output_binary_name` with the format's ending) and `insts` are written where they are named, and
        under `allo-env`: `pyxrt` runs them.
        """
        from allo_air.compat.scalars import compiled

        if self.currently_loaded:
            raise AlloAirError("this XRTBackend has a program loaded; unload() it before the next is compiled")
        xrt_options.check_device(self.device, self.output_format)
        text = _text(air_module)
        options = self._options(text)
        program = compiled(text, options)
        binary = xclbin or f"{output_binary_name or 'air'}.{'elf' if self.output_format == 'elf' else 'xclbin'}"
        artifact = XRTCompileArtifact(binary, kernel or self.kernel_name, insts or "air.insts.bin", program)
        if xclbin or insts or output_binary_name or "ALLO_ENV_ROOT" in os.environ:
            _write(artifact, text, options)
        return artifact

    def _options(self, text: str) -> dict[str, Any]:
        from allo_air.air.backend.sources import kernels_near_program
        from allo_air.device import DEVICES

        linked = [str(name) for name in [self.steering.get("lower_linalg_to_func")] if name]
        beside = kernels_near_program(text, linked) if self.backend == "sim" else {}
        if self.verbose and beside.keys() - self.kernels.keys():
            print(f"allo_air: kernels found: {', '.join(beside)}", file=sys.stderr)
        columns = self.columns or DEVICES[self.device].columns
        kernels = {**beside, **self.kernels}
        return {
            "pipeline": "air-npu", "device": self.device, "backend": self.backend, "cols": columns,
            "kernels": kernels or None, **({"shift_rounding": "hardware"} if self.backend == "sim" else {}),
            **({"core_code": "improved"} if self.steering.get("shift_rounding") == "floor" else {}),
            **self.steering, **self._calls(kernels),
        }  # fmt: skip

    def _calls(self, kernels: Mapping[str, object]) -> dict[str, Any]:
        """The linalg operations that become calls: those with a kernel; the others are compiled."""
        if not (file := self.steering.get("lower_linalg_to_func")) or self.backend != "sim":
            return {}
        if kernels:
            return {"linalg_functions": tuple(kernels)}
        print(f"allo_air: note: no record of sources in '{file}'; linalg operations are compiled instead", file=sys.stderr)
        return {"lower_linalg_to_func": ""}

    def compile_from_torch_mlir(self, imported_module: object, *_: object, **options: Any) -> XRTCompileArtifact:
        """Like `compile`, for a module of linalg on tensors."""
        return self.compile(imported_module, **options)

    def load(self, artifact: object) -> Callable[..., tuple[Any, ...]]:
        """A function that runs the program on numpy arrays, inputs and outputs, and returns all arrays after the run."""
        program = artifact.program if isinstance(artifact, XRTCompileArtifact) else artifact
        self.currently_loaded = True

        def run(*arrays: object) -> tuple[Any, ...]:
            import numpy as np

            from allo_air.compat import scalars

            copies = [np.array(a, order="C") for a in arrays]
            self.last_program = scalars.run(program, copies)
            return tuple(copies)

        return run

    def compile_and_load(self, air_module: object, **options: Any) -> Callable[..., tuple[Any, ...]]:
        """`load(compile(air_module))`."""
        return self.load(self.compile(air_module, **options))

    def unload(self) -> None:
        """Releases the program."""
        self.currently_loaded = False
        self.last_program = None

    @property
    def last_latency_us(self) -> float | None:
        """The simulator's predicted time of the last run on the device, in microseconds."""
        return latency_of(self.last_program)


def _text(module: object) -> str:
    """The text of a module, with locations in the program that built it."""
    from allo_air import asm

    if callable(module):
        name = getattr(module, "__name__", type(module).__name__)
        raise AlloAirError(f"expected a module or its text, got the function {name}; call it, as in {name}()")
    return asm.write(module.operation, debug_info=True) if hasattr(module, "operation") else str(module)


def latency_of(program: object) -> float | None:
    """Predicted microseconds of the last run of `program`; None if it did not run on the simulator."""
    report = getattr(program, "_last_report", None)
    return None if report is None else float(report.microseconds)


def _write(artifact: XRTCompileArtifact, text: str, options: Mapping[str, object]) -> None:
    from allo_air.compat import package

    words: Sequence[int] = (getattr(artifact.program, "lowered", None) and artifact.program.lowered.words) or ()
    try:
        package.write(artifact.output_binary, text, options, artifact.kernel, artifact.program)
        Path(artifact.insts).write_bytes(b"".join(int(w).to_bytes(4, "little") for w in words))
    except OSError as error:
        raise AlloAirError(f"cannot write '{error.filename}': {error.strerror}") from None
