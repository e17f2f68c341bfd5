"""`allo-run` for compiled programs: reads inputs, runs, checks results and prints the report."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.errors import DiagnosticError, OptionError, counted, placeless
from allo_air.tools import _arrays, _expectation, _output, _verdict
from allo_air.tools._progress import Progress

if TYPE_CHECKING:
    import numpy as np

    from allo_air.program.checks.matmul import Check
    from allo_air.program.program import Program
    from allo_air.program.source import Source
    from allo_air.sim.report_types import Report

ORDERS = 0.5
"""Time limit in seconds of the search of other orders without --orders."""


def run(program: Program, source: Source, options: Namespace, progress: Progress) -> int:
    """Runs `program`, compiled from `source`, and returns the exit code."""
    from allo_air.program.host import arrays as arguments
    from allo_air.program.host import signature

    if options.save:
        program.save(options.save)
    program.packaging = options.packaging or "auto"
    packaged: dict[str, Any] = {}
    if options.package:
        folder = Path(options.save) / "package"
        new = program.package(folder, format=options.package, core_ir=options.core_ir, peano=options.peano)
        packaged = {"package": new.report}
        if not options.json:
            print(new, end="\n\n")
    if options.dry_run:
        from allo_air.program.run import xrt

        print(xrt.dry_run(program.lowered, Path(options.save) if options.save else None, options.syntax))
        return 0
    if options.estimate:
        return _estimate(program, options, progress, packaged)
    inputs = arguments.random_inputs(program.arguments, options.seed)
    parameters = signature.inputs(program.arguments)
    values = [_arrays.read(path) for path in options.input]
    if len(values) > len(inputs):
        raise arguments.ArgumentError(
            f"got {counted(len(values), 'input')}, expected {len(parameters)}: {signature.describe(parameters)}"
        )
    inputs[: len(values)] = [arguments.with_argument_type(a, array) for array, a in zip(values, parameters, strict=False)]
    copies = [array.copy() for array in inputs]
    settings: dict[str, Any] = {"seed": options.seed}
    if program.backend == "sim":
        trace = bool(options.trace) or any("timeline" in Path(p).stem for p in options.plot)
        settings |= {
            "trace": trace,
            "progress": progress.simulating,
            "mhz": options.mhz,
            "code": options.core_code or "compiled",
        }
        settings |= {"max_cycles": options.max_cycles} if options.max_cycles else {}
        settings |= {"orders": ORDERS if options.orders is None else options.orders}
        settings |= {"margins": True} if options.margins else {}
        progress.instructions = program.lowered.words[2]
    result = program(*inputs, **settings)
    results = list(result) if isinstance(result, tuple) else [result]
    write(options.output, results)
    progress.doing("checking the result")
    if program.backend == "sim" and source.level in ("air", "channel"):
        from allo_air.program.run import static_rules

        with source.context:
            program.report().run.findings += static_rules.of_program(source.module)
    check = _expected(program, copies, results, options) or _check(program, source, copies, results, options)
    if options.trace:
        program.trace(options.trace)
    for path in options.plot:
        program.plot(path)
    progress.__exit__(None, None, None)
    _print(program, check, options, packaged)
    failed = _verdict.finish_run(program.report().run if program.backend == "sim" else None, options)
    return failed if check is None or check.ok else 1


def _estimate(program: Program, options: Namespace, progress: Progress, packaged: Mapping[str, object]) -> int:
    """Predicts the time of `program`."""
    report = program.estimate(mhz=options.mhz, code=options.core_code or "compiled")
    progress.__exit__(None, None, None)
    if options.explain and not options.json:
        print(program.explain(report), end="\n\n")
    print_estimate(
        report, {"program": str(program), "cached": program.cached, "compiled": program.compiled, **packaged}, options
    )
    return 0


def print_estimate(report: Any, about: dict[str, object], options: Namespace) -> None:
    """Prints the report of an estimate; `about` is added to JSON output."""
    if options.json:
        print(json.dumps({**about, "report": report.as_dict()}, indent=2))
    else:
        _output.print_report(report, options)


def write(paths: list[str], results: list[np.ndarray]) -> None:
    """Saves the results in order; raises OptionError if there are more files than results."""
    if len(paths) > len(results):
        raise OptionError(f"--output names {counted(len(paths), 'file')}, and there are {counted(len(results), 'result')}")
    for path, array in zip(paths, results, strict=False):
        _arrays.write(path, array)


def _expected(program: Program, inputs: list[np.ndarray], results: list[np.ndarray], options: Namespace) -> Check | None:
    """The check against the user's expected results; None without any."""
    from allo_air.program.checks.matmul import Check
    from allo_air.program.host import arrays as arguments

    before = arguments.bind(program.arguments, inputs, exact=program.exact)
    if (expectation := _expectation.expectation(options, program.arguments, before)) is None:
        return None
    expectation = replace(expectation, tolerance=program.tolerance(options.rtol, options.atol))
    result = iter(results)
    after = [array if a.role == "in" else next(result) for a, array in zip(program.arguments, before, strict=True)]
    simulated = program.backend == "sim"
    outcome = program.report().run if simulated else None
    again = (lambda: program.recorded(before)) if simulated else None
    right, verdict = _expectation.verdict(_expectation.compared(expectation, program.arguments, after, outcome, again))
    return Check(right, verdict.removeprefix("correct: ").removeprefix("WRONG: "))


