"""`AirCpuBackend`: runs modules on the host, without a model of the device."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from allo_air.air.backend.abc import AirBackend
from allo_air.air.backend.invoker import Invoker
from allo_air.core.calls import refuse_unknown
from allo_air.core.names import sym_name_of
from allo_air.errors import ArgumentError, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

__all__ = ["DEFAULT_PIPELINE", "AirCpuBackend"]

DEFAULT_PIPELINE = "builtin.module(canonicalize,cse)"
"""The passes that run before a module is executed."""


class AirCpuBackend(AirBackend):
    """Executes launches, segments, herds and channels in the interpreter (docs/checks.md)."""

    def compile(self, air_module: object, pipeline: str | None = None, verbose: bool = False, **keywords: object) -> Any:
        """A copy of the module, after `pipeline`, by default `DEFAULT_PIPELINE`."""
        refuse_unknown("AirCpuBackend.compile", keywords, ["air_module", "pipeline", "verbose"])
        from allo_air.air.backend.xrt import _text
        from allo_air.air.ir import Module
        from allo_air.air.passmanager import PassManager
        from allo_air.mlir import new_context

        if verbose:
            print(f"allo_air: running {pipeline or DEFAULT_PIPELINE}", file=sys.stderr)
        module = Module.parse(_text(air_module), new_context())
        PassManager.parse(pipeline or DEFAULT_PIPELINE, context=module.context).run(module.operation)
        return module

    def load(self, module: object) -> Invoker:
        """The functions of a compiled module, as callables."""
        from allo_air.air.backend.xrt import _text
        from allo_air.core.walking import walk_named
        from allo_air.program.source import Source
        from allo_air.program.stage import run_stage

        source = Source(_text(module), "<module>")
        functions = [f for f in walk_named(source.module.operation, "func.func") if f.regions[0].blocks]
        counts = {sym_name_of(f): len(f.regions[0].blocks[0].arguments) for f in functions}

        def run(name: str, arrays: Sequence[np.ndarray]) -> list[Any]:
            if len(arrays) != counts[name]:
                raise ArgumentError(f"@{name} takes {counted(counts[name], 'argument')}, found {len(arrays)}")
            done = run_stage(source, None, arrays, function=name)
            written = [n for n in range(len(arrays)) if done.arguments[n].role != "in"]
            for number in written:
                if not arrays[number].flags.writeable:
                    raise ArgumentError(
                        f"@{name} writes to argument {number}, which is read-only; give a numpy array that is not"
                    )
            for number in written:
                arrays[number][...] = done.arrays[number]
            return list(done.arrays[len(arrays) :])

        return Invoker(list(counts), run)

    def unload(self) -> None:
        """Does nothing: the backend has no resources to release."""
