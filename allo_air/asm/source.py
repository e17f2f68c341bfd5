"""Maps positions in rewritten text back to the user's text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from allo_air.asm.reader import Reader
from allo_air.errors import Diagnostic

_TOKEN = re.compile(r"[%^@][\w$.#-]+|[!#]?[A-Za-z_][\w$.-]*|\d{2,}")


class SourceMap:
    """Maps line and column of the rewritten text to the original text; computed at the first query."""

    def __init__(self, reader: Reader, chunks: Sequence[int | str]) -> None:
        self.reader = reader
        self.head = 0  # characters inserted before the first line
        self.chunks = chunks
        self.rewritten = "".join(chunk for chunk in chunks if isinstance(chunk, str))

    @cached_property
    def sources(self) -> list[tuple[int, int, int]]:
        """For each piece of the rewritten text: its start, its source offset, and its length if it was copied from there."""
        sources = []
        offset = source = 0
        for chunk in self.chunks:
            if isinstance(chunk, int):
                source = chunk
            elif chunk:
                copied = self.reader.text.startswith(chunk, source)
                sources.append((offset, source, len(chunk) if copied else 0))
                offset += len(chunk)
        return sources

    @cached_property
    def lines(self) -> list[int]:
        """The offset at which each line of the rewritten text starts."""
        return [0, *(m.end() for m in re.finditer("\n", self.rewritten))]

    @cached_property
    def explicit(self) -> set[tuple[int, int]]:
        """Lines and columns in locations of the rewritten text, which already refer to the user's text."""
        return {(int(m[1]), int(m[2])) for m in re.finditer(r'"[^"\n]*":(\d+):(\d+)\)', self.rewritten)}

    def place(self, line: int, column: int) -> tuple[int, int]:
        """The user's line and column."""
        if (line, column) in self.explicit:
            return line, column
        if line == 1:
            column = max(column - self.head, 1)
        if line > len(self.lines):
            return self.reader.line_column(len(self.reader.text))
        offset = self.lines[line - 1] + max(column - 1, 0)
        index = bisect_right(self.sources, offset, key=lambda piece: piece[0]) - 1
        if index < 0:
            return line, column
        start, source, length = self.sources[index]
        if not length:
            return self.reader.line_column(self._token(offset, index))
        return self.reader.line_column(source + min(offset - start, max(length - 1, 0)))

    def _token(self, offset: int, index: int) -> int:
        """The source offset of the token at `offset` of a rewritten operation; that of the operation if the token is
        not in the source.
        """
        start, source, _ = self.sources[index]
        match = _TOKEN.match(self.rewritten, offset)
        if match is None:
            return source
        end = min(
            (later for _, later, _ in self.sources[index + 1 : index + 9] if later > source), default=len(self.reader.text)
        )
        pattern = re.compile(rf"//[^\n]*|({re.escape(match[0])})(?![\w$.-])")
        before = sum(bool(m[1]) for m in pattern.finditer(self.rewritten, start, offset))
        places = [m.start() for m in pattern.finditer(self.reader.text, source, end) if m[1]]
        return places[min(before, len(places) - 1)] if places else source

    def restore(self, diagnostic: Diagnostic, filename: str) -> Diagnostic:
        """A diagnostic about the rewritten text, moved to the user's position."""
        notes = tuple(self.restore(note, filename) for note in diagnostic.notes)
        if diagnostic.file not in ("-", "", filename):
            return replace(diagnostic, notes=notes)
        line, column = self.place(diagnostic.line, diagnostic.column)
        return Diagnostic(diagnostic.severity, filename, line, column, diagnostic.message, notes)
