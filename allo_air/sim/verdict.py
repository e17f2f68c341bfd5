"""The verdict on a run, in one word, and its findings in order: causes before their consequences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import codes
from allo_air.sim.finding import Finding

_FIRST = (
    "words.", "cascade.", "lock.range", "memory.stack", "memory.overlap", "channel.", "stream.no-flow", "packet.", "bd.",
    "queue.overflow", "queue.", "object.", "hang.wait-order", "hang.", "lock.", "align.", "memory.", "race.", "locality.",
    "stream.", "result.", "limit.", "resource.", "route.",
)  # fmt: skip
"""Prefixes of codes, in the order of a report: causes precede their consequences."""

_HANGS = ("cascade.", "channel.", "stream.no-flow", "packet.", "queue.overflow", "object.", "hang.")
"""The reasons for which a run may hang."""

_SEVERITIES = ("error", "warning", "remark", "note")


@dataclass(frozen=True)
class Verdict:
    """The verdict of a run on its design: `word`, and the findings for it, the most important first."""

    word: codes.Verdict
    findings: tuple[Finding, ...]

    @property
    def headline(self) -> Finding | None:
        """The most important finding; None if the design is right."""
        return self.findings[0] if self.findings and self.word != "right" else None

    @property
    def cure(self) -> str:
        """The first thing to do; empty if the design is right."""
        return self.headline.cure if self.headline is not None else ""

    def __str__(self) -> str:
        if self.headline is None:
            return self.word
        meaning = codes.find(self.headline.code).sentence.removesuffix(".")
        return f"{self.word}: {meaning[0].lower()}{meaning[1:]} [{self.headline.code}]"


def verdict_of(report: Any) -> Verdict:
    """The verdict on a report's run; `undecided` if the run was ended early without a finding."""
    stopped = report.status == "deadlock"
    findings = sorted(report.findings, key=lambda f: _rank(f, stopped=stopped))
    words = {finding.verdict for finding in findings if finding.diagnostic.severity != "remark"}
    if stopped:
        words.add("hangs")
    if report.status == "limit":
        words.add("undecided")
    word: codes.Verdict = next((w for w in codes.WORST if w in words), "right")
    if "hangs" in words and (stopped or word != "wrong"):
        word = "hangs"
    return Verdict(word, tuple(findings))


def _rank(finding: Finding, *, stopped: bool) -> tuple[int, bool, int]:
    code = finding.code
    cause = next((n for n, start in enumerate(_FIRST) if code.startswith(start)), len(_FIRST))
    return _SEVERITIES.index(finding.diagnostic.severity), stopped and not code.startswith(_HANGS), cause
