"""`run_pipeline` and `Pipeline`: passes by the names of methods, as mlir-python-extras has them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from allo_air.air.passmanager import PassManager

__all__ = ["Pipeline", "run_pipeline"]


def run_pipeline(
    module: Any,
    pipeline: str | Pipeline,
    description: str | None = None,
    enable_ir_printing: bool = False,
    print_pipeline: bool = False,
    verify: bool = True,
) -> Any:
    """Runs `pipeline`, a text or a Pipeline, on `module`, which is returned. PassFailure names the pass that fails."""
    text = str(pipeline)
    if print_pipeline:
        print(text, file=sys.stderr)
    with module.context:
        passes = PassManager.parse(text if text.startswith("builtin.module(") else f"builtin.module({text})")
        passes.enable_verifier(verify)
        if enable_ir_printing:
            passes.enable_ir_printing()
        passes.run(module.operation)
    return module


class Pipeline:
    """A list of passes that grows by method calls: `Pipeline().canonicalize().Nested("aie.device", Pipeline().cse())`.

    A method's name is the pass's with `_` for `-`; its keywords are the options, with `_` for `-` as well. A trailing `_` is
    removed, so that Python's keywords can be written.
    """

    def __init__(self, pipeline: list[str] | None = None, wrapper: str | None = None):
        self._passes = list(pipeline or [])
        self._anchor = wrapper

    def add_pass(self, pass_name: str, **options: Any) -> Pipeline:
        """Appends a pass; `True` and `False` are `true` and `false`, lists are joined by commas, None is not an option."""
        values = [f"{name.replace('_', '-')}={_text(value)}" for name, value in options.items() if value is not None]
        self._passes.append(f"{pass_name}{{{' '.join(values)}}}" if values else pass_name)
        return self

    def Nested(self, context: str, pipeline: Pipeline) -> Pipeline:
        """Appends passes for the operations called `context`."""
        self._passes.append(f"{context}({','.join(pipeline._passes)})")
        return self

    def Func(self, pipeline: Pipeline) -> Pipeline:
        """Appends passes for functions."""
        return self.Nested("func.func", pipeline)

    def Module(self, pipeline: Pipeline) -> Pipeline:
        """Appends passes for modules inside of the module."""
        return self.Nested("builtin.module", pipeline)

    def __getattr__(self, name: str) -> Callable[..., Pipeline]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda **options: self.add_pass(name.rstrip("_").replace("_", "-"), **options)

    def __iadd__(self, other: Pipeline) -> Pipeline:
        self._passes += other._passes
        return self

    def __add__(self, other: Pipeline) -> Pipeline:
        return Pipeline(self._passes + other._passes, self._anchor)

    def materialize(self, module: bool = True) -> str:
        """The text, with or without `builtin.module(...)` around it."""
        text = ",".join(self._passes)
        return f"{self._anchor or 'builtin.module'}({text})" if module or self._anchor else text

    def __str__(self) -> str:
        return self.materialize()


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
