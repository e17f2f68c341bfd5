"""Prints the findings of a run in `allo-run`: the verdict, the fix and the explanation, as text, JSON or SARIF."""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.errors import DiagnosticError, counted, render
from allo_air.tools import _words

if TYPE_CHECKING:
    from allo_air.sim.policy import Policy
    from allo_air.sim.report_types import Report
    from allo_air.sim.verdict import Verdict

_LINES = 10
"""Maximum number of lines without --verbose."""


def add_to(parser: ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("--sarif", metavar="FILE", help="write findings as SARIF 2.1.0 for code hosts")
    add(
        "--fail-on", metavar="WHAT",
        help="findings that fail the run: error (default), warning, remark, never, or codes (race.*,queue.may-overflow); a run"
        " that ends in an error fails unless this is never",
    )  # fmt: skip
    add("--baseline", metavar="FILE", help="ignore the findings in this file (see --write-baseline)")
    add("--write-baseline", metavar="FILE", help="write all findings as known to this file, and succeed")


def policy_of(options: Namespace) -> Policy:
    """The project's policy for findings, with the changes that the command line makes to it."""
    from allo_air.sim import policy

    result = policy.current(baseline=not options.write_baseline)  # known values are written again
    if options.fail_on:
        result = replace(result, fail_on=policy.fail_on(options.fail_on))
    if options.baseline and not options.write_baseline:
        result = replace(result, baseline=result.baseline | frozenset(policy.read_baseline(Path(options.baseline))))
    return result


def finish_run(report: Report | None, options: Namespace) -> int:
    """Writes the files for a completed run and returns the exit code that its findings require."""
    if report is None or _write(report, options):
        return 0
    return 1 if policy_of(options).fails(report.findings) else 0


def finish_failed_run(report: Report, options: Namespace) -> int:
    """Prints the findings of a failed run and returns the exit code."""
    from allo_air.sim.verdict import verdict_of

    if _write(report, options):
        return 0
    verdict = verdict_of(report)
    if options.json:
        body = {"status": report.status, "cycles": report.cycles, "verdict": verdict.word, "cure": verdict.cure}
        print(json.dumps(body | {"findings": [f.as_dict() for f in verdict.findings]}, indent=2))
    else:
        print("\n".join(in_lines(verdict, verbose=options.verbose)), file=sys.stderr)
    return 0 if "never" in policy_of(options).fail_on and report.status not in ("deadlock", "refused") else 1


def finish_refused_run(error: DiagnosticError, options: Namespace) -> int | None:
    """Prints the findings of a design that was refused before the run and returns the exit code.

    Returns None for an error without a code, unless an option requests the findings as data.
    """
    from allo_air.sim.report_types import Finding, NotSimulated, Report

    errors = [d for d in error.diagnostics if d.severity == "error"]
    if options.write_baseline or not (options.json or options.sarif or any(d.code for d in errors)):
        return None
    usual = "code.not-simulated" if isinstance(error, NotSimulated) else "design.refused"
    coded = [d if d.code else replace(d, code=usual) for d in error.diagnostics if d.severity in ("error", "warning")]
    findings = [Finding(d.code, 0, None, "design", "", "", "", d) for d in coded]
    return finish_failed_run(Report("", "", "refused", 0, findings), options)


def in_lines(verdict: Verdict, *, verbose: bool) -> list[str]:
    """The verdict, the fix and the explanation as lines of text, at most `_LINES` unless --verbose is set."""
    lines = [str(verdict)]
    if verdict.cure:
        lines.append(f"cure: {_words.of_command_line(verdict.cure)}")
    shown = [f for f in verdict.findings if verbose or f.diagnostic.severity != "remark"]
    for finding in shown if verbose else shown[:1]:
        diagnostic = finding.diagnostic
        reworded = replace(diagnostic, message=_words.of_command_line(diagnostic.message))
        if not verbose and diagnostic.file:
            reworded = replace(
                reworded,
                notes=tuple(replace(n, message=_with_short_places(n.message, diagnostic.file)) for n in reworded.notes),
            )
        lines += render(reworded, _line).split("\n")
        if verbose and finding is not verdict.headline:
            lines.append(f"cure: {_words.of_command_line(finding.cure)}")
    more = len(shown) - 1
    if verbose or (len(lines) <= _LINES and more <= 0):
        return lines
    rest = _other_findings(shown[1:]) if more > 0 else ""
    shown_lines = lines[: _LINES - 1]
    rest_count = len(lines) - len(shown_lines)
    what = ", ".join(filter(None, [f"{rest_count} more line{'s' * (rest_count > 1)}" if rest_count else "", rest]))
    return [*shown_lines, f"and {what}; --verbose shows all"]


def _with_short_places(message: str, file: str) -> str:
    """`message`, in which places in `file` have only a line number."""
    return re.sub(rf"{re.escape(file)}:(\d+)(:\d+)?", r"line \1", message)


def _other_findings(findings: Sequence[Any]) -> str:
    """`2 more findings (race.data, line 42; ...)`."""
    named = [f"{f.code} at line {f.line}" if f.line else f.code for f in findings[:3]]
    more = f" and {counted(len(findings) - 3, 'other')}" if len(findings) > 3 else ""
    return f"{len(findings)} more finding{'s' * (len(findings) > 1)}: {', '.join(named)}{more}"


def summary(report: Report, compared: bool) -> str:
    """The verdict on a completed run, in one line."""
    from allo_air.sim.verdict import verdict_of

    verdict = verdict_of(report)
    if verdict.headline is not None:
        count = sum(f.diagnostic.severity != "remark" for f in verdict.findings)
        where = f" at {verdict.headline.diagnostic.position}" if verdict.headline.diagnostic.position else ""
        more = f" and {count - 1} more" if count > 1 else ""
        return f"{verdict}{where}{more}; cure: {verdict.cure}"
    searched = f"; {report.orders}" if report.orders else ""
    return f"right: no finding{searched}" + ("" if compared else "; results were not compared (--expect, --reference)")


def story(report: Report, *, verbose: bool) -> list[str]:
    """The notes below the headline of a completed run: which agents hold resources, and which wait for them."""
    from allo_air.sim.verdict import verdict_of

    headline = verdict_of(report).headline
    if headline is None:
        return []
    diagnostic = headline.diagnostic
    lines = [f"note: {_words.of_command_line(note.message)}" for note in diagnostic.notes]
    if verbose:
        return lines
    lines = [_with_short_places(line, diagnostic.file) if diagnostic.file else line for line in lines]
    rest_count = len(lines) - _LINES + 2
    return [*lines[: _LINES - 2], f"and {counted(rest_count, 'more line')}; --verbose shows all"] if rest_count > 1 else lines


def _write(report: Report, options: Namespace) -> bool:
    """Writes the files that options name; returns whether one of them is a baseline."""
    from allo_air.sim import policy

    if options.sarif:
        from allo_air.program.reports.sarif import sarif
        from allo_air.sim.verdict import verdict_of

        Path(options.sarif).write_text(json.dumps(sarif(verdict_of(report).findings), indent=1) + "\n", encoding="utf-8")
    if options.write_baseline:
        print(f"{policy.write_baseline(Path(options.write_baseline), report.findings)} findings are known from now on")
    return bool(options.write_baseline)


def _line(file: str, number: int) -> str | None:
    try:
        return Path(file).read_text(encoding="utf-8").split("\n")[number - 1]
    except (OSError, UnicodeDecodeError, IndexError, ValueError):
        return None