def _check(
    program: Program, source: Source, inputs: Sequence[np.ndarray], results: list[np.ndarray], options: Namespace
) -> Check | None:
    """The check against numpy for a matmul and against the interpreter for other sources; None if it is off or the source has
    no result.
    """
    from allo_air.program.checks import matmul, own_rounding
    from allo_air.program.checks.comparison import Tolerance, compare
    from allo_air.program.host import arrays as arguments
    from allo_air.program.stage import SIMULATED

    if options.no_check:
        return None
    if (described := source.matmul) is not None:
        return matmul.check_matmul(described, *inputs, *results, bfp16=program.bfp16)
    if source.level in SIMULATED:
        return None
    before = arguments.bind(program.arguments, inputs, exact=program.exact)
    expected_arrays, expected, how = _expected_arrays(program, source, before, options)
    if not expected_arrays:
        return None
    matches = dict(zip(sorted(expected_arrays), results, strict=True))
    tolerance = Tolerance(roundings=program.roundings)
    checks = [compare(f"result {i}", n, array, expected_arrays[n], tolerance) for i, (n, array) in enumerate(matches.items())]
    if not program.bfp16 and not all(c.ok for c in checks):
        looks = own_rounding.rounding_checks(source, program.arguments, before, expected_arrays, options.seed)
        checks = own_rounding.compared_again(checks, matches, looks, tolerance)
    rounded = ", factors rounded to blocks of 8 (bfp16)" if program.bfp16 else ""
    if program.bfp16 and not all(c.ok for c in checks):  # other factors than the source says are in blocks
        expected_arrays = expected()
        tolerance, rounded = replace(tolerance, bfp16=True), ", as blocks of 8 factors allow (bfp16)"
        checks = [
            compare(f"result {i}", n, array, expected_arrays[n], tolerance) for i, (n, array) in enumerate(matches.items())
        ]
    bad = [c for c in checks if not c.ok]
    return matmul.Check(not bad, f"against {how}{rounded}: " + "; ".join(c.message for c in bad or checks))


def _expected_arrays(
    program: Program, source: Source, before: list[np.ndarray], options: Namespace
) -> tuple[dict[int, Any], Callable[..., dict[int, Any]], str]:
    """The expected results for the arrays `before`, the function that computed them, and a description of it.

    Tokens in programs of other tools may not order all operations on the same memory; the reference then runs them in program
    order.
    """
    from allo_air.interp.errors import Race, UseAfterFree
    from allo_air.program.checks import reference

    expected = partial(reference.expected, source, program.arguments, before, seed=options.seed)
    try:
        try:
            return expected(bfp16=program.bfp16), expected, "the source on the interpreter"
        except (Race, UseAfterFree) as lack:
            ordered = partial(expected, program_order=True)
            if program.backend == "sim":
                program.report().run.findings.append(_left_open(lack))
            how = f"the source on the interpreter in program order, which tokens leave open at {lack.diagnostics[0].position}"
            return ordered(bfp16=program.bfp16), ordered, how
    except DiagnosticError as error:
        if len(options.input) == len(before):
            raise
        note = placeless("note", "inputs that no --input gives are random numbers; give those that choose rows")
        raise DiagnosticError([*error.diagnostics, note]) from None


def _left_open(lack: DiagnosticError) -> Any:
    """A remark about an order that tokens do not enforce and our pipelines enforce by memory dependences."""
    from allo_air.sim.report_types import make_finding

    diagnostic = lack.diagnostics[0]
    text = f"{diagnostic.message}; our pipelines order it by its memory accesses, other tools may run it concurrently"
    return make_finding("locality.race", text, (diagnostic.file, diagnostic.line, diagnostic.column), severity="remark")


def _print(program: Program, check: Check | None, options: Namespace, packaged: dict[str, dict[str, int]]) -> None:
    verdict = "not checked" if check is None else f"{'correct' if check.ok else 'WRONG'}: {check.message}"
    if options.json:
        checked = None if check is None else {"ok": check.ok, "message": check.message}
        report = program.report().as_dict() if program.backend == "sim" else None
        about = {"program": str(program), "cached": program.cached, "compiled": program.compiled, **packaged}
        print(json.dumps({**about, "check": checked, "report": report}, indent=2))
        return
    if options.explain:
        print(program.explain(), end="\n\n")
    if program.backend == "sim":
        right = check is None or check.ok
        _output.print_report(
            program.report(), options, partial(print_verdict, program.report().run, check is not None, right, options.verbose)
        )
    _output.print_line(verdict, "" if check is None else "bold green" if check.ok else "bold red")


def print_verdict(outcome: Report, compared: bool, right: bool, verbose: bool) -> None:
    """Prints the verdict and the notes that explain it."""
    summary = _verdict.summary(outcome, compared) if right else "wrong: a result differs from the expected one [result.wrong]"
    _output.print_line(summary, "bold green" if summary.startswith("right") else "bold red")
    for line in _verdict.story(outcome, verbose=verbose) if right else ():
        _output.print_line(line)
