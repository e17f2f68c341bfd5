"""`AirCpuBackend`: runs modules on the host, without a model of the device."""

from __future__ import annotations

import sys
from typing import Any

from allo_air.air.backend.abc import AirBackend
from allo_air.air.backend.invoker import Invoker

__all__ = ["DEFAULT_PIPELINE", "AirCpuBackend"]

DEFAULT_PIPELINE = "builtin.module(canonicalize,cse)"
"""What a module goes through before it is run."""


class AirCpuBackend(AirBackend):
    """Executes launches, segments, herds and channels in the interpreter (docs/checks.md)."""

    def compile(self, air_module: Any, pipeline: str | None = None, verbose: bool = False, **_: Any) -> Any:
        """A copy of the module, after `pipeline`, by default `DEFAULT_PIPELINE`."""
        from allo_air.air.backend.xrt import _text
        from allo_air.air.ir import Module
        from allo_air.air.passmanager import PassManager
        from allo_air.mlir import new_context

        if verbose:
            print(f"allo_air: running {pipeline or DEFAULT_PIPELINE}", file=sys.stderr)
        module = Module.parse(_text(air_module), new_context())
        PassManager.parse(pipeline or DEFAULT_PIPELINE, context=module.context).run(module.operation)
        return module

    def load(self, module: Any) -> Invoker:
        """What calls the functions of a compiled module."""
        from allo_air.air.backend.xrt import _text
        from allo_air.core.walking import walk_named
        from allo_air.program.source import Source
        from allo_air.program.stage import run_stage

        source = Source(_text(module), "<module>")
        functions = [f for f in walk_named(source.module.operation, "func.func") if f.regions[0].blocks]

        def run(name: str, arrays: list[Any]) -> list[Any]:
            done = run_stage(source, None, arrays, function=name)
            for array, after in zip(arrays, done.arrays, strict=False):
                if array.flags.writeable:
                    array[...] = after
            return list(done.arrays[len(arrays) :])

        return Invoker([f.attributes["sym_name"].value for f in functions], run)

    def unload(self) -> None:
        """Nothing is held."""
