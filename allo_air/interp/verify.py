"""--verify-each=execute: runs a module before and after every pass, and finds the first pass that changes its results."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from allo_air.core import two_processes
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.pipeline import Pipeline
from allo_air.core.settings import CheckFailure
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError, Diagnostic, placeless
from allo_air.interp.allowances import Allowances
from allo_air.interp.compare import bound
from allo_air.interp.errors import Unsupported
from allo_air.interp.executors import NotExecuted, entries, level_of
from allo_air.interp.inputs import draw
from allo_air.interp.structured import Structured, structured
from allo_air.interp.trial import RunOutputs, Trial
from allo_air.interp.uninterpreted import Uninterpreted
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.core.pipeline import Step

FEW = 6
"""Number of modules up to which a second process does not pay."""


@dataclass(frozen=True)
class Outcome:
    """The outputs of a function after a pass, or the reason why there are none; `skipped` is no error."""

    trace: RunOutputs | None = None
    why: tuple[Diagnostic, ...] = ()
    skipped: bool = False


@dataclass(frozen=True, eq=False)
class PassOutput:
    """A copy of the module after pass `step` with number `index`; `time` is the index of its time in `timings`."""

    index: int
    time: int
    step: Any
    op: Any
    libraries: dict[str, Any]
    fixed: bool  # replacements of called functions are determined from this module on


@dataclass
class Execution:
    """Executes the modules of a pipeline on inputs drawn from `seed`, and compares their outputs.

    `write` prints a module, `say` reports operations that were not executed, `command` is the beginning of a command line that
    reruns one pass, and `reproducer` is the file for it (None: a temporary file). Each module runs in `schedules` random
    orders. With `later`, modules are kept until `finish` and then run in two processes. `tell` gets the numbers of finished and
    of all modules.
    """

    write: Callable[[Any], str]
    say: Callable[[str], None] = lambda _: None
    seed: int = 0
    schedules: int = 2
    command: str = "allo-opt"
    reproducer: Path | None = None
    timings: list[tuple[str, float]] = field(default_factory=list)
    libraries: dict[str, Any] = field(default_factory=dict)
    later: bool = False
    tell: Callable[[int, int], None] = lambda *_: None

    def start(self, op: AnyOp) -> None:
        """Runs the module before the first pass. Functions that fail are excluded; `skipped` has the reasons."""
        self.skipped: dict[str, AlloAirError] = {}
        self._trials: dict[str, Trial] = {}
        self._kernels: list[Structured] = []
        self._kept: list[PassOutput] = []
        self._since: list[Any] = []
        self._silent, self._index, self._before = "", -1, op
        begin = perf_counter()
        self._declare(op)
        for function in filter(self.takes, entries(op)):
            name = sym_name_of(function)
            try:
                trial = Trial(name, draw(function, self.seed), self.seed, self.schedules, self.say)
                trial.first(op, function, self.libraries)
                self._trials[name] = trial
            except AlloAirError as why:
                self.skipped[name] = why
                self._note(f"@{name}", "before the first pass", why.diagnostics)
        for value in self.libraries.values():
            if isinstance(value, Uninterpreted):
                value.fixed = True
        strict = all(trial.allow == Allowances(whole_results=True) for trial in self._trials.values())
        self.later = self.later and strict and not self.libraries and two_processes.can_fork()
        self._last = _generic(op)
        self._remember(PassOutput(-1, 0, None, op.clone(), self.libraries, self._is_fixed()))
        self._know(op)
        self.timings.append(("(execute) input", perf_counter() - begin))

    @property
    def executed(self) -> list[str]:
        """The functions that run."""
        return list(self._trials)

    def leave_out(self, name: str) -> None:
        """Stops running function `name`."""
        del self._trials[name]

    def takes(self, function: ir.Operation) -> bool:
        """Whether to execute an entry at all; for subclasses to narrow."""
        return True

    def check(self, step: Step, op: AnyOp) -> None:
        """Runs the module after pass `step`, or stores it for later; raises CheckFailure if its results differ."""
        self._index += 1
        text = _generic(op)
        if text == self._last:
            self.timings.append((f"(execute) {step.name}: changed nothing", 0.0))
            return
        self._last = text
        self.timings.append((f"(execute) {step.name}", 0.0))
        after = PassOutput(self._index, len(self.timings) - 1, step, op.clone(), dict(self._libraries(op)), self._is_fixed())
        self._know(op)
        if self.later:
            self._kept.append(after)
        else:
            self._compare(after, self._outcomes(after))

    def finish(self) -> None:
        """Runs the kept modules, after all passes or after a failed one."""
        pending, self._kept = self._kept, []
        total = len(pending)
        if total:
            self.tell(0, total)
        if total < FEW:
            for after in pending:
                self._compare(after, self._outcomes(after))
            return
        outcomes = two_processes.make_all(pending, self._outcomes, lambda count: self.tell(count, total))
        with closing(outcomes):
            for after, outcome in zip(pending, outcomes, strict=True):
                self._compare(after, outcome)

    def _outcomes(self, after: PassOutput) -> tuple[dict[str, Outcome], float]:
        """The outputs of the functions after a pass, and the run time in seconds."""
        begin = perf_counter()
        functions = {sym_name_of(f): f for f in entries(after.op)}
        outcomes: dict[str, Outcome] = {}
        for name, trial in self._trials.items():
            if name not in functions:
                why = (placeless("error", "the module has no function of that name"),)
                outcomes[name] = Outcome(why=why, skipped=True)
                continue
            try:
                outcomes[name] = Outcome(trial.run(after.op, functions[name], after.libraries))
            except (Unsupported, NotExecuted) as wrong:
                outcomes[name] = Outcome(why=wrong.diagnostics, skipped=True)
            except AlloAirError as wrong:
                outcomes[name] = Outcome(why=wrong.diagnostics)
        return outcomes, perf_counter() - begin

    def _compare(self, after: PassOutput, result: tuple[dict[str, Outcome], float]) -> None:
        """Compares the functions' outputs with those before the pass; raises CheckFailure for a difference."""
        outcomes, seconds = result
        step = after.step
        self._since.append(step)
        self.timings[after.time] = f"(execute) {step.name}", seconds
        lines: list[str] = []
        for name, outcome in outcomes.items():
            trial = self._trials[name]
            if outcome.skipped:
                self._note(f"@{name}", f"after pass '{step.name}'", outcome.why)
            elif outcome.trace is None:
                *front, last = outcome.why
                ran = placeless("note", f"@{name} ran without an error before pass '{step.name}'")
                raise CheckFailure((*front, replace(last, notes=(*last.notes, ran, self._rerun()))), after.index)
            elif wrong := trial.expected.against(outcome.trace, limit := bound(after.op, trial.inputs).plus(trial.limit)):
                lines += [f"@{name}, {d}; {limit.why}" for d in wrong]
        if lines:
            notes = (*(placeless("note", f) for f in lines[1:]), self._rerun())
            what = f"pass '{step.name}' changes what the module computes: {lines[0]}"
            raise CheckFailure((placeless("error", what, notes),), after.index)
        if not any(outcome.skipped for outcome in outcomes.values()):
            self._remember(after)
            self._silent = ""
        for name, outcome in outcomes.items():
            if outcome.trace is not None:
                trial = self._trials[name]
                trial.expected, trial.limit = outcome.trace, bound(after.op, trial.inputs)

    def _declare(self, op: AnyOp) -> None:
        """Models functions without a body as arbitrary but fixed ones."""
        called = {callee_of(c) for c in walk_named(op, "func.call")}
        for f in walk_named(op, "func.func"):
            if not f.regions[0].blocks and sym_name_of(f) in called and sym_name_of(f) not in self.libraries:
                self.libraries[sym_name_of(f)] = Uninterpreted(sym_name_of(f), function_type_of(f).results)
                self.say(
                    f"note: @{sym_name_of(f)} is declared only, so it is executed as an arbitrary function of its arguments"
                )

    def _libraries(self, op: AnyOp) -> dict[str, Any]:
        """Functions for declared callees: the given ones, and those of linalg operations that were replaced by calls."""
        declared = {sym_name_of(f) for f in walk_named(op, "func.func") if not f.regions[0].blocks}
        unknown = [callee_of(c) for c in walk_named(op, "func.call")]
        unknown = [c for c in unknown if c in declared and c not in self.libraries]
        if unknown and len(unknown) == len(self._kernels):
            self.libraries |= dict(zip(unknown, self._kernels, strict=True))
        return self.libraries

    def _remember(self, after: PassOutput) -> None:
        """Keeps the module for a reproducer.

        If calls have replaced linalg operations, the reproducer starts before that replacement.
        """
        if after.fixed:
            self._before, self._since = after.op, []

    def _is_fixed(self) -> bool:
        return all(isinstance(f, Uninterpreted) for f in self.libraries.values())

    def _know(self, op: AnyOp) -> None:
        """Keeps the operations that the next pass may turn into calls."""
        if not level_of(op):
            self._kernels = structured(op)

    def _note(self, what: str, when: str, why: tuple[Diagnostic, ...]) -> None:
        text = "; ".join(d.message for d in why)
        if text != self._silent:
            self.say(f"note: {what} is not executed {when}: {text}")
        self._silent = text

    def _rerun(self) -> Diagnostic:
        """Writes the files that reproduce the difference."""
        path = self.reproducer
        if path is None:
            with tempfile.NamedTemporaryFile("w", prefix="allo-opt-", suffix=".mlir", delete=False) as file:
                path = Path(file.name)
        flags = f"--verify-each=execute --verify-seed={self.seed}"
        command = f"{self.command} {flags} '--pass-pipeline={Pipeline(tuple(self._since))}' {path}"
        path.write_text(f"// {command}\n{self.write(self._before)}", encoding="utf-8")
        return placeless("note", f"this runs it again, on the same inputs: {command}")


def _generic(op: AnyOp) -> str:
    """The text by which an unchanged module is recognized."""
    return str(op.operation.get_asm(print_generic_op_form=True, assume_verified=True))
