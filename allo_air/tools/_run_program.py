"""What `allo-run` does with a program: inputs, run, check against numpy, output."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError, DiagnosticError, OptionError, placeless
from allo_air.tools import _arrays, _expectation, _kernels, _output, _verdict
from allo_air.tools._progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from allo_air.program.checks.comparison import Comparison
    from allo_air.program.checks.matmul import Check
    from allo_air.program.program import Program
    from allo_air.program.source import Source
    from allo_air.program.stage import StageRun

_SHOWN = 4
"""Results of a stage that are listed without --verbose."""
_ORDERS = 0.5
"""Seconds that other orders are searched without --orders."""


def run(program: Program, source: Source, options: Namespace, progress: Progress) -> int:
    """Runs `program`, made from `source`; returns the exit code."""
    from allo_air.program.host import arrays as arguments
    from allo_air.program.host import signature

    if options.save:
        program.save(options.save)
    program.packaging = options.packaging or "auto"
    packaged: dict[str, Any] = {}
    if options.package:
        folder = Path(options.save) / "package"
        made = program.package(folder, format=options.package, core_ir=options.core_ir, peano=options.peano)
        packaged = {"package": made.report}
        if not options.json:
            print(made, end="\n\n")
    if options.dry_run:
        from allo_air.program.run import xrt

        print(xrt.dry_run(program.lowered, Path(options.save) if options.save else None, options.syntax))
        return 0
    if options.estimate:
        return _estimate(program, options, progress, packaged)
    inputs = arguments.random_inputs(program.arguments, options.seed)
    wanted = signature.inputs(program.arguments)
    given = [_arrays.read(path) for path in options.input]
    if len(given) > len(inputs):
        raise arguments.ArgumentError(f"got {len(given)} inputs, expected {len(wanted)}: {signature.describe(wanted)}")
    inputs[: len(given)] = [arguments.typed(a, array) for array, a in zip(given, wanted, strict=False)]
    copies = [array.copy() for array in inputs]
    settings: dict[str, Any] = {"seed": options.seed}
    if program.backend == "sim":
        trace = bool(options.trace) or any("timeline" in Path(p).stem for p in options.plot)
        settings |= {
            "trace": trace,
            "progress": progress.simulating,
            "mhz": options.mhz,
            "code": options.core_code or program.code,
        }
        settings |= {"max_cycles": options.max_cycles} if options.max_cycles else {}
        settings |= {"orders": _ORDERS if options.orders is None else options.orders}
        settings |= {"margins": True} if options.margins else {}
        progress.instructions = program.lowered.words[2]
    found = program(*inputs, **settings)
    results = list(found) if isinstance(found, tuple) else [found]
    _write(options.output, results)
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
    failed = _verdict.ended(program.report().run if program.backend == "sim" else None, options)
    return failed if check is None or check.ok else 1


def _estimate(program: Program, options: Namespace, progress: Progress, packaged: dict[str, Any]) -> int:
    """Predicts the time of `program`."""
    report = program.estimate(mhz=options.mhz, code=options.core_code)
    progress.__exit__(None, None, None)
    if options.explain and not options.json:
        print(program.explain(report), end="\n\n")
    _show(report, {"program": str(program), "cached": program.cached, **packaged}, options)
    return 0


def _estimate_stage(source: Source, level: str, options: Namespace, progress: Progress) -> int:
    """Predicts the time of the device in a file."""
    from allo_air.program.reports.report import of_run
    from allo_air.program.stage import SIMULATED, estimate_stage

    if level not in SIMULATED:
        raise OptionError(f"level '{level}' has no time; --pipeline compiles it, and --estimate then predicts its time")
    chosen = {"function": options.entry, "device": options.device_name, "kernels": _kernels.read(options)}
    chosen["values"] = _values_of(source, options)
    outcome = estimate_stage(source, mhz=options.mhz, code=options.core_code or "scheduled", **chosen)
    progress.__exit__(None, None, None)
    _show(of_run(source.name, outcome), {"source": source.name, "level": level}, options)
    return 0


def _show(report: Any, about: dict[str, Any], options: Namespace) -> None:
    """Prints the report of an estimate, with `about` where it is JSON."""
    if options.json:
        print(json.dumps({**about, "report": report.as_dict()}, indent=2))
    else:
        _output.show(report, options)


def _write(paths: list[str], results: list[Any]) -> None:
    """Saves the results, in order; OptionError where there are fewer than files named."""
    if len(paths) > len(results):
        raise OptionError(f"--output names {len(paths)} files, and there are {len(results)} results")
    for path, array in zip(paths, results, strict=False):
        _arrays.write(path, array)


def _expected(program: Program, inputs: list[Any], results: list[Any], options: Namespace) -> Check | None:
    """The check against what the user expects; None where nothing is."""
    from allo_air.program.checks.matmul import Check
    from allo_air.program.host import arrays as arguments

    before = arguments.bind(program.arguments, inputs, exact=program.exact)
    if (wanted := _expectation.expectation(options, program.arguments, before)) is None:
        return None
    wanted = replace(wanted, tolerance=program.tolerance(options.rtol, options.atol))
    made = iter(results)
    after = [array if a.role == "in" else next(made) for a, array in zip(program.arguments, before, strict=True)]
    simulated = program.backend == "sim"
    outcome = program.report().run if simulated else None
    again = (lambda: program.recorded(before)) if simulated else None
    right, verdict = _expectation.verdict(_expectation.compared(wanted, program.arguments, after, outcome, again))
    return Check(right, verdict.removeprefix("correct: ").removeprefix("WRONG: "))


def _check(program: Program, source: Source, inputs: list[Any], results: list[Any], options: Namespace) -> Check | None:
    """The check against numpy for a matmul, else against the interpreter; None where it is off, or the source has no result."""
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
    wanted, expected, how = _wanted(program, source, before, options)
    if not wanted:
        return None
    found = dict(zip(sorted(wanted), results, strict=True))
    tolerance = Tolerance(roundings=program.roundings)
    checks = [compare(f"result {i}", n, array, wanted[n], tolerance) for i, (n, array) in enumerate(found.items())]
    if not program.bfp16 and not all(c.ok for c in checks):
        looks = own_rounding.second_look(source, program.arguments, before, wanted, options.seed)
        checks = own_rounding.compared_again(checks, found, looks, tolerance)
    rounded = ", factors rounded to blocks of 8 (bfp16)" if program.bfp16 else ""
    if program.bfp16 and not all(c.ok for c in checks):  # other factors than the source says are in blocks
        wanted = expected()
        tolerance, rounded = replace(tolerance, bfp16=True), ", as blocks of 8 factors allow (bfp16)"
        checks = [compare(f"result {i}", n, array, wanted[n], tolerance) for i, (n, array) in enumerate(found.items())]
    bad = [c for c in checks if not c.ok]
    return matmul.Check(not bad, f"against {how}{rounded}: " + "; ".join(c.message for c in bad or checks))


def _wanted(
    program: Program, source: Source, before: list[Any], options: Namespace
) -> tuple[dict[int, Any], Callable[..., dict[int, Any]], str]:
    """What the source gives for the arrays `before`, the function that worked it out, and how, in words.

    Tokens may leave open in which order operations touch the same memory, as those of other tools do: then as it is written.
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
    """A remark on what tokens leave open, and our pipelines order by the memory that it touches."""
    from allo_air.sim.report_types import found

    given = lack.diagnostics[0]
    text = f"{given.message}; here memory orders it, other tools may let it run at once"
    return found("locality.race", text, (given.file, given.line, given.column), severity="remark")


