"""A defect of a design: its code, place, fix and explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air import codes
from allo_air.errors import Diagnostic, Severity, placeless

Place = tuple[int, int]
"""Column, row."""


@dataclass(frozen=True)
class Finding:
    """One defect of the design, which occurred `count` times, first in `cycle`.

    `kind` is one of the engine's (`uninitialized-read`, `out-of-buffer`, `data-race`, `lock-overflow`, `lock-underflow`,
    `unconsumed-stream-data`, `channel-misuse`, `sync-without-end`, `host-out-of-bounds`, `bad-instruction`, `deadlock`, ...),
    `limit` for a run that took longer than `max_cycles`, one about results (`overlapping-results`, `unwritten-results`,
    `wrong-result`), or `core-code` for code that hardware would compute differently. `tile` is the tile where it occurred,
    `unit` its module (`core`, `dma`, ...).
    """

    kind: str
    cycle: int
    tile: Place | None
    unit: str
    channel: str
    lock: str
    buffer: str
    diagnostic: Diagnostic
    count: int = 1
    holders: tuple[str, ...] = ()
    """The holders of the awaited resources, a sentence each."""

    @property
    def code(self) -> str:
        """The stable code, a name of `allo_air.codes`."""
        return self.diagnostic.code or codes.code_of(self.kind)

    @property
    def cure(self) -> str:
        """The advice for this case, else the one in the table of codes."""
        return self.diagnostic.cure or codes.find(self.code).cure

    @property
    def verdict(self) -> codes.Verdict:
        """The verdict on the design that follows from the finding."""
        verdict = codes.find(self.code).verdict
        if self.is_error or verdict in ("right", "undecided"):
            return verdict
        return {"wrong": "may be wrong", "hangs": "may hang"}.get(verdict, verdict)  # type: ignore[return-value]

    @property
    def is_error(self) -> bool:
        """Whether the design is certainly wrong; a warning may report intended behaviour."""
        return self.diagnostic.severity == "error"

    @property
    def message(self) -> str:
        """The message and the advice, with its notes, a line each."""
        return "\n".join([self.diagnostic.message, *map(str, self.diagnostic.notes)])

    @property
    def line(self) -> int:
        """Line in the source, 0 if unknown."""
        return self.diagnostic.line

    def as_dict(self) -> dict[str, Any]:
        """Everything as numbers and text, for JSON."""
        diagnostic = self.diagnostic
        return {
            "code": self.code, "severity": diagnostic.severity, "verdict": self.verdict, "message": diagnostic.message,
            "file": diagnostic.file, "line": diagnostic.line, "column": diagnostic.column,
            "cure": self.cure, "holders": list(self.holders),
            "story": [note.message for note in diagnostic.notes], "kind": self.kind, "cycle": self.cycle, "tile": self.tile,
            "unit": self.unit, "channel": self.channel, "lock": self.lock, "buffer": self.buffer, "count": self.count,
        }  # fmt: skip

    def __str__(self) -> str:
        return "\n".join([str(self.diagnostic), *(f"  {note}" for note in self.diagnostic.notes)])


def make_finding(
    code: str,
    message: str,
    source_position: tuple[str, int, int] = ("", 0, 0),
    *,
    cure: str = "",
    story: Sequence[str] = (),
    holders: Sequence[str] = (),
    severity: Severity | None = None,
    kind: str = "",
    cycle: int = 0,
    tile: Place | None = None,
    unit: str = "",
    channel: str = "",
    lock: str = "",
    buffer: str = "",
) -> Finding:
    """Creates a finding from its code, at `file, line, column`. `message` is its headline, `story` the explanation, one line
    each.

    `kind` is the engine's name for it, if there is one.
    """
    severity = severity or codes.find(code).severity
    notes = tuple(placeless("note", line) for line in (*holders, *story))
    diagnostic = Diagnostic(severity, *source_position, f"{kind or code}: {message}", notes, code, cure)
    return Finding(kind or code, cycle, tile, unit, channel, lock, buffer, diagnostic, holders=tuple(holders))
