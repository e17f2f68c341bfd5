"""Runs a pipeline on an operation, one pass at a time, so that a failure, a dump and a timing each name their pass.

Running upstream's passes one by one costs 50 us each over one C++ pass manager, measured; that buys exact pass names in errors.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from time import perf_counter
from typing import Any

from allo_air.core import crash, levels, noop_warnings
from allo_air.core.diagnostics import Listener, translate
from allo_air.core.output_files import dump, write_reproducer
from allo_air.core.pass_ import Pass
from allo_air.core.pipeline import Pipeline, Step
from allo_air.core.settings import Checker, CheckFailure, Settings
from allo_air.core.step import is_own, run_step
from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError
from allo_air.mlir import AnyOp, ir

Verify = Callable[[Any], None]


class PassFailure(DiagnosticError):
    """A pass failed. `diagnostics` is empty if they were already reported."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], step: Step, index: int, total: int, what: str = "failed"):
        super().__init__(diagnostics)
        self.step = step
        self.summary = f"pass '{step.name}' {what} (pass {index} of {total})"


class InternalError(PassFailure):
    """One of our passes raised an exception that is not an AlloAirError, which is a bug; `__cause__` is the exception."""


def run(pipeline: Pipeline, op: AnyOp | ir.Module, settings: Settings | None = None) -> None:
    """Runs `pipeline` on `op` in place; raises PassFailure, which names the pass. IR that failed to verify must not be
    printed.
    """
    settings = settings or Settings()
    operation = op.operation
    if pipeline.anchor not in ("any", operation.name):
        raise AlloAirError(f"the pipeline runs on {pipeline.anchor}, found {operation.name}")
    dump(settings, operation, 0, "input")
    if settings.checker is not None:
        settings.checker.start(operation)
    try:
        together = _verified_together(pipeline, operation, settings)
        apart = range(0) if settings.apart is None else settings.apart.span(pipeline)
        is_apart = False
        for passes in together:
            if settings.apart is not None and apart and passes.start == apart.start:
                is_apart = settings.apart.takes(operation)
                if is_apart:
                    settings.apart.run(operation, apart, settings, _on_part(pipeline, together, apart))
            rest = range(max(passes.start, apart.stop), passes.stop) if is_apart else passes
            if rest:
                _run_passes(pipeline, rest, operation, settings)
    except PassFailure:
        _finish(pipeline, settings)  # if the module was already wrong before, report that
        raise
    _finish(pipeline, settings)
    if settings.reproducer and pipeline.steps:
        settings.reproducer.unlink(missing_ok=True)


def _verified_together(pipeline: Pipeline, operation: ir.Operation, settings: Settings) -> list[range]:
    """The passes that are verified together, by number."""
    alone, steps = settings.lightly is None or operation.name != "builtin.module", pipeline.steps
    kept_whole = settings.around is not None
    ends = [
        n
        for n, (a, b) in enumerate(pairwise(steps), 1)
        if alone or (_ends_level(a, b) and not (kept_whole and _keeps_devices(a, b)))
    ]
    if steps:
        ends.append(len(steps))
    return [range(start, end) for start, end in pairwise([0, *ends])]


def _on_part(pipeline: Pipeline, together: list[range], apart: range) -> "Callable[[ir.Operation, Settings], None]":
    """A function that runs the passes `apart` on one part of the module. If they end within passes that are verified together,
    it does not verify the contents of devices, since the later passes do.
    """

    def run(op: ir.Operation, settings: Settings) -> None:
        for passes in together:
            inside = range(max(passes.start, apart.start), min(passes.stop, apart.stop))
            is_cut = inside.stop < passes.stop
            if inside:
                _run_passes(pipeline, inside, op, replace(settings, verify=settings.around) if is_cut else settings)

    return run


def _run_passes(pipeline: Pipeline, passes: range, operation: ir.Operation, settings: Settings) -> None:
    """Runs passes that are verified together; if one fails, all of them again, each verified."""
    if len(passes) == 1:
        _run_pass(pipeline, passes[0], operation, settings, settings.verify)
        return
    value, diagnostics, timed = operation.clone().operation, list[Diagnostic](), len(settings.timings)
    trusted, together = True, replace(settings, report=diagnostics.append)
    try:
        for index in passes:
            step = pipeline.steps[index]
            trusted = trusted and (_is_trusted(step) or noop_warnings.is_idle(step, operation))
            if index == passes[-1]:
                checks = [settings.verify]
            else:
                following = pipeline.steps[index + 1]
                checks = [settings.lightly] if not trusted and _needs_valid(following) else []
                trusted = trusted or bool(checks)
                checks += [settings.around] if _ends_level(step, following) else []
            _run_pass(pipeline, index, operation, together, _all_of(checks))
    except PassFailure:
        del settings.timings[timed:]
        for index in passes:
            _run_pass(pipeline, index, value, replace(settings, remark=None), settings.verify)
        raise
    for diagnostic in diagnostics:
        settings.report(diagnostic)


