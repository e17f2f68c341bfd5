"""Patterns of FileCheck: converts the text after `CHECK:` to a regular expression of Python, with variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Value = str | int

_NAME = r"\$?[A-Za-z_]\w*"
_TEXT_VARIABLE = re.compile(rf"({_NAME})(?::(.*))?", re.DOTALL)
_NUMBER = re.compile(rf"#\s*(?:%(#?)(?:\.(\d+))?([udxX])\s*,)?\s*(?:({_NAME})\s*:)?\s*(==)?\s*(.*)", re.DOTALL)
_LINE = re.compile(r"@LINE\s*(?:([+-])\s*(\d+))?")
_TERM = re.compile(rf"\s*([+-]?)\s*(0x[0-9a-fA-F]+|\d+|@LINE|{_NAME})")
_CLASSES = {
    "alpha": "A-Za-z", "upper": "A-Z", "lower": "a-z", "digit": "0-9", "alnum": "A-Za-z0-9", "xdigit": "A-Fa-f0-9",
    "space": r"\s", "blank": r" \t", "punct": r"!-/:-@\[-`{-~", "print": " -~", "graph": "!-~", "cntrl": r"\x00-\x1f\x7f",
    "word": r"\w",
}  # fmt: skip
_DIGITS = {"u": r"\d", "d": r"\d", "x": "[0-9a-f]", "X": "[0-9A-F]"}


class PatternError(Exception):
    """A check line that is not a valid pattern, or uses an undefined variable."""


@dataclass
class Pattern:
    """One check line: its `kind` (CHECK, NEXT, NOT, ...), the `text` after the colon, and its `line` number."""

    prefix: str
    kind: str
    text: str
    line: int
    count: int = 1
    literal: bool = False
    groups: dict[str, int] = field(default_factory=dict)
    bases: dict[str, int] = field(default_factory=dict)
    """For numeric variables: the base of their digits."""

    @property
    def name(self) -> str:
        """The directive's text in the file."""
        return self.prefix if self.kind == "CHECK" else f"{self.prefix}-{self.kind}"

    def compiled(self, values: Mapping[str, Value], flags: int, *, full_lines: bool, strict: bool) -> re.Pattern[str]:
        """The regular expression, with the `values` of variables inserted."""
        self.groups, self.bases = {}, {}
        body = re.escape(self.text) if self.literal else "".join(self._parts(values))
        if full_lines:
            space = "" if strict else " *"
            body = f"^{space}(?:{body}){space}$"
        try:
            return re.compile(body, flags | re.MULTILINE)
        except re.error as error:
            raise PatternError(f"invalid regular expression: {error}") from None

    def values(self, match: re.Match[str]) -> dict[str, Value]:
        """The values of the variables that this line defines, from its match."""
        texts = {name: match.group(f"v{number}") for name, number in self.groups.items()}
        return {n: int(t, self.bases[n]) if n in self.bases else t for n, t in texts.items()}

    def _parts(self, values: Mapping[str, Value]) -> Iterator[str]:
        rest = self.text
        while rest:
            if rest.startswith("{{"):
                end = rest.find("}}", 2)
                if end < 0:
                    raise PatternError("found start of regex string with no end '}}'")
                yield f"(?:{_of_posix(rest[2:end])})"
                rest = rest[end + 2 :]
            elif rest.startswith("[[") and (end := _end_of_variable(rest)) and (part := self._variable(rest[2:end], values)):
                yield part
                rest = rest[end + 2 :]
            else:
                end = min((i for i in (rest.find("{{", 1), rest.find("[[", 1)) if i > 0), default=len(rest))
                yield re.escape(rest[:end])
                rest = rest[end:]

    def _variable(self, text: str, values: Mapping[str, Value]) -> str | None:
        if text.startswith("#"):
            return self._number(text, values)
        if line := _LINE.fullmatch(text):
            return str(self.line + int(f"{line[1] or '+'}{line[2] or 0}"))
        match = _TEXT_VARIABLE.fullmatch(text)
        if match is None:
            return None
        name, expression = match.groups()
        if expression is not None:
            return f"({self._group(name)}{_of_posix(expression)})"
        return self._use(name, values)

    def _group(self, name: str) -> str:
        self.groups[name] = len(self.groups)
        return f"?P<v{self.groups[name]}>"

    def _use(self, name: str, values: Mapping[str, Value]) -> str:
        if name in self.groups:
            return f"(?P=v{self.groups[name]})"
        return re.escape(str(_value(name, values)))

    def _number(self, text: str, values: Mapping[str, Value]) -> str:
        match = _NUMBER.fullmatch(text)
        if match is None:
            raise PatternError(f"invalid numeric block '[[{text}]]'")
        alternate, precision, kind, name, _, expression = match.groups()
        kind = kind or "u"
        if expression.strip():
            number = self._sum(expression, values)
            digits = format(abs(number), kind.replace("u", "d")).rjust(int(precision or 0), "0")
            body = ("-" if number < 0 else "") + ("0x" if alternate else "") + digits
        else:
            body = ("-?" if kind == "d" else "") + _DIGITS[kind] + (f"{{{precision}}}" if precision else "+")
            body = "0x" + body if alternate else body
        if name is None:
            return body
        self.bases[name] = 16 if kind in "xX" else 10
        return f"({self._group(name)}{body})"

    def _sum(self, expression: str, values: Mapping[str, Value]) -> int:
        total, rest = 0, expression.strip()
        while rest:
            term = _TERM.match(rest)
            if term is None:
                raise PatternError(f"unsupported expression '{expression}'; sums of numbers and variables are read")
            sign, word = term.groups()
            total += (-1 if sign == "-" else 1) * self._term(word, values)
            rest = rest[term.end() :].strip()
        return total

    def _term(self, word: str, values: Mapping[str, Value]) -> int:
        if word == "@LINE":
            return self.line
        if word[0].isdigit():
            return int(word, 0)
        return int(_value(word, values))


