"""Lexical pieces of MLIR text: patterns, balanced brackets, lists split at top level, and the cursor that parsers move."""

from __future__ import annotations

import re

SKIP = r"\s*(?://[^\n]*\s*)*"
"""White space and comments."""

VALUE = r"%(?:\d+|[A-Za-z$._-][\w$.-]*)(?:#\d+)?"
"""An SSA value."""

_NUMBERS = re.compile(r'"0x[0-9A-Fa-f]*"')

IDENTIFIER = r"[A-Za-z_][\w$.]*"
STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'

_BRACKETS = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\n]*|->|[<>=]=|[<({\[]|[>)}\]]')
_TOP = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\n]*|->|[<>=]=|[<({\[]|[>)}\]]|,')
_CLOSER = {"<": ">", "(": ")", "{": "}", "[": "]"}
_WORD = re.compile(SKIP + r"([!#]?[A-Za-z_][\w$.-]*|[!#]\d+)")
_ENTRY = re.compile(r'\s*([A-Za-z_][\w$.-]*|"[^"\\\n]*(?:\\.[^"\\\n]*)*")\s*(?:=\s*(.*))?\Z', re.DOTALL)
_SKIP = re.compile(SKIP)
_VALUE = re.compile(SKIP + f"({VALUE})")
PLAIN_VALUE = re.compile(VALUE)
SYMBOL = re.compile(SKIP + r'(@(?:[A-Za-z_][\w$.]*|"(?:[^"\\]|\\.)*"))')
INTEGER = re.compile(SKIP + r"(-?(?:0x[0-9a-fA-F]{1,64}|\d{1,64}))(?![\w.])")  # too many digits for any integer type
_COMMENT = re.compile(r'("[^"\\\n]*(?:\\.[^"\\\n]*)*")|//[^\n]*')


class Failure(Exception):
    """Raised for unreadable text; `pos` is an offset into it."""

    def __init__(self, pos: int, message: str) -> None:
        super().__init__(message)
        self.pos = pos
        self.message = message


def closing_offset(text: str, pos: int) -> int:
    """The offset after the bracket that closes the one at `pos`, else Failure."""
    stack = [_CLOSER[text[pos]]]
    for match in _BRACKETS.finditer(text, pos + 1):
        token = match[0]
        if token in _CLOSER:
            stack.append(_CLOSER[token])
        elif token == stack[-1]:
            stack.pop()
            if not stack:
                return match.end()
        elif token in ")}]":
            raise Failure(match.start(), f"expected '{stack[-1]}' before '{token}'")
    raise Failure(pos, f"expected '{_CLOSER[text[pos]]}' to close this '{text[pos]}'")


def without_comments(text: str) -> str:
    """`text` with spaces instead of its comments."""
    return _COMMENT.sub(lambda m: m[1] or " " * len(m[0]), text)


def split_top(text: str) -> list[str]:
    """The pieces of `text` between its top-level commas, stripped and without comments; no pieces for blank text."""
    if "//" in text:
        text = without_comments(text)
    if not text.strip():
        return []
    if not any(c in text for c in '"<({['):
        return [piece.strip() for piece in text.split(",")]
    pieces, start, depth = [], 0, 0
    for match in _TOP.finditer(text):
        token = match[0]
        if token in _CLOSER:
            depth += 1
        elif token in (">", ")", "}", "]"):
            depth -= 1
        elif token == "," and depth == 0:
            pieces.append(text[start : match.start()].strip())
            start = match.end()
    pieces.append(text[start:].strip())
    return pieces


def entries(text: str) -> dict[str, str | None]:
    """The entries of an attribute dictionary's inside, names to value text; None for unit attributes."""
    if "//" in text:
        text = without_comments(text)
    results: dict[str, str | None] = {}
    for piece in split_top(text):
        match = _ENTRY.match(piece)
        if match is None:
            raise ValueError(f"expected 'name = value' in the attribute dictionary, found '{piece}'")
        name = match[1]
        if name[0] == '"' and re.fullmatch(IDENTIFIER, name[1:-1]):
            name = name[1:-1]
        if name in results:
            raise ValueError(f"attribute '{name}' occurs more than once")
        results[name] = match[2]
    return results


def integer(text: str) -> int:
    """The integer that MLIR reads in `text`, decimal (also with leading zeros) or hexadecimal."""
    return int(text, 16 if "x" in text else 10)


