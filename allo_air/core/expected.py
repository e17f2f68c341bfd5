"""`--verify-diagnostics`: matches diagnostics with `expected-error@+1 {{text}}` comments, as mlir-opt does.

Unlike in mlir-opt, unexpected notes are accepted: errors of this project have notes with advice.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from allo_air.errors import Diagnostic

_COMMENT = re.compile(r"expected-(error|warning|remark|note)(-re)? *(?:@([+-]\d+|above|below|unknown))? *\{\{(.*)\}\}\s*$")


@dataclass(frozen=True)
class Expectation:
    """An expected diagnostic at `line` of the file (0: without a location); `comment_line` is the line of the comment."""

    severity: str
    line: int
    text: str
    is_regex: bool
    comment_line: int

    def fits(self, diagnostic: Diagnostic) -> bool:
        """Whether severity, line and text of `diagnostic` are as expected."""
        return self.severity == diagnostic.severity and self.line == diagnostic.line and self.says(diagnostic.message)

    def says(self, message: str) -> bool:
        """Whether `message` contains the expected text, in which `{{...}}` is a regular expression after `-re`."""
        if not self.is_regex:
            return self.text in message
        parts = re.split(r"\{\{(.*?)\}\}", self.text)
        return re.search("".join(f"(?:{p})" if i % 2 else re.escape(p) for i, p in enumerate(parts)), message) is not None


def expectations(text: str, first_line: int = 1) -> list[Expectation]:
    """The expectations written in `text`, whose first line is line `first_line` of its file."""
    lines = text.split("\n")
    matches = [_COMMENT.search(line) for line in lines]
    return [
        Expectation(m[1], _target(matches, i, m[3], first_line), m[4], bool(m[2]), first_line + i)
        for i, m in enumerate(matches)
        if m
    ]


def _target(matches: list[re.Match[str] | None], index: int, where: str | None, first_line: int) -> int:
    if where == "unknown":
        return 0
    if where == "above":
        return first_line + next((i for i in range(index - 1, -1, -1) if matches[i] is None), index)
    if where == "below":
        return first_line + next((i for i in range(index + 1, len(matches)) if matches[i] is None), index)
    return first_line + index + int(where or 0)


def mismatches(
    diagnostics: Iterable[Diagnostic], expectations: Iterable[Expectation], file: str, *, only_expected: bool = False
) -> list[Diagnostic]:
    """Unexpected diagnostics, unless `only_expected`, and expectations without a diagnostic, as errors at their lines."""
    missing, wrong = list(expectations), []
    for diagnostic in diagnostics:
        for d in (diagnostic, *(note if note.line else replace(note, line=diagnostic.line) for note in diagnostic.notes)):
            result = next((e for e in missing if e.fits(d)), None)
            if result is not None:
                missing.remove(result)
            elif d.severity != "note" and not only_expected:
                wrong.append(Diagnostic("error", d.file, d.line, d.column, f"unexpected {d.severity}: {d.message}"))
    wrong += [
        Diagnostic("error", file, e.comment_line, 0, f"expected {e.severity} '{e.text}' was not produced{_place_text(e)}")
        for e in missing
    ]
    return wrong


def _place_text(expectation: Expectation) -> str:
    if expectation.line == expectation.comment_line:
        return ""
    return f" at line {expectation.line}" if expectation.line else " without a location"
