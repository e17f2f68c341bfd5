"""`FileCheck` by the package filecheck, with the flags that the package does not have and CHECK-NOT as LLVM defines it."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, redirect_stdout
from unittest import mock

from filecheck import main as package
from filecheck import matcher, preprocess
from filecheck.finput import InputRange
from filecheck.matcher import Matcher
from filecheck.ops import VALUE_MAPPER_T, CheckOp
from filecheck.options import Options, parse_argv_options

_ABOUT_OUTPUT = re.compile(r"--?(dump-input(-\w+)*|color|v|vv|allow-unused-prefixes)(=.*)?")
_FORBIDDEN = re.compile(r"--?implicit-check-not(?:=(.*))?", re.DOTALL)
_ANY_CASE = re.compile(r"--?ignore-case(=true)?")
_Compiled = tuple[re.Pattern[str], dict[str, tuple[int, VALUE_MAPPER_T]]]
_Compile = Callable[[CheckOp, dict[str, str | int], Options], _Compiled]
_BEFORE_NEXT = r"\n?[^\n]*"
"""What the package puts before the pattern of CHECK-NEXT: the line's text before the match."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares standard input with the CHECK lines of a file; 0 where they match, 1 where not, 2 for a wrong command line."""
    words = [w for w in (sys.argv[1:] if arguments is None else arguments) if not _ABOUT_OUTPUT.fullmatch(w)]
    try:
        words, forbidden = _without_forbidden(words)
        plain = [w for w in words if not _ANY_CASE.fullmatch(w)]
        return _check(plain, forbidden, any_case=len(plain) < len(words))
    except NotImplementedError:
        print("FileCheck: arithmetic on numeric variables ([[#N+1]]) is not supported by allo_air's stand-in", file=sys.stderr)
    except (RuntimeError, OSError) as error:
        print(f"FileCheck: {error}", file=sys.stderr)
    return 2


def _without_forbidden(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """`words` without --implicit-check-not, and the patterns of these."""
    plain: list[str] = []
    forbidden: list[str] = []
    rest = iter(words)
    for word in rest:
        flag = _FORBIDDEN.fullmatch(word)
        if flag is None:
            plain.append(word)
        elif (pattern := next(rest, "") if flag[1] is None else flag[1]).strip():
            forbidden.append(pattern)
        else:
            raise RuntimeError(f"{word} needs a pattern")
    return plain, forbidden


def _check(words: list[str], forbidden: list[str], *, any_case: bool) -> int:
    if not words or {"--help", "--version", "-version"} & set(words):
        package.main(["FileCheck", *words])
        return 0
    checks = _Matcher.from_opts(parse_argv_options(["FileCheck", *words]))
    checks.forbidden = forbidden
    with ExitStack() as stack:
        if any_case:
            for module in (matcher, preprocess):
                stack.enter_context(mock.patch.object(module, "compile_uops", _in_any_case(module.compile_uops)))
        stack.enter_context(redirect_stdout(io.StringIO()))  # of the package's own debugging
        return checks.run()


def _in_any_case(compile_uops: _Compile) -> _Compile:
    def compiled(check: CheckOp, variables: dict[str, str | int], opts: Options) -> _Compiled:
        pattern, captures = compile_uops(check, variables, opts)
        return re.compile(pattern.pattern, pattern.flags | re.IGNORECASE), captures

    return compiled


class _Matcher(Matcher):
    """The package's matcher, whose CHECK-NOT ends where the next match begins, not where it ends.

    The patterns in `forbidden` are CHECK-NOT lines before each other line and at the end.
    """

    forbidden: Sequence[str] = ()
    _begin = 0
    """Where the last match, or the last of a group of CHECK-DAG lines, ended."""
    _dags: tuple[int, list[CheckOp]] | None = None
    """Where the first match of a group of CHECK-DAG lines begins, and what must not be before it."""

    @classmethod
    def from_opts(cls, opts: Options) -> _Matcher:
        base = Matcher.from_opts(opts)
        return cls(opts, base.file, base.operations)

    def run(self) -> int:
        self._forbidden = [CheckOp("IMPLICIT-CHECK", "NOT", p, 0, self.operations.parse_args(p, p)) for p in self.forbidden]
        self._implicit = self._forbidden
        return int(super().run())

    def _pre_check(self, op: CheckOp) -> None:
        if op.name != "DAG":
            self._end_dags()
        super()._pre_check(op)

    def _post_check(self, op: CheckOp) -> None:
        if op.name == "NOP":
            self._end_dags()
            self._search(self._taken(), len(self.file.content))
        super()._post_check(op)

    def check_label(self, op: CheckOp) -> None:
        self._search(self._taken(), self.file.range.end)
        super().check_label(op)
        self._begin, self._implicit = self.file.range.start, self._forbidden

    def capture_results(self, match: re.Match[str], capture: dict[str, tuple[int, VALUE_MAPPER_T]], op: CheckOp) -> None:
        begin, end = match.span()
        if op.name == "DAG":
            first, lines = self._dags or (begin, self._taken())
            self._dags = min(first, begin), lines
        else:
            self._search(self._taken(), _without_prefix(match) if op.name == "NEXT" else begin)
            self._begin, self._implicit = end, self._forbidden
        super().capture_results(match, capture, op)

    def _taken(self) -> list[CheckOp]:
        """What must not be before the next match."""
        lines = [*self.ctx.negative_matches_stack, *self._implicit]
        self.ctx.negative_matches_start, self.ctx.negative_matches_stack, self._implicit = None, [], []
        return lines

    def _end_dags(self) -> None:
        group = self.file.is_discontigous()
        if self._dags is not None and group is not None:
            first, lines = self._dags
            self._search(lines, first)
            self._begin, self._dags = group.end_of_last_hole(), None

    def _search(self, lines: list[CheckOp], end: int) -> None:
        for line in lines:
            self.check_not(line, InputRange(self._begin, end))


def _without_prefix(match: re.Match[str]) -> int:
    """Where the pattern of a CHECK-NEXT begins in `match`."""
    pattern = match.re.pattern.removeprefix(_BEFORE_NEXT)
    line = re.compile(pattern, match.re.flags).search(match.string, match.start(), match.end())
    return line.start() if line else match.start()


if __name__ == "__main__":
    sys.exit(main())