def _all_of(checks: Sequence[Verify | None]) -> Verify | None:
    """Combines those of `checks` that are not None to one function, in order; None if all are None."""
    checks_to_run = [check for check in checks if check is not None]
    if len(checks_to_run) < 2:
        return checks_to_run[0] if checks_to_run else None

    def check_all(op: object) -> None:
        for check in checks_to_run:
            check(op)

    return check_all


def _ends_level(step: Step, following: Step) -> bool:
    return step.ends_stage and step.level != following.level


def _keeps_devices(step: Step, following: Step) -> bool:
    """Whether the levels of both steps contain devices, so that the second step continues with the devices of the first."""
    return levels.hold_devices(step.level) and levels.hold_devices(following.level)


def _needs_valid(step: Step) -> bool:
    """Whether the step needs valid IR and produces valid IR: it runs a pass of MLIR, or a check."""
    return not isinstance(step.action, Pass) or step.action.leaves_valid


def _is_trusted(step: Step) -> bool:
    """Whether the step produces valid IR from valid IR, as far as tests can tell: also a pass of ours in a named pipeline."""
    return _needs_valid(step) or (bool(step.stage) and is_own(step.action))


def _run_pass(pipeline: Pipeline, index: int, operation: ir.Operation, settings: Settings, verify: Verify | None) -> None:
    step, total = pipeline.steps[index], len(pipeline.steps)
    settings.progress(step.name, index, total)
    write_reproducer(settings, pipeline, index, operation)
    crash.record_step(f"running pass '{step.name}' ({index + 1} of {total})", settings.reproducer)
    if settings.remark is not None and not step.stage and (text := noop_warnings.remark(step.action, operation)):
        settings.remark(text)
    after = settings.shown.around(step.name, operation, settings.show)
    start = perf_counter()
    if _guarded(step, operation, settings, verify, index + 1, total):
        settings.timings.append((step.name, perf_counter() - start))
    after()
    _check_level(step, operation, settings, index + 1, total)
    dump(settings, operation, index + 1, step.name)
    _checked(pipeline, settings, lambda checker: checker.check(step, operation))


def _guarded(step: Step, operation: ir.Operation, settings: Settings, verify: Verify | None, index: int, total: int) -> bool:
    """Runs a step, and `verify` after it; returns whether the step had anything to do."""
    heard: list[Diagnostic] = []
    has_work = not noop_warnings.is_idle(step, operation)

    def hear(diagnostic: Diagnostic) -> None:
        heard.append(diagnostic)
        settings.report(diagnostic)

    try:
        if has_work:
            with Listener(operation.context, hear):
                run_step(step, operation)
    except AlloAirError as error:
        raise PassFailure(error.diagnostics, step, index, total) from error
    except ir.MLIRError as error:
        raise PassFailure(translate(error).diagnostics, step, index, total) from error
    except (Exception, SystemExit) as error:
        raise InternalError((), step, index, total, f"has a bug: {type(error).__name__}: {error}") from error
    if any(d.severity == "error" for d in heard):
        raise PassFailure((), step, index, total)
    try:
        if verify is not None:
            verify(operation)
    except AlloAirError as error:
        raise PassFailure(error.diagnostics, step, index, total, "left IR that does not verify") from error
    return has_work


def _check_level(step: Step, operation: ir.Operation, settings: Settings, index: int, total: int) -> None:
    """At the end of a stage, and on request after each pass, checks that the module is legal at the stage's level (or the
    previous one).
    """
    if not step.level or settings.levels == "off" or not (step.ends_stage or settings.levels == "each"):
        return
    above = None if step.ends_stage else step.above or next(iter(levels.LEVELS))
    try:
        levels.check(operation, step.level, above=above, left_by=f"stage '{step.stage}'")
    except AlloAirError as error:
        raise PassFailure(
            error.diagnostics, step, index, total, f"left operations that are not legal at level '{step.level}'"
        ) from error


def _finish(pipeline: Pipeline, settings: Settings) -> None:
    crash.record_step("checking what the passes have left", settings.reproducer)
    _checked(pipeline, settings, lambda checker: checker.finish())


def _checked(pipeline: Pipeline, settings: Settings, look: Callable[[Checker], None]) -> None:
    try:
        if settings.checker is not None:
            look(settings.checker)
    except CheckFailure as error:
        step, what = pipeline.steps[error.index], "changes the module's results"
        raise PassFailure(error.diagnostics, step, error.index + 1, len(pipeline.steps), what) from error


def timing_table(timings: list[tuple[str, float]]) -> str:
    """One line per pass: milliseconds, share of the whole, name."""
    total = sum(seconds for _, seconds in timings)
    rows = [f"{s * 1e3:10.2f} ms {100 * s / (total or 1):5.1f}%  {name}" for name, s in [*timings, ("total", total)]]
    return "\n".join(["Time per pass:", *rows])
