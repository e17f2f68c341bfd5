"""How a pipeline runs: the checks around its passes, and its outputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from allo_air.core.ir_printing import IRPrinting
from allo_air.core.pipeline import Pipeline, Step
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.mlir import ir


class Checker(Protocol):
    """An object that checks the module before the first pass and after each pass, and raises CheckFailure if it is invalid.

    It may keep state until `finish`, which is called when all passes have run, or one has failed.
    """

    def start(self, op: ir.Operation) -> None: ...

    def check(self, step: Step, op: ir.Operation) -> None: ...

    def finish(self) -> None: ...


class CheckFailure(DiagnosticError):
    """A checker's error about the module after pass `index`, which counts from 0."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], index: int):
        super().__init__(diagnostics)
        self.index = index


class SeparateLowering(Protocol):
    """Runs some passes on parts of the module, each in a module of its own, and puts the parts together again."""

    def span(self, pipeline: Pipeline) -> range: ...

    def takes(self, op: ir.Operation) -> bool: ...

    def run(
        self, op: ir.Operation, passes: range, settings: Settings, run: Callable[[ir.Operation, Settings], None]
    ) -> None: ...


@dataclass(frozen=True)
class Settings:
    """How a pipeline runs: checks and outputs around passes. `verify`, `lightly` and `write` come from the assembly layer.

    `lightly` is a cheaper `verify`. If it is set, it is the only check within a level: after passes that are not of a named
    pipeline or not of allo_air, before passes of MLIR, which assume valid input. `verify` runs at the end of the level. If it
    or a pass fails, the passes of the level run again on the level's input with `verify` after each, to find the wrong pass.
    Consecutive levels with devices count as one level;
    between them, `around` verifies everything except the contents of devices.

    `command` has the arguments that a reproducer needs on its `allo-opt` command line in addition to pipeline and file.
    `levels`: whether the rules of IR levels are checked at the end of stages, after each pass, or not at all. `checker`
    checks the module around each pass. `progress` receives the current pass, the number of completed passes, and the number
    of all passes. `rerun` returns the arguments that run the pipeline from its nth pass on; without it, a reproducer has the
    pipeline's text. `show` prints the module as `shown` says. `remark` receives a line for each pass that the user named and
    that finds nothing to do. `apart` may run passes on parts of the module, from the start of a level on.
    """

    verify: Callable[[Any], None] | None = None
    lightly: Callable[[Any], None] | None = None
    around: Callable[[Any], None] | None = None
    write: Callable[[Any], str] = str
    dump_dir: Path | None = None
    reproducer: Path | None = None
    command: tuple[str, ...] = ()
    report: Callable[[Diagnostic], None] = lambda _: None
    timings: list[tuple[str, float]] = field(default_factory=list)
    levels: Literal["borders", "each", "off"] = "borders"
    checker: Checker | None = None
    progress: Callable[[str, int, int], None] = lambda *_: None
    rerun: Callable[[int], tuple[str, ...]] | None = None
    shown: IRPrinting = field(default_factory=IRPrinting)
    show: Callable[[str, Any], None] = lambda head, op: None
    remark: Callable[[str], None] | None = None
    apart: SeparateLowering | None = None
