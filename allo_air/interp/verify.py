"""--verify-each=execute: runs a module before and after every pass, and finds the first pass that changes what it computes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from allo_air.core.pipeline import Pipeline
from allo_air.core.rewrite import walk_named
from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError, placeless
from allo_air.interp.compare import bound
from allo_air.interp.errors import Unsupported
from allo_air.interp.executors import NotExecuted, entries, level_of
from allo_air.interp.inputs import draw
from allo_air.interp.structured import Structured, structured
from allo_air.interp.trial import Made, Trial
from allo_air.interp.uninterpreted import Uninterpreted


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
        self._trials: dict[str, Trial] = {}
        self._kernels: list[Structured] = []
        self._since: list[Any] = []
        self._silent = self._text = self._last = ""
        begin = perf_counter()
        self._declare(op)
        for function in filter(self.takes, entries(op)):
            name = _name(function)
            try:
                trial = Trial(name, draw(function, self.seed), self.seed, self.schedules, self.say)
                trial.first(op, function, self.libraries)
                self._trials[name] = trial
            except AlloAirError as why:
                self.skipped[name] = why
                self._tell(f"@{name}", "before the first pass", why)
        for found in self.libraries.values():
            if isinstance(found, Uninterpreted):
                found.fixed = True
        self._last = self.write(op)
        self._remember(op)
        self.timings.append(("(execute) input", perf_counter() - begin))

    @property
    def executed(self) -> list[str]:
        """The functions that run."""
        return list(self._trials)

    def leave_out(self, name: str) -> None:
        """Does not run function `name` any more."""
        del self._trials[name]

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
        after: dict[str, Made] = {}
        found: list[str] = []
        functions = {_name(f): f for f in entries(op)}
        libraries = self._libraries(op)
        for name, trial in self._trials.items():
            function = functions.get(name)
            if function is None:
                self._tell(f"@{name}", f"after pass '{step.name}'", AlloAirError("the module has no function of that name"))
                continue
            try:
                after[name] = trial.run(op, function, libraries)
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
            limit = bound(op, trial.drawn)
            found += [f"@{name}, {d}; {limit.why}" for d in trial.expected.against(after[name], limit)]
        self.timings.append((f"(execute) {step.name}", perf_counter() - begin))
        if found:
            notes = (*(placeless("note", f) for f in found[1:]), self._rerun())
            raise DiagnosticError(
                [placeless("error", f"pass '{step.name}' changes what the module computes: {found[0]}", notes)]
            )
        if len(after) == len(self._trials):
            self._remember(op)
            self._silent = ""
        for name, made in after.items():
            self._trials[name].expected = made

    def _declare(self, op: Any) -> None:
        """Takes functions that are declared only for arbitrary but fixed ones."""
        called = {c.attributes["callee"].value for c in walk_named(op, "func.call")}
        for f in walk_named(op, "func.func"):
            if not f.regions[0].blocks and _name(f) in called and _name(f) not in self.libraries:
                self.libraries[_name(f)] = Uninterpreted(_name(f), f.attributes["function_type"].value.results)
                self.say(f"note: @{_name(f)} is declared only, so it is executed as an arbitrary function of its arguments")

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
        if all(isinstance(f, Uninterpreted) for f in self.libraries.values()):
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


def _name(function: Any) -> str:
    return str(function.attributes["sym_name"].value)
