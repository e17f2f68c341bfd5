"""The errors a user can meet, and their rendering in MLIR's style; imports no bindings."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "remark", "note"]


@dataclass(frozen=True)
class Diagnostic:
    """A message at a position: `line` and `column` count from 1, 0 means unknown; `file` is empty if unknown.

    `code` is a name of `allo_air.codes`, `cure` is the remedy, if one was determined for this case.
    """

    severity: Severity
    file: str
    line: int
    column: int
    message: str
    notes: tuple["Diagnostic", ...] = ()
    code: str = ""
    cure: str = ""

    @property
    def position(self) -> str:
        """`file:line:col`, as much of it as is known; empty without any."""
        if not self.line:
            return self.file
        return ":".join([self.file or "<unknown>", str(self.line), *([str(self.column)] if self.column else [])])

    def __str__(self) -> str:
        return f"{self.position}: {self.severity}: {self.message}" if self.position else f"{self.severity}: {self.message}"


def placeless(severity: Severity, message: str, notes: tuple[Diagnostic, ...] = ()) -> Diagnostic:
    """A diagnostic without a position."""
    return Diagnostic(severity, "", 0, 0, message, notes)


class AlloAirError(Exception):
    """An error that the user can correct: the message says what was found, what is allowed, and what to do."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The error as diagnostics, ready to be rendered."""
        return (placeless("error", str(self)),)


class DiagnosticError(AlloAirError):
    """One or more diagnostics of which at least one is an error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]):
        self._diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self._diagnostics)))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics of the error."""
        return self._diagnostics


class PassError(AlloAirError):
    """A pass cannot go on: `location` is `file:line:col` text or an `ir.Location`, `op` the operation's name."""

    def __init__(self, message: str, location: object = "", op: str = ""):
        self.location, self.op, self.message = location, op, message
        super().__init__(f"'{op}' op {message}" if op else message)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The error at the operation's location."""
        file, line, column = split_position(str(self.location))
        return (Diagnostic("error", file, line, column, str(self)),)


class ArgumentError(AlloAirError, TypeError):
    """A call with arguments that a function or program cannot take: says which, what was found and what was expected."""


class AlloValueError(AlloAirError, ValueError):
    """A step of a schedule with values that it cannot have."""


class OptionError(AlloAirError):
    """An option of a pass, pipeline or tool has a wrong name or value."""


class PipelineSyntaxError(AlloAirError):
    """Text that cannot be parsed; `text` is quoted with a caret at `column` (from 1)."""

    def __init__(self, message: str, text: str, column: int, where: str = "pipeline"):
        self.text, self.column, self.where = text, column, where
        super().__init__(message)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The error at its column of the pipeline text."""
        return (Diagnostic("error", f"<{self.where}>", 1, self.column, str(self)),)


class UnknownNameError(AlloAirError):
    """A name that nothing answers to; the nearest known names are offered."""

    def __init__(self, kind: str, name: str, known_names: Iterable[str], hint: str = ""):
        self.kind, self.name, self.hint = kind, name, hint
        self.known = tuple(known_names)
        self.near = nearest(name, self.known)
        super().__init__(f"unknown {kind} '{name}'{suggestion(self.near)}" + (f" ({hint})" if hint else ""))


def unknown_name(kind: str, name: str, known_names: Iterable[str], why: str, hint: str = "") -> AlloAirError:
    """The error for `name`, which is not one of `known_names`; `why` explains a name that users know from another project;
    otherwise it is empty."""
    return AlloAirError(f"there is no pass '{name}': {why}") if why else UnknownNameError(kind, name, known_names, hint)


def nearest(name: str, known_names: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The known names most like `name`, best first; the dashes of flags make none like another."""
    import difflib

    plain, bare = {k.lstrip("-"): k for k in sorted(set(known_names), reverse=True)}, name.lstrip("-")
    close = difflib.get_close_matches(bare, sorted(plain), count, cutoff=0.6)
    parts = [k for k in sorted(plain) if len(bare) > 3 and (k.startswith(bare) or bare in k)]
    return tuple(plain[k] for k in dict.fromkeys([*close, *parts]))[:count]


def suggestion(near: tuple[str, ...]) -> str:
    """`; did you mean 'a', 'b' or 'c'?`, or nothing."""
    if not near:
        return ""
    *front, last = [f"'{n}'" for n in near]
    return "; did you mean " + (f"{', '.join(front)} or {last}?" if front else f"{last}?")


def counted(number: float, noun: str) -> str:
    """`1 task`, `2 tasks`: every message that counts something uses this."""
    return f"{number} {noun}" if number == 1 else f"{number} {_plural(noun)}"


def _plural(noun: str) -> str:
    """`tasks`, `indices`, `entries`, `launches`."""
    import re

    if noun.endswith("index"):
        return noun.removesuffix("ex") + "ices"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(?:s|x|ch|sh)$", noun) else "s")


def with_article(noun: str) -> str:
    """`a float`, `an int`."""
    return f"{'an' if noun[:1].lower() in set('aeiou') else 'a'} {noun}"


def split_position(text: str) -> tuple[str, int, int]:
    """Splits `file:line:col` or MLIR's `loc("file":line:col)`; missing parts are empty or 0."""
    import re

    if match := re.match(r'^(?:loc\()?(?:.*?)"([^"]*)":(\d+):(\d+)', text):
        return _unescaped(match[1]), int(match[2]), int(match[3])
    if match := re.match(r"^(.*?):(\d+)(?::(\d+))?$", text):
        return match[1], int(match[2]), int(match[3] or 0)
    return ("", 0, 0) if text.startswith("loc(") else (text, 0, 0)


def position(file: str, line: int, column: int) -> str:
    """The place as MLIR reads it in `loc(...)`; the name has quotes, backslashes and control characters as numbers."""

    def written(character: str) -> str:
        if character.isprintable() and character not in '"\\':
            return character
        return "".join(f"\\{byte:02X}" for byte in character.encode(errors="surrogateescape"))

    name = "".join(map(written, file))
    return f'"{name}":{line}:{column}'


def _unescaped(name: str) -> str:
    """A name of a file out of MLIR's string literal, in which each byte that is not printable is `\\` and its number."""
    import re

    def byte(match: re.Match[bytes]) -> bytes:
        word = match[1]
        return bytes([int(word, 16)]) if len(word) == 2 else {b"n": b"\n", b"t": b"\t"}.get(word, word)

    text = re.sub(rb'\\([0-9A-Fa-f]{2}|[nt"\\])', byte, name.encode(errors="surrogateescape"))
    return text.decode(errors="surrogateescape")


def render(diagnostic: Diagnostic, source_line: Callable[[str, int], str | None]) -> str:
    """The diagnostic in MLIR's style: the message, the source line quoted, a caret, then the notes."""
    lines = [str(diagnostic)]
    quoted = source_line(diagnostic.file, diagnostic.line) if diagnostic.line else None
    if quoted is not None:
        lines.append(quoted.rstrip("\n"))
        if 0 < diagnostic.column <= len(quoted) + 1:
            indent = "".join("\t" if c == "\t" else " " for c in quoted[: diagnostic.column - 1])
            lines.append(f"{indent}^")
    lines += [render(note, source_line) for note in diagnostic.notes]
    return "\n".join(lines)
