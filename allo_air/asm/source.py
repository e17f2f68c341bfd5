"""From a place in rewritten text back to the user's, and MLIR's diagnostics as ours."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from allo_air.asm.reader import Reader
from allo_air.errors import Diagnostic

_SEE_CURRENT = re.compile(r"\Asee current operation:")


class SourceMap:
    """Maps line and column of the rewritten text to the text that was read."""

    def __init__(self, reader: Reader, chunks: list[Any]) -> None:
        self.reader = reader
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
        if (line, column) in self.explicit or not 1 <= line <= len(self.lines):
            return line, column
        offset = self.lines[line - 1] + max(column - 1, 0)
        index = bisect_right(self.starts, offset) - 1
        if index < 0:
            return line, column
        source, length = self.sources[index]
        return self.reader.line_column(source + min(offset - self.starts[index], max(length - 1, 0)))


def diagnostics(error: Any, filename: str, source_map: SourceMap | None = None) -> tuple[Diagnostic, ...]:
    """The diagnostics of an MLIRError."""
    return tuple(_diagnostic(d, filename, source_map) for d in error.error_diagnostics) or (
        Diagnostic("error", filename, 1, 1, str(error).strip()),
    )


def _diagnostic(found: Any, filename: str, source_map: SourceMap | None) -> Diagnostic:
    file, line, column = _where(found.location)
    if source_map is not None and file in ("-", "", filename):
        line, column = source_map.place(line, column)
        file = filename
    severity = str(found.severity).rsplit(".", 1)[-1].lower()
    notes = tuple(_diagnostic(note, filename, source_map) for note in found.notes if not _SEE_CURRENT.match(note.message))
    return Diagnostic(severity, file or filename, line, column, str(found.message), notes)


def _where(location: Any) -> tuple[str, int, int]:
    match = re.search(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)', str(location))
    return (match[1], int(match[2]), int(match[3])) if match else ("", 1, 1)