def _print(program: Program, check: Check | None, options: Namespace, packaged: dict[str, Any]) -> None:
    verdict = "not checked" if check is None else f"{'correct' if check.ok else 'WRONG'}: {check.message}"
    if options.json:
        checked = None if check is None else {"ok": check.ok, "message": check.message}
        report = program.report().as_dict() if program.backend == "sim" else None
        about = {"program": str(program), "cached": program.cached, **packaged}
        print(json.dumps({**about, "check": checked, "report": report}, indent=2))
        return
    if options.explain:
        print(program.explain(), end="\n\n")
    if program.backend == "sim":
        right = check is None or check.ok
        _output.show(program.report(), options, partial(_tell, program.report().run, check is not None, right, options.verbose))
    _output.say(verdict, "" if check is None else "bold green" if check.ok else "bold red")


def _tell(outcome: Any, compared: bool, right: bool, verbose: bool) -> None:
    """The verdict, first, and how it comes to that."""
    said = _verdict.summary(outcome, compared) if right else "wrong: a result differs from what is expected [result.wrong]"
    _output.say(said, "bold green" if said.startswith("right") else "bold red")
    for line in _verdict.story(outcome, verbose=verbose) if right else ():
        _output.say(line)


def _packaged(options: Namespace) -> dict[str, Any]:
    """The configuration and the words that files give in place of the design's."""
    from allo_air.target.formats.full_elf import is_full_elf
    from allo_air.target.formats.read import holds_several, instructions_in, writes_in

    found: dict[str, Any] = {}
    try:
        if options.design:
            data = Path(options.target).read_bytes()
            found["package"] = data if holds_several(data) else tuple(writes_in(data))
            if is_full_elf(data):
                found["words"] = instructions_in(data)
        if options.insts:
            found["words"] = instructions_in(Path(options.insts).read_bytes())
    except OSError as error:
        raise AlloAirError(f"cannot read '{error.filename}': {error.strerror}") from None
    return found


