"""From a place in rewritten text back to the user's."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import Any

from allo_air.asm.reader import Reader
from allo_air.errors import Diagnostic

_TOKEN = re.compile(r"[%^@][\w$.#-]+|[!#]?[A-Za-z_][\w$.-]*|\d{2,}")


class SourceMap:
    """Maps line and column of the rewritten text to the text that was read."""

    def __init__(self, reader: Reader, chunks: list[Any]) -> None:
        self.reader = reader
        self.head = 0  # characters put before the first line
        self.starts: list[int] = []  # offsets in the rewritten text, ascending
        self.sources: list[tuple[int, int]] = []  # the source offset and the length of the text copied from there
        offset = 0
        source = 0
        pieces = []
        for chunk in chunks:
            if isinstance(chunk, int):
                source = chunk
                continue
            if not chunk:
                continue
            self.starts.append(offset)
            copied = reader.text.startswith(chunk, source)
            self.sources.append((source, len(chunk) if copied else 0))
            pieces.append(chunk)
            offset += len(chunk)
        self.rewritten = "".join(pieces)
        self.lines = [0, *(m.end() for m in re.finditer("\n", self.rewritten))]
        self.explicit = {(int(m[1]), int(m[2])) for m in re.finditer(r' loc\("[^"\n]*":(\d+):(\d+)\)', self.rewritten)}

    def place(self, line: int, column: int) -> tuple[int, int]:
        """The user's line and column."""
        if (line, column) in self.explicit:
            return line, column
        if line == 1:
            column = max(column - self.head, 1)
        if line > len(self.lines):
            return self.reader.line_column(len(self.reader.text))
        offset = self.lines[line - 1] + max(column - 1, 0)
        index = bisect_right(self.starts, offset) - 1
        if index < 0:
            return line, column
        source, length = self.sources[index]
        if not length:
            return self.reader.line_column(self._token(offset, index))
        return self.reader.line_column(source + min(offset - self.starts[index], max(length - 1, 0)))

    def _token(self, offset: int, index: int) -> int:
        """Where the token at `offset` of a rewritten operation was written; where the operation begins, if it was not."""
        source = self.sources[index][0]
        match = _TOKEN.match(self.rewritten, offset)
        if match is None:
            return source
        end = min((later for later, _ in self.sources[index + 1 :][:8] if later > source), default=len(self.reader.text))
        wanted = re.compile(rf"//[^\n]*|({re.escape(match[0])})(?![\w$.-])")
        before = sum(bool(m[1]) for m in wanted.finditer(self.rewritten, self.starts[index], offset))
        places = [m.start() for m in wanted.finditer(self.reader.text, source, end) if m[1]]
        return places[min(before, len(places) - 1)] if places else source

    def restore(self, found: Diagnostic, filename: str) -> Diagnostic:
        """A diagnostic about the rewritten text, at the user's place."""
        notes = tuple(self.restore(note, filename) for note in found.notes)
        if found.file not in ("-", "", filename):
            return replace(found, notes=notes)
        line, column = self.place(found.line, found.column)
        return Diagnostic(found.severity, filename, line, column, found.message, notes)
