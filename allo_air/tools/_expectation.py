"""The options `--expect` and `--reference` of `allo-run`: the expected results, and the text of the verdict."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError, OptionError
from allo_air.tools import _arrays

if TYPE_CHECKING:
    import numpy as np

    from allo_air.program.checks.comparison import Comparison
    from allo_air.program.host.signature import Argument
    from allo_air.sim.report_types import Report


def add_to(parser: ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add(
        "--expect", action="append", default=[], metavar="[NAME=]FILE.npy",
        help="expected array of a result, in order or by name or number; wrong values are traced back",
    )  # fmt: skip
    add(
        "--reference", metavar="FILE.mlir[:FUNCTION]",
        help="compare with this function on tensors or memrefs, run by the interpreter on the same inputs",
    )  # fmt: skip
    add("--rtol", type=float, metavar="R", help="with an expected array: |error| <= atol + R |expected|")
    add("--atol", type=float, metavar="A", help="with an expected array: |error| <= A + rtol |expected|")


def expectation(options: Namespace, arguments: Sequence[Argument], before: Sequence[np.ndarray]) -> Any:
    """Returns the Expectation from the options, or None if they give none. `before` are the arrays of `arguments` before the
    run.
    """
    from allo_air.program.checks.comparison import Tolerance
    from allo_air.program.checks.expectation import Expectation

    check_options(options)
    if not options.expect and not options.reference:
        return None
    tolerance = Tolerance(options.rtol, options.atol)
    return Expectation(_reference(options, arguments, before) if options.reference else _files(options.expect), tolerance)


def check_options(options: Namespace) -> None:
    """Raises OptionError if options contradict each other."""
    if options.expect and options.reference:
        raise OptionError("--expect and --reference both give the expected results; give one of them")
    if (options.rtol, options.atol) != (None, None) and not options.expect and not options.reference:
        raise OptionError("--rtol and --atol are tolerances for --expect or --reference; give one of these")
    if options.no_check and (options.expect or options.reference):
        raise OptionError("--no-check does not go with --expect or --reference")


def files(values: Sequence[str]) -> list[tuple[str, str]]:
    """The name (or None) and the path of each file of --expect."""
    return [("", text) if Path(text).exists() else text.rpartition("=")[::2] for text in values]


def _files(values: Sequence[str]) -> Any:
    """The arrays of the files: a list in order, or a dictionary by name."""
    split = files(values)
    named = [name for name, _ in split if name]
    if named and len(named) < len(split):
        raise OptionError("--expect is given with a name and without; name all results, or none")
    if len(set(named)) < len(named):
        raise OptionError("--expect names a result twice")
    if not named:
        return [_arrays.read(path) for _, path in split]
    return {name: _arrays.read(path) for name, path in split}


def _reference(options: Namespace, arguments: Sequence[Argument], before: Sequence[np.ndarray]) -> dict[int, Any]:
    from allo_air.program.checks.reference import expected
    from allo_air.program.source import source_of

    path, _, function = options.reference.rpartition(":")
    if not path or Path(options.reference).exists():
        path, function = options.reference, ""
    return expected(source_of(Path(path)), arguments, before, function=function.lstrip("@") or None, seed=options.seed)


def compared(
    expectation: Any,
    arguments: Sequence[Argument],
    arrays: Sequence[Any],
    report: Report | None,
    again: Callable[[], Any] | None,
) -> list[Comparison]:
    """Compares each expected result with the `arrays` of `arguments` after the run.

    With a record `again`, wrong elements are traced to their writer. The comparisons are stored in the simulator's `report`,
    with a finding for each wrong result.
    """
    from allo_air.program.checks import provenance
    from allo_air.program.checks.results import results_of

    comparisons: list[Comparison] = expectation.compared(*results_of(arguments, arrays), again)
    if report is not None:
        report.compared = comparisons
        report.findings += provenance.findings(comparisons)
    return comparisons


def verdict(comparisons: Sequence[Comparison]) -> tuple[bool, str]:
    """Whether all results are right, and the text of the verdict: wrong results first, and each note on its own line."""
    lines = []
    for each in sorted(comparisons, key=lambda c: c.ok):
        lines.append(f"{'correct' if each.ok else 'WRONG'}: {each.message}")
        lines += [f"  {note}" for note in each.notes]
    if not comparisons:
        raise AlloAirError("nothing is expected of the results: the files of --expect name none")
    return all(each.ok for each in comparisons), "\n".join(lines)