def run_source(source: Source, options: Namespace, progress: Progress) -> int:
    """Runs the IR of a file at its level; returns the exit code."""
    from allo_air.program.reports import report as reports
    from allo_air.program.reports import trace
    from allo_air.program.reports.plot import save
    from allo_air.program.stage import SIMULATED, run_stage

    level = options.at or source.level
    if options.estimate:
        return _estimate_stage(source, level, options, progress)
    settings: dict[str, Any] = {}
    if level in SIMULATED:
        timeline = any("timeline" in Path(p).stem for p in options.plot)
        settings = {"trace": bool(options.trace) or timeline, "progress": progress.simulating}
        settings |= {"mhz": options.mhz, "code": options.core_code or "scheduled"}
        settings |= {"max_cycles": options.max_cycles} if options.max_cycles else {}
        settings |= {"orders": _ORDERS if options.orders is None else options.orders, "margins": options.margins}
        settings["kernels"] = _kernels.read(options)
        settings |= _packaged(options)
        if options.parameter:
            from allo_air.tools._values import parameters_of

            settings["parameters"] = parameters_of(options.parameter)
    elif options.parameter:
        raise AlloAirError(f"level '{level}' runs on the interpreter; --parameter gives values to a runtime sequence")
    elif options.kernel:
        raise AlloAirError(f"level '{level}' runs on the interpreter; --kernel stands for external functions on the simulator")
    elif options.trace or options.plot:
        raise AlloAirError(f"level '{level}' runs on the interpreter, which counts no cycles: no trace, no plot")
    given = [_arrays.read(path) for path in options.input]
    chosen = {"seed": options.seed, "function": options.entry, "device": options.device_name}
    if options.arg:
        chosen["values"] = _values_of(source, options)
    done = run_stage(source, level, given, **chosen, **settings)
    again = settings | {"record": True, "strict": False, "progress": None, "trace": False}
    compared = _compared(done, options, lambda: run_stage(source, level, given, **chosen, **again))
    outputs = done.outputs
    _write(options.output, [array for _, array in outputs])
    report = None
    if done.report is not None:
        report = reports.of_run(source.name, done.report, done.arguments[0].element if done.arguments else "")
    if options.trace:
        trace.write_trace(Path(options.trace), done.report)
    for path in options.plot:
        assert report is not None
        save(Path(path), report)
    progress.__exit__(None, None, None)
    written = [{"name": a.name, "shape": list(a.shape), "element": a.element, **_digest(array)} for a, array in outputs]
    right, verdict = _expectation.verdict(compared) if compared is not None else (True, "")
    if options.json:
        body = {"source": source.name, "level": level, "outputs": written, "report": report.as_dict() if report else None}
        if compared is not None:
            body["expected"] = [c.as_dict() for c in compared]
        print(json.dumps(body, indent=2))
        return _verdict.ended(done.report, options) if right else 1
    if report is not None:
        _output.show(report, options, partial(_tell, done.report, compared is not None, right, options.verbose))
    where = "" if report is not None else ", on the interpreter"
    hint = "; --pipeline=NAME compiles it for the device" if level == "linalg" else ""
    print(f"{source.name} ran at level '{level}', seed {options.seed}{where}{hint}")
    for entry in written if options.verbose else written[:_SHOWN]:
        shape = "x".join(map(str, entry["shape"]))
        limits = f"{entry['minimum']} to {entry['maximum']}"
        print(f"{entry['name']}: {shape} of {entry['element']}, {limits}, sha256 {entry['sha256'][:16]}")
    if len(written) > _SHOWN and not options.verbose:
        print(f"and {len(written) - _SHOWN} more; --verbose lists all")
    if verdict:
        _output.say(verdict, "bold green" if right else "bold red")
    return _verdict.ended(done.report, options) if right else 1


def _values_of(source: Source, options: Namespace) -> dict[str, Any]:
    """The scalar arguments that the command line gives."""
    from allo_air.target.sequences import choose
    from allo_air.tools._values import values_of

    module = source.clone()
    return values_of(options.arg, lambda: choose(module, options.device_name, options.entry)[1])


def _compared(done: StageRun, options: Namespace, again: Callable[[], StageRun]) -> list[Comparison] | None:
    """What is expected of a stage's results against them; None where nothing is."""
    import numpy as np

    from allo_air.program.checks.provenance import Recorded

    results = [np.zeros_like(array) for array in done.arrays[len(done.before) :]]
    if (wanted := _expectation.expectation(options, done.arguments, [*done.before, *results])) is None:
        return None

    def recorded() -> Recorded:
        repeated = again()
        return Recorded(repeated.report.origins, repeated.before, repeated.moved)

    return _expectation.compared(
        wanted, done.arguments, done.arrays, done.report, recorded if done.report is not None else None
    )


def _digest(array: Any) -> dict[str, Any]:
    import hashlib

    import numpy as np

    found = np.asarray(array)
    wide = found.astype(np.float64) if found.dtype.kind not in "iub" else found
    limits = (wide.min().item(), wide.max().item()) if found.size else (None, None)
    digest = hashlib.sha256(np.ascontiguousarray(found).tobytes()).hexdigest()
    return {"minimum": limits[0], "maximum": limits[1], "sha256": digest}