def _value(name: str, values: Mapping[str, Value]) -> Value:
    if name not in values:
        raise PatternError(f"undefined variable: {name}")
    return values[name]


def _end_of_variable(text: str) -> int:
    """The position of the `]]` that ends a variable; 0 if there is none. Brackets in its expression nest."""
    depth, position = 0, 2
    while position < len(text):
        if text[position] == "\\":
            position += 1
        elif text[position] == "[":
            depth += 1
        elif depth == 0 and text.startswith("]]", position):
            return position
        elif text[position] == "]":
            depth -= 1
        position += 1
    return 0


def _of_posix(expression: str) -> str:
    """A POSIX extended regular expression in Python's syntax. Bracket expressions do not match the end of a line."""
    result, position = [], 0
    while position < len(expression):
        character = expression[position]
        if character == "\\":
            result.append(expression[position : position + 2])
            position += 2
        elif character == "[":
            position, part = _bracket(expression, position + 1)
            result.append(part)
        elif character == "(" and not expression.startswith("(?", position):
            result.append("(?:")
            position += 1
        else:
            result.append(character)
            position += 1
    return "".join(result)


def _bracket(expression: str, position: int) -> tuple[int, str]:
    """The position after the bracket expression whose `[` is before `position`, and the expression for `re`."""
    negated = expression.startswith("^", position)
    position += negated
    items, first = [], position
    while position < len(expression) and (expression[position] != "]" or position == first):
        if expression.startswith("[:", position) and (end := expression.find(":]", position)) > 0:
            name = expression[position + 2 : end]
            if name not in _CLASSES:
                raise PatternError(f"unknown class of characters '[:{name}:]'")
            items.append(_CLASSES[name])
            position = end + 2
        elif expression[position] == "\\":
            items.append(expression[position : position + 2])
            position += 2
        else:
            items.append("\\" + expression[position] if expression[position] in "[]" else expression[position])
            position += 1
    if position >= len(expression):
        raise PatternError("a set of characters has no end ']'")
    return position + 1, f"[{'^' if negated else ''}{''.join(items)}{chr(92) + 'n' if negated else ''}]"
