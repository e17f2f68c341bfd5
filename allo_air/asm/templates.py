"""Caches rewritten lines as templates, since many lines differ only in names and numbers.

The rewriting of an operation depends on the text around its SSA values, block labels, symbols, `id` numbers and offsets other
than 0, not on these. A line is therefore reduced to its shape, the shape is rewritten once with placeholders, and later lines
of that shape fill them in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain
from typing import Any

_PARTS = re.compile(r"([%^][\w$.-]+(?:#\d+)?|@[A-Za-z_][\w$.]*|(?<!pkt_)id = \d+|#loc\d+|(?<=[ {]offset =) [1-9]\d*)")
_IN_STRING = re.compile(r'"[^"]*(?:[%^@]|id = |#loc)[^"]*"')  # may match between strings too, which costs only time
_HOLDER = re.compile(r"([%^@]?)_allo_(\d+)_|id = 77041(\d{4})|#loc77041(\d{4})|( ?)\b77042(\d{4})\b")
_HELD = {"#": "#loc77041", "i": "id = 77041", " ": " 77042"}
"""The prefix of a part's number in its place holder, by the part's first character."""
_HOLDER_MARK = "_allo_"
_NUMBER_MARKS = "77041", "77042"

Template = tuple[list[str], list[tuple[int, bool]]]
"""Fixed text around placeholders; for each placeholder, the part to insert, and whether without its first character (`@`,
space).
"""


class Templates:
    """Templates by shape; a shape maps to None where it cannot be filled in."""

    def __init__(self) -> None:
        self.known: dict[str, Template | None] = {}
        self.notes: dict[str, Any] = {}  # the caller's note for a shape, from its first line
        self.note: Any = None
        self.shape = ""  # parts of the last line

    def rewrite(self, line: str, rewrite: Callable[[str], str | None], rename: dict[str, str] | None = None) -> str | None:
        """Returns `rewrite(line)`, from a template if there is one; None if `rewrite` returns None for this shape. `rename`
        renames the values of the result.
        """
        if '"' in line and _IN_STRING.search(line):
            return None
        pieces = _PARTS.split(line)
        parts = pieces[1::2]
        shape = "\0".join(chain(pieces[::2], (part[0] for part in parts)))
        self.shape = shape
        if shape not in self.known:
            self.note = None
            self.known[shape] = self._learn(pieces, rewrite)
            if self.note:
                self.notes[shape] = self.note
        template = self.known[shape]
        if template is None:
            return None
        if rename:
            parts = [rename.get(part, part) for part in parts]
        fixed, places = template
        out = [fixed[0]]
        for text, (place, bare) in zip(fixed[1:], places, strict=True):
            out += (parts[place][1:] if bare else parts[place], text)
        return "".join(out)

    @staticmethod
    def _learn(pieces: list[str], rewrite: Callable[[str], str | None]) -> Template | None:
        if any(mark in piece for mark in (_HOLDER_MARK, *_NUMBER_MARKS) for piece in pieces):
            return None
        sample = pieces.copy()
        for index in range(1, len(pieces), 2):
            number, first = index // 2, pieces[index][0]
            sample[index] = f"{first}_allo_{number}_" if first in "%^@" else f"{_HELD[first]}{number:04}"
        done = rewrite("".join(sample))
        if done is None:
            return None
        fixed, places, start = [], [], 0
        for match in _HOLDER.finditer(done):
            fixed.append(done[start : match.start()])
            places.append((int(match[2] or match[3] or match[4] or match[6]), "" in (match[1], match[5])))
            start = match.end()
        fixed.append(done[start:])
        if any(mark in text for mark in _NUMBER_MARKS for text in fixed):  # a number is no longer next to its name
            return None
        return fixed, places
