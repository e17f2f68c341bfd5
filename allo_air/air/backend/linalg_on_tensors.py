"""`LinalgOnTensorsAirBackend`: runs modules of linalg on tensors, as torch-mlir makes them, on the device."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.air.backend.abc import AirBackend
from allo_air.air.backend.invoker import Invoker
from allo_air.core.calls import refuse_unknown
from allo_air.core.names import sym_name_of
from allo_air.errors import AlloAirError, ArgumentError, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

__all__ = ["LinalgOnTensorsAirBackend", "make_dynamo_backend"]


class LinalgOnTensorsAirBackend(AirBackend):
    """Compiles a module of one function with the pipeline for its operations, and runs it on the simulator.

    `target_device` is npu1 (default), npu2 or some of their columns.
    """

    def __init__(self, target_device: str | None = None, **keywords: object):
        refuse_unknown("LinalgOnTensorsAirBackend", keywords, ["target_device"])
        from allo_air.device import default_npu

        self.device = target_device or default_npu()

    def compile(
        self, air_module: object, pipeline: str | None = None, verbose: bool = False, **keywords: object
    ) -> tuple[str, Any]:
        """The function's name and its program; `pipeline` is the name or text of a pipeline that lowers it to a design."""
        refuse_unknown("LinalgOnTensorsAirBackend.compile", keywords, ["air_module", "pipeline", "verbose"])
        import allo_air
        from allo_air.air.backend.xrt import _text
        from allo_air.core.walking import walk_named
        from allo_air.program.source import Source

        if verbose:
            print(f"allo_air: running {pipeline or 'the pipeline for its operations'} for {self.device}", file=sys.stderr)
        text = _text(air_module)
        source = Source(text, "<module>")
        functions = walk_named(source.module.operation, "func.func")
        names = [sym_name_of(f) for f in functions if f.regions[0].blocks]
        if len(names) != 1:
            raise AlloAirError(f"the module defines {counted(len(names), 'function')} ({', '.join(names)}); expected one")
        return names[0], allo_air.compile(text, pipeline, self.device)

    def load(self, artifact: Any) -> Invoker:
        """The callable of the function."""
        name, program = artifact

        def run(_: str, arrays: Sequence[np.ndarray]) -> list[Any]:
            result = program(*arrays)
            return list(result) if isinstance(result, tuple) else [result]

        return Invoker([name], run)

    def unload(self) -> None:
        """Does nothing: the backend has no resources to release."""


def make_dynamo_backend(**keywords: object) -> Callable[..., Any]:
    """The backend for `torch.compile(model, backend=...)`, with the `options` of that call."""
    for name in keywords:
        raise ArgumentError(f"make_dynamo_backend() has no argument '{name}'; give torch.compile(model, options=...)")
    from torch._dynamo import lookup_backend

    return lookup_backend("allo_air")
