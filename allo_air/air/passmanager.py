"""`PassManager`: pipelines as text over passes of this library and MLIR's."""

from __future__ import annotations

from typing import Any


class PassManager:
    """Passes for operations called `anchor`, run in order; the text is that of `allo-opt --pass-pipeline`."""

    def __init__(self, anchor: str = "builtin.module", context: Any = None):
        from allo_air.core.pipeline import Pipeline

        self._context = context
        self._pipeline = Pipeline((), anchor)
        self._verifies = True

    @staticmethod
    def parse(pipeline: str, context: Any = None) -> PassManager:
        """The manager of `builtin.module(...)`; OptionError or PipelineSyntaxError name what is no pass or option."""
        made = PassManager(context=context)
        made._pipeline = made._parsed(pipeline)
        return made

    def add(self, pipeline: str) -> None:
        """Appends what `pipeline` lists."""
        self._pipeline += self._parsed(pipeline)

    def enable_verifier(self, enable: bool) -> None:
        """Whether the module is verified after each pass."""
        self._verifies = enable

    def run(self, operation: Any) -> None:
        """Runs the passes on `operation`, or on a module; PassFailure names the one that fails."""
        from allo_air import asm
        from allo_air.core import driver

        op = operation.operation
        settings = driver.Settings(verify=asm.Verifier() if self._verifies else None, write=asm.write)
        with op.context:
            driver.run(self._pipeline, op, settings)

    def _parsed(self, text: str) -> Any:
        from allo_air.air.ir import current
        from allo_air.core import pipeline
        from allo_air.core.registry import Registry

        with self._context or current():
            return pipeline.parse(text, Registry())

    def __str__(self) -> str:
        return str(self._pipeline)
