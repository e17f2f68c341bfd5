"""`allo-run` for files that run at their own level: reads inputs, runs, compares results and prints the report."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError, OptionError
from allo_air.tools import _arrays, _expectation, _kernels, _output, _verdict
from allo_air.tools._progress import Progress
from allo_air.tools._run_program import ORDERS, print_estimate, print_verdict, write

if TYPE_CHECKING:
    import numpy as np

    from allo_air.program.checks.comparison import Comparison
    from allo_air.program.source import Source
    from allo_air.program.stage import StageRun

_SHOWN = 4
"""Number of results that are listed without --verbose."""


def run_source(source: Source, options: Namespace, progress: Progress) -> int:
    """Runs the IR of a file at its level and returns the exit code."""
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
        settings |= {"mhz": options.mhz, "code": options.core_code or "compiled"}
        settings |= {"max_cycles": options.max_cycles} if options.max_cycles else {}
        settings |= {"orders": ORDERS if options.orders is None else options.orders, "margins": options.margins}
        settings["kernels"] = _kernels.read(options)
        settings |= _packaged(options)
        if options.parameter:
            from allo_air.tools._values import parameters_of

            settings["parameters"] = parameters_of(options.parameter)
    elif options.parameter:
        raise AlloAirError(f"level '{level}' runs on the interpreter; --parameter gives values to a runtime sequence")
    elif options.kernel:
        raise AlloAirError(
            f"level '{level}' runs on the interpreter; --kernel replaces external functions on the simulator only"
        )
    elif options.trace or options.plot:
        raise AlloAirError(f"level '{level}' runs on the interpreter, which counts no cycles: no trace, no plot")
    values = [_arrays.read(path) for path in options.input]
    chosen = {"seed": options.seed, "function": options.entry, "device": options.device_name}
    if options.arg:
        chosen["values"] = _values_of(source, options)
    done = run_stage(source, level, values, **chosen, **settings)
    again = settings | {"record": True, "strict": False, "progress": None, "trace": False}
    compared = _compared(done, options, lambda: run_stage(source, level, values, **chosen, **again))
    outputs = done.outputs
    write(options.output, [array for _, array in outputs])
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
        return _verdict.finish_run(done.report, options) if right else 1
    if report is not None:
        _output.print_report(report, options, partial(print_verdict, done.report, compared is not None, right, options.verbose))
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
        _output.print_line(verdict, "bold green" if right else "bold red")
    return _verdict.finish_run(done.report, options) if right else 1


def _estimate_stage(source: Source, level: str, options: Namespace, progress: Progress) -> int:
    """Predicts the time of the device in a file."""
    from allo_air.program.reports.report import of_run
    from allo_air.program.stage import SIMULATED, estimate_stage

    if level not in SIMULATED:
        raise OptionError(f"level '{level}' has no time; --pipeline compiles it, and --estimate then predicts its time")
    chosen = {"function": options.entry, "device": options.device_name, "kernels": _kernels.read(options)}
    chosen["values"] = _values_of(source, options)
    outcome = estimate_stage(source, mhz=options.mhz, code=options.core_code or "compiled", **chosen)
    progress.__exit__(None, None, None)
    print_estimate(of_run(source.name, outcome), {"source": source.name, "level": level}, options)
    return 0


def _packaged(options: Namespace) -> dict[str, Any]:
    """The configuration and the instruction words from files, which replace those of the design."""
    from allo_air.target.formats.full_elf import is_full_elf
    from allo_air.target.formats.read import holds_several, instructions_in, writes_in

    results: dict[str, Any] = {}
    try:
        if options.design:
            data = Path(options.target).read_bytes()
            results["package"] = data if holds_several(data) else tuple(writes_in(data))
            if is_full_elf(data):
                results["words"] = instructions_in(data)
        if options.insts:
            results["words"] = instructions_in(Path(options.insts).read_bytes())
    except OSError as error:
        raise AlloAirError(f"cannot read '{error.filename}': {error.strerror}") from None
    return results


def _values_of(source: Source, options: Namespace) -> dict[str, Any]:
    """The scalar arguments that the command line gives."""
    from allo_air.target.npu_values import scalars
    from allo_air.target.sequences import choose_sequence
    from allo_air.tools._values import values_of

    module = source.clone()
    return values_of(options.arg, lambda: scalars(choose_sequence(module, options.device_name, options.entry)[1]))


def _compared(done: StageRun, options: Namespace, again: Callable[[], StageRun]) -> list[Comparison] | None:
    """The expected results of a stage compared with the actual ones; None if nothing is expected."""
    import numpy as np

    from allo_air.program.checks.provenance import RecordedRun

    results = [np.zeros_like(array) for array in done.arrays[len(done.before) :]]
    if (expectation := _expectation.expectation(options, done.arguments, [*done.before, *results])) is None:
        return None

    def recorded() -> RecordedRun:
        repeated = again()
        return RecordedRun(repeated.report.origins, repeated.before, repeated.device_arrays)

    return _expectation.compared(
        expectation, done.arguments, done.arrays, done.report, recorded if done.report is not None else None
    )


def _digest(array: np.ndarray) -> dict[str, Any]:
    import hashlib

    import numpy as np

    result = np.asarray(array)
    wide = result.astype(np.float64) if result.dtype.kind not in "iub" else result
    limits = (wide.min().item(), wide.max().item()) if result.size else (None, None)
    digest = hashlib.sha256(np.ascontiguousarray(result).tobytes()).hexdigest()
    return {"minimum": limits[0], "maximum": limits[1], "sha256": digest}
