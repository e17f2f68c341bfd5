"""FileCheck, like LLVM's: compares a text with the CHECK lines of a file."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from allo_air.compat.check_pattern import Pattern, PatternError, Value

_ABOUT_OUTPUT = re.compile(r"--?(dump-input(-\w+)*|color|v|vv)(=.*)?")
_ONE_DASH = re.compile(r"-[A-Za-z][A-Za-z-]+(=.*)?", re.DOTALL)
_SUFFIX = r"(?:-(NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\d+))?(\{LITERAL\})?:"


class UsageError(Exception):
    """An invalid command line or check file."""


@dataclass
class Mismatch(Exception):
    """A check line without a match, or a forbidden match."""

    pattern: Pattern
    reason: str
    position: int


@dataclass
class Matcher:
    """Compares `text` with check lines, one after another."""

    text: str
    options: argparse.Namespace
    values: dict[str, Value]
    never: list[Pattern]
    """Patterns of --implicit-check-not, which must not match between other matches."""
    negative: list[Pattern] = field(default_factory=list)

    def run(self, patterns: list[Pattern]) -> None:
        """Raises Mismatch at the first check line that fails."""
        for start, end, checks in self._blocks(patterns):
            if checks and checks[0].kind == "LABEL" and self.options.enable_var_scope:
                self.values = {n: v for n, v in self.values.items() if n.startswith("$")}
            self._block(start, end, checks)

    def _blocks(self, patterns: list[Pattern]) -> list[tuple[int, int, list[Pattern]]]:
        """The parts of the text between CHECK-LABEL matches, each with its check lines. The part before the first label counts,
        too.
        """
        places: list[tuple[int, list[Pattern]]] = [(0, [])]
        position = 0
        for pattern in patterns:
            if pattern.kind == "LABEL":
                match = self._search(pattern, position, len(self.text))
                if match is None:
                    raise Mismatch(pattern, "expected string not found in input", position)
                places.append((match.start(), []))
                position = match.end()
            places[-1][1].append(pattern)
        ends = [*(place[0] for place in places[1:]), len(self.text)]
        return [(start, end, checks) for (start, checks), end in zip(places, ends, strict=True)]

    def _block(self, position: int, end: int, checks: list[Pattern]) -> None:
        while checks:
            group = checks[: _leading(checks, ("DAG", "NOT"))]
            checks = checks[len(group) :]
            position = self._unordered(group, position, end)
            if checks:
                position = self._positive(checks.pop(0), position, end)
        self._absent(position, end)

    def _positive(self, pattern: Pattern, last: int, end: int) -> int:
        """Finds `pattern` after `last`, and checks the text in between. Returns the end of the match."""
        position, first = last, -1
        for _ in range(pattern.count):
            match = self._empty_line(position, end) if pattern.kind == "EMPTY" else self._span(pattern, position, end)
            if match is None:
                raise Mismatch(pattern, "expected string not found in input", position)
            first = match[0] if first < 0 else first
            position = match[1]
        lines = self.text.count("\n", last, first)
        if pattern.kind in ("NEXT", "EMPTY") and lines != 1:
            where = "is on the same line as" if lines == 0 else "is not on the line after"
            raise Mismatch(pattern, f"{where} the previous match", first)
        if pattern.kind == "SAME" and lines:
            raise Mismatch(pattern, "is not on the same line as the previous match", first)
        self._absent(last, first)
        return position

    def _empty_line(self, position: int, end: int) -> tuple[int, int] | None:
        match = re.compile(r"\n(?=\n|\Z)").search(self.text, position, end)
        return None if match is None else (match.end(), match.end())

    def _unordered(self, group: list[Pattern], start: int, end: int) -> int:
        """Matches the CHECK-DAG lines of `group` in any order. CHECK-NOT lines separate them into sets."""
        spans: list[tuple[int, int]] = []
        for index, pattern in enumerate(group):
            if pattern.kind == "NOT":
                self.negative.append(pattern)
                continue
            span = self._apart(pattern, start, end, spans)
            spans.append(span)
            spans.sort()
            if index + 1 == len(group) or group[index + 1].kind != "DAG":
                self._absent(start, spans[0][0])
                start, spans = spans[-1][1], []
        return start

    def _apart(self, pattern: Pattern, start: int, end: int, spans: list[tuple[int, int]]) -> tuple[int, int]:
        """The first match of `pattern` that overlaps none of `spans`."""
        position = start
        while True:
            match = self._search(pattern, position, end)
            if match is None:
                raise Mismatch(pattern, "expected string not found in input", start)
            overlapping = next((s for s in spans if match.start() < s[1] and s[0] < match.end()), None)
            if overlapping is None or self.options.allow_deprecated_dag_overlap:
                self.values |= pattern.values(match)
                return match.span()
            position = overlapping[1]

    def _absent(self, position: int, end: int) -> None:
        """Checks that no pattern to be absent is here, and forgets those between the last matches."""
        for pattern in [*self.never, *self.negative]:
            match = self._search(pattern, position, end)
            if match is not None:
                raise Mismatch(pattern, "excluded string found in input", match.start())
        self.negative = []

    def _span(self, pattern: Pattern, position: int, end: int) -> tuple[int, int] | None:
        match = self._search(pattern, position, end)
        if match is None:
            return None
        self.values |= pattern.values(match)
        return match.span()

    def _search(self, pattern: Pattern, position: int, end: int) -> re.Match[str] | None:
        o = self.options
        flags = re.IGNORECASE if o.ignore_case else 0
        try:
            regex = pattern.compiled(self.values, flags, full_lines=o.match_full_lines, strict=o.strict_whitespace)
        except PatternError as error:
            raise Mismatch(pattern, str(error), position) from None
        return regex.search(self.text, position, end)


def _leading(checks: list[Pattern], kinds: tuple[str, ...]) -> int:
    return next((i for i, c in enumerate(checks) if c.kind not in kinds), len(checks))


def patterns_of(text: str, options: argparse.Namespace) -> list[Pattern]:
    """The check lines of a file."""
    prefixes = "|".join(sorted(map(re.escape, options.prefixes), key=len, reverse=True))
    comments = "|".join(map(re.escape, options.comments))
    directive = re.compile(rf"(?<![\w-])({prefixes}){_SUFFIX}")
    comment = re.compile(rf"(?<![\w-])(?:{comments}):")
    results: list[Pattern] = []
    for number, line in enumerate(text.split("\n"), 1):
        match = directive.search(line)
        if match is None or ((c := comment.search(line)) and c.start() < match.start()):
            continue
        prefix, kind, literal = match.groups()
        body = line[match.end() :]
        if not (options.strict_whitespace and options.match_full_lines):
            body = body.strip(" \t")
        if not body and kind != "EMPTY":
            raise UsageError(f"{options.file}:{number}: error: found empty check string with prefix '{prefix}:'")
        count = int(kind[6:]) if kind and kind.startswith("COUNT") else 1
        kind = "COUNT" if kind and kind.startswith("COUNT") else kind or "CHECK"
        if not results and kind in ("NEXT", "SAME", "EMPTY"):
            raise UsageError(f"{options.file}:{number}: error: found '{prefix}-{kind}' without previous '{prefix}: line")
        results.append(Pattern(prefix, kind, body, number, count, literal is not None))
    missing = [p for p in options.prefixes if p not in {r.prefix for r in results}]
    if missing and (not results or not options.allow_unused_prefixes):
        raise UsageError(f"error: no check strings found with prefix{'es' * (len(missing) > 1)} {', '.join(missing)}:")
    return results


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("FileCheck", description=__doc__, allow_abbrev=False)
    add = parser.add_argument
    add("file", help="the file with the CHECK lines")
    add("--input-file", default="-", help="the text; by default standard input")
    add("--check-prefix", "--check-prefixes", dest="prefixes", action="append", default=[], help="instead of CHECK")
    add("--comment-prefixes", dest="comments", action="append", default=[], help="lines to leave out, by default COM and RUN")
    add("--implicit-check-not", dest="never", action="append", default=[], help="a pattern that must not match anywhere else")
    for name in ("ignore-case", "strict-whitespace", "match-full-lines", "enable-var-scope", "allow-empty"):
        add(f"--{name}", action="store_true")
    add("--allow-deprecated-dag-overlap", action="store_true")
    add("--allow-unused-prefixes", nargs="?", const="true", default="false")
    add("-D", dest="defined", action="append", default=[], help="NAME=VALUE, a variable; #NAME=VALUE, a number")
    return parser


def _options(words: Sequence[str]) -> argparse.Namespace:
    words = [f"-{w}" if _ONE_DASH.fullmatch(w) and not w.startswith("-D") else w for w in words]
    flags = [f"-D{w[3:]}" if w.startswith("--D") else w for w in words if not _ABOUT_OUTPUT.fullmatch(w)]
    options = _parser().parse_args([*shlex.split(os.environ.get("FILECHECK_OPTS", "")), *flags])
    options.prefixes = [p for word in options.prefixes for p in word.split(",")] or ["CHECK"]
    options.comments = [p for word in options.comments for p in word.split(",")] or ["COM", "RUN"]
    options.allow_unused_prefixes = options.allow_unused_prefixes in ("true", "1")
    return options


def _read(file: str, *, strict: bool) -> str:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"could not open '{file}': {error.strerror}") from None
    text = data.decode(errors="replace").replace("\r\n", "\n")
    return text if strict else re.sub(r"[ \t]+", " ", text)


def _values(definitions: Sequence[str]) -> dict[str, Value]:
    results: dict[str, Value] = {}
    for word in definitions:
        name, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"-D{word}: expected -DNAME=VALUE")
        results[name.lstrip("#").strip()] = int(value, 0) if name.startswith("#") else value
    return results


def _line_with_marker(text: str, position: int) -> str:
    """The line of `text` that contains `position`, with a marker below that position."""
    position = min(position, len(text))
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return f"{text[start : end if end >= 0 else len(text)]}\n{' ' * (position - start)}^"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares standard input with the CHECK lines of a file. Returns 0 if they match, 1 if not, and 2 for an invalid command
    line.
    """
    options = _options(sys.argv[1:] if arguments is None else arguments)
    try:
        values = _values(options.defined)
        patterns = patterns_of(_read(options.file, strict=options.strict_whitespace), options)
        text = _read(options.input_file, strict=options.strict_whitespace)
    except UsageError as error:
        print(f"FileCheck: {error}", file=sys.stderr)
        return 2
    if not text and not options.allow_empty:
        print(f"FileCheck: error: '{options.input_file}' is empty", file=sys.stderr)
        return 2
    never = [Pattern("IMPLICIT-CHECK", "NOT", word, 0) for word in options.never]
    try:
        Matcher(text, options, values, never).run(patterns)
    except Mismatch as wrong:
        pattern, line = wrong.pattern, text.count("\n", 0, wrong.position) + 1
        source = "<stdin>" if options.input_file == "-" else options.input_file
        print(
            f"{options.file}:{pattern.line}: error: {pattern.name}: {wrong.reason}\n{pattern.text}\n"
            f"{source}:{line}: note: here\n{_line_with_marker(text, wrong.position)}",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
