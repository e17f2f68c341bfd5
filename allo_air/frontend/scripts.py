"""The work of a core for streams that it forwards."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Act:
    """Sends a block of `stream` over link `onward`: the stored block `token`, or the next one from link `source`."""

    stream: str
    onward: str
    token: int | None = None
    source: str = ""


@dataclass
class Script:
    """The work of a core for forwarded streams: acts before its events, by number, and its own puts and gets of them."""

    acts: dict[int, list[Act]] = field(default_factory=dict)
    puts: dict[int, str] = field(default_factory=dict)
    """The link for a put."""
    tokens: dict[int, int] = field(default_factory=dict)
    """The token of a put's block, which is kept until its receiver asks for it."""
    gets: dict[int, str] = field(default_factory=dict)
    """The link for a get."""