class Cursor:
    """A position in MLIR text. Each method skips white space and comments and reads one element, or fails."""

    __slots__ = ("pos", "text")

    def __init__(self, text: str, pos: int = 0) -> None:
        self.text = text
        self.pos = pos

    def skip(self) -> int:
        self.pos = _SKIP.match(self.text, self.pos).end()  # type: ignore[union-attr]
        return self.pos

    def take(self, pattern: re.Pattern[str]) -> str | None:
        """Group 1 of `pattern` (which begins with SKIP) if it matches here."""
        match = pattern.match(self.text, self.pos)
        if match is None:
            return None
        self.pos = match.end()
        return match[1]

    def accept(self, literal: str) -> bool:
        """Consumes `literal` if it comes next; a word must match completely."""
        pos = _SKIP.match(self.text, self.pos).end()  # type: ignore[union-attr]
        if not self.text.startswith(literal, pos):
            return False
        end = pos + len(literal)
        if literal[-1].isalnum() and end < len(self.text) and (self.text[end].isalnum() or self.text[end] in "_$."):
            return False
        self.pos = end
        return True

    def expect(self, literal: str) -> None:
        if not self.accept(literal):
            raise self.failure(f"expected '{literal}'")

    def peek(self) -> str:
        """The next character that is not white space; empty at the end."""
        pos = _SKIP.match(self.text, self.pos).end()  # type: ignore[union-attr]
        return self.text[pos : pos + 1]

    def failure(self, message: str) -> Failure:
        pos = self.skip()
        line = self.text[pos : pos + 24].split("\n", 1)[0]
        text = f"'{line}'" if line else ("end of line" if pos < len(self.text) else "end of file")
        return Failure(pos, f"{message}, found {text}")

    def value(self) -> str:
        value = self.take(_VALUE)
        if value is None:
            raise self.failure("expected an SSA value")
        return value

    def balanced(self, opening: str = "<({[") -> str:
        """A bracketed piece, brackets included, that begins with one of the characters in `opening`."""
        pos = self.skip()
        if pos >= len(self.text) or self.text[pos] not in opening:
            raise self.failure(f"expected '{opening}'" if len(opening) == 1 else "expected a bracket")
        self.pos = closing_offset(self.text, pos)
        result = self.text[pos : self.pos]
        return without_comments(result) if "//" in result else result

    def type(self) -> str:
        """A type, as text."""
        start = self.skip()
        if self.peek() == "(":
            self.balanced()
            if self.accept("->"):
                self.type()
        elif self.take(_WORD) is None:
            raise self.failure("expected a type")
        elif self.text.startswith("<", self.pos):
            self.pos = closing_offset(self.text, self.pos)
        result = self.text[start : self.pos]
        return without_comments(result) if "//" in result else result

    def attribute(self) -> str:
        """An attribute up to a top-level `,`, a closing bracket, `loc(` or the end of the line, as text."""
        start = self.skip()
        if self.peek() == "[":
            return self.balanced()
        while self.pos < len(self.text):
            char = self.text[self.pos]
            if char in ",)]}>\n" or (char == "=" and self.text[self.pos : self.pos + 2] != "=="):
                break
            if self.text.startswith(("//", "loc("), self.pos):
                break
            if char in "<({[":
                self.pos = closing_offset(self.text, self.pos)
            elif char == '"':
                match = re.compile(STRING).match(self.text, self.pos)
                if match is None:
                    raise Failure(self.pos, "expected '\"' to close this string")
                self.pos = match.end()
            else:
                self.pos += 2 if self.text.startswith(("->", ">=", "<="), self.pos) else 1
        attribute = self.text[start : self.pos].rstrip()
        if not attribute:
            raise self.failure("expected an attribute")
        return attribute


def without_numbers(text: str) -> str:
    """`text` without its resources, and without numbers in strings: weights, which may be most of the text and contain no
    keywords."""
    text = text[: resources_at(text)]
    return _NUMBERS.sub('""', text) if '"0x' in text else text


def resources_at(text: str) -> int:
    """The offset of the resources at the end of the text, as MLIR prints them; the text's length without resources."""
    end = text.rfind("\n#-}")
    position = text.rfind("\n{-#", 0, end) if end >= 0 else -1
    return len(text) if position < 0 or text[end + 4 :].strip() else position
