"""`CompiledKernel`: a compiled launch, called with arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air import asm
from allo_air.air.api.errors import RuntimeError, TypeError, ValueError
from allo_air.air.api.hints import explained
from allo_air.air.backend.xrt import XRTBackend
from allo_air.errors import DiagnosticError, counted

if TYPE_CHECKING:
    from allo_air.air.backend.xrt import XRTCompileArtifact
    from allo_air.air.ir import Module
    from allo_air.mlir import ir

__all__ = ["CompiledKernel", "compiled"]


class CompiledKernel:
    """A compiled launch: a call takes the input arrays, in order, and returns the output, or a tuple of outputs."""

    def __init__(self, launch: ir.OpView, backend: XRTBackend, program: XRTCompileArtifact):
        self._launch, self._backend = launch, backend
        self.program = program
        self._run: Callable[..., Any] | None = backend.load(program)
        self.search_space: dict[str, int] = dict(launch.search_space)

    def __call__(self, *inputs: object) -> Any:
        import numpy as np

        if self._run is None:
            raise RuntimeError(f"kernel '{self._launch.name}' was unloaded; compile it again")
        parameters = self._launch.inputs
        if len(inputs) != len(parameters):
            raise TypeError(
                f"kernel '{self._launch.name}' takes "
                f"{counted(len(parameters), 'array')}, got {len(inputs)}: give the inputs only"
            )
        arrays = [_checked(np.asarray(a), t) for a, t in zip(inputs, parameters, strict=True)]
        blank = [np.zeros(t.shape, t.dtype.np_dtype) for t in self._launch.outputs]
        result = self._run(*arrays, *blank)[len(arrays) :]
        return result[0] if len(result) == 1 else tuple(result)

    def unload(self) -> None:
        """Releases the program."""
        self._backend.unload()
        self._run = None


def compiled(launch: Any, module: Module, *, verbose: bool, output_format: str, **options: object) -> CompiledKernel:
    """The kernel of `launch`, whose module is `module`."""
    settings = {
        "omit_while_true_loop": False,
        "instance_name": launch.name,
        "target_device": launch.target,
        "output_format": output_format,
        "runtime_loop_tiling_sizes": [4, 4],
        **options,
    }
    backend = XRTBackend(verbose, **settings)
    try:
        program = backend.compile(asm.write(module.operation, debug_info=True))  # findings name the program's lines
    except DiagnosticError as error:
        raise explained(error, launch) from error
    return CompiledKernel(launch, backend, program)


def _checked(array: Any, tensor: Any) -> Any:
    if array.dtype != tensor.dtype.np_dtype:
        raise TypeError(f"{tensor.label} takes an array of {tensor.dtype.np_dtype}, got {array.dtype}; use .astype")
    if tuple(array.shape) != tuple(tensor.shape):
        raise ValueError(f"{tensor.label} takes an array of shape {list(tensor.shape)}, got {list(array.shape)}")
    return array
