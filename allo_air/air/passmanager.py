"""`PassManager`: pipelines as text over passes of this library and MLIR's."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from allo_air.core.ir_printing import IRPrinting
from allo_air.core.settings import Settings

if TYPE_CHECKING:
    from allo_air.mlir import ir


class PassManager:
    """Passes for operations called `anchor`, run in order; the text is that of `allo-opt --pass-pipeline`."""

    def __init__(self, anchor: str = "builtin.module", context: Any = None):
        from allo_air.core.pipeline import Pipeline

        self._context = context
        self._pipeline = Pipeline((), anchor)
        self._verifies = True
        self._shown = IRPrinting()
        self._times = False

    @staticmethod
    def parse(pipeline: str, context: object = None) -> PassManager:
        """The manager of `builtin.module(...)`; OptionError or PipelineSyntaxError if it has an unknown pass or option."""
        pass_manager = PassManager(context=context)
        pass_manager._pipeline = pass_manager._parsed(pipeline)
        return pass_manager

    def add(self, pipeline: str) -> None:
        """Appends the passes that `pipeline` lists."""
        self._pipeline += self._parsed(pipeline)

    def enable_verifier(self, enable: bool) -> None:
        """Sets whether the module is verified after each pass."""
        self._verifies = enable

    def enable_ir_printing(
        self, print_before_all: bool = False, print_after_all: bool = True, print_after_change: bool = False, **_: object
    ) -> None:
        """Prints the module on standard error around each pass; how it is printed cannot be chosen."""
        names = frozenset(step.name for step in self._pipeline.steps)
        before, after = (
            names if enabled else frozenset() for enabled in (print_before_all, print_after_all or print_after_change)
        )
        self._shown = IRPrinting(before, after, only_changed=print_after_change)

    def enable_timing(self) -> None:
        """Prints the time of each pass on standard error."""
        self._times = True

    def run(self, operation: ir.Operation) -> None:
        """Runs the passes on `operation`, or on a module; PassFailure names the one that fails."""
        from allo_air import asm
        from allo_air.core import driver

        op = operation.operation
        verify = asm.Verifier() if self._verifies else None

        def show(head: str, shown: Any) -> None:
            print(f"{head}\n{asm.write(shown)}", file=sys.stderr)

        settings = Settings(verify=verify, write=asm.write, shown=self._shown, show=show)
        with op.context:
            driver.run(self._pipeline, op, settings)
        if self._times:
            print("\n".join(f"{1e3 * seconds:10.3f} ms  {name}" for name, seconds in settings.timings), file=sys.stderr)

    def _parsed(self, text: str) -> Any:
        from allo_air.air.ir import current
        from allo_air.core import pipeline
        from allo_air.core.registry import Registry

        with self._context or current():
            return pipeline.parse(text, Registry())

    def __str__(self) -> str:
        return str(self._pipeline)
