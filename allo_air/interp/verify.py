"""--verify-each=execute: runs a module before and after every pass, and finds the first pass that changes what it computes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.pipeline import Pipeline
from allo_air.core.rewrite import walk_named
from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError, placeless
from allo_air.interp.compare import bound, differences
from allo_air.interp.errors import Race, Unsupported, UseAfterFree
from allo_air.interp.executors import Executor, NotExecuted, entries, executor_for, level_of
from allo_air.interp.inputs import Outputs, draw, fit, outputs
from allo_air.interp.run import run
from allo_air.interp.structured import Structured, structured


@dataclass
class Execution:
    """Executes what a pipeline runs on, on inputs drawn from `seed`, and compares.

    `write` prints a module, `say` tells the user what was not executed, `command` is the start of a command line that runs one
    pass again, `reproducer` the file for that (a temporary one, if None). Each module runs in `schedules` random orders.
    """

    write: Callable[[Any], str]
    say: Callable[[str], None] = lambda _: None
    seed: int = 0
    schedules: int = 2
    command: str = "allo-opt"
    reproducer: Path | None = None
    timings: list[tuple[str, float]] = field(default_factory=list)
    libraries: dict[str, Any] = field(default_factory=dict)

    def start(self, op: Any) -> None:
        """Runs the module as it is before the first pass; functions that do not run are left out, and `skipped` says why."""
        self.skipped: dict[str, AlloAirError] = {}
        self._inputs: dict[str, list[Any]] = {}
        self._before: dict[str, Outputs] = {}
        self._kernels: list[Structured] = []
        self._since: list[Any] = []
        self._program_order: set[str] = set()
        self._silent = self._text = self._last = ""
        begin = perf_counter()
        for function in filter(self.takes, entries(op)):
            name = _name(function)
            try:
                self._inputs[name] = draw(function, self.seed)
                self._before[name] = self._first(op, function)
            except AlloAirError as why:
                self.skipped[name] = why
                self._tell(f"@{name}", "before the first pass", why)
        self._last = self.write(op)
        self._remember(op)
        self.timings.append(("(execute) input", perf_counter() - begin))

    def takes(self, function: Any) -> bool:
        """Whether to execute an entry at all; for subclasses to narrow."""
        return True

    def check(self, step: Any, op: Any) -> None:
        """Runs the module after pass `step`; raises a DiagnosticError when it computes something else than before."""
        self._since.append(step)
        begin = perf_counter()
        text = self.write(op)
        if text == self._last:
            self._since.pop()
            self.timings.append((f"(execute) {step.name}: changed nothing", perf_counter() - begin))
            return
        self._last = text
        after: dict[str, Outputs] = {}
        found = []
        functions = {_name(f): f for f in entries(op)}
        for name in self._before:
            function = functions.get(name)
            if function is None:
                self._tell(f"@{name}", f"after pass '{step.name}'", AlloAirError("the module has no function of that name"))
                continue
            try:
                after[name] = self._execute(op, function)
            except (Unsupported, NotExecuted) as why:
                self._tell(f"@{name}", f"after pass '{step.name}'", why)
                continue
            except AlloAirError as wrong:
                *front, last = wrong.diagnostics
                notes = (
                    *last.notes,
                    placeless("note", f"@{name} ran without an error before pass '{step.name}'"),
                    self._rerun(),
                )
                raise DiagnosticError([*front, replace(last, notes=notes)]) from wrong
            limit = bound(op, self._inputs[name])
            found += [f"@{name}, {d}; {limit.why}" for d in map(str, differences(self._before[name], after[name], limit))]
        self.timings.append((f"(execute) {step.name}", perf_counter() - begin))
        if found:
            notes = (*(placeless("note", f) for f in found[1:]), self._rerun())
            raise DiagnosticError(
                [placeless("error", f"pass '{step.name}' changes what the module computes: {found[0]}", notes)]
            )
        if len(after) == len(self._before):
            self._remember(op)
            self._silent = ""
        self._before |= after

    def _first(self, op: Any, function: Any) -> Outputs:
        """The outputs before the first pass; a function that lacks tokens runs in program order from then on."""
        try:
            return self._execute(op, function)
        except (Race, UseAfterFree) as why:
            self._program_order.add(_name(function))
            made = self._execute(op, function)
            [lack] = why.diagnostics
            other = f" (and {lack.notes[0].position})" if lack.notes else ""
            self.say(f"note: @{_name(function)} lacks tokens, so it is executed in program order: {lack}{other}")
            return made

    def _execute(self, op: Any, function: Any) -> Outputs:
        """The outputs of a function; the same for all schedules."""
        level, name = level_of(op), _name(function)
        execute = executor_for(level) if level else _interpret(name in self._program_order)
        if execute is None:
            raise Unsupported(op, f"is at level '{level}', and nothing is registered that executes it")
        drawn = self._inputs[name]
        given, limit = fit(function, drawn, self.seed), bound(op, drawn)
        libraries = self._libraries(op)
        first = outputs(function, drawn, execute(op, given, name, self.seed, libraries))
        for turn in range(1, self.schedules):
            again = outputs(function, drawn, execute(op, given, name, self.seed + turn, libraries))
            if found := differences(first, again, limit):
                message = f"computes something else when independent operations run in another order: {found[0]}"
                raise error_at(function, message)
        return first

    def _libraries(self, op: Any) -> dict[str, Any]:
        """Functions for declared callees: given ones, and those of the linalg operations that calls have replaced."""
        declared = {_name(f) for f in walk_named(op, "func.func") if not f.regions[0].blocks}
        unknown = [c.attributes["callee"].value for c in walk_named(op, "func.call")]
        unknown = [c for c in unknown if c in declared and c not in self.libraries]
        if unknown and len(unknown) == len(self._kernels):
            self.libraries |= dict(zip(unknown, self._kernels, strict=True))
        return self.libraries

    def _remember(self, op: Any) -> None:
        """Keeps the text for a reproducer, and the operations that the next pass may turn into calls.

        Where calls stand for operations that are gone, the reproducer starts before they went.
        """
        if not self.libraries:
            self._text, self._since = self._last, []
        if not level_of(op):
            self._kernels = structured(op)

    def _tell(self, what: str, when: str, why: AlloAirError) -> None:
        text = "; ".join(d.message for d in why.diagnostics)
        if text != self._silent:
            self.say(f"note: {what} is not executed {when}: {text}")
        self._silent = text

    def _rerun(self) -> Diagnostic:
        """Writes what it takes to see the difference again."""
        path = self.reproducer
        if path is None:
            with tempfile.NamedTemporaryFile("w", prefix="allo-opt-", suffix=".mlir", delete=False) as file:
                path = Path(file.name)
        flags = f"--verify-each=execute --verify-seed={self.seed}"
        command = f"{self.command} {flags} '--pass-pipeline={Pipeline(tuple(self._since))}' {path}"
        path.write_text(f"// {command}\n{self._text}", encoding="utf-8")
        return placeless("note", f"this runs it again, on the same inputs: {command}")


def _interpret(in_order: bool) -> Executor:
    return lambda module, inputs, name, seed, libraries: run(
        module, inputs, name, seed, libraries=libraries, program_order=in_order
    )


def _name(function: Any) -> str:
    return str(function.attributes["sym_name"].value)
