"""The script of a core: its work for forwarded streams (see `forwarding`)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Act:
    """One act: the core sends a block of `stream` over link `onward`. It is the block that it stored as `token`, or the next
    block of link `source`.
    """

    stream: str
    onward: str
    token: int | None = None
    source: str = ""


@dataclass
class Script:
    """The work of a core for forwarded streams. Keys are positions in its sequence of puts and gets."""

    acts: dict[int, list[Act]] = field(default_factory=dict)
    """The acts before the put or get at a position."""
    puts: dict[int, str] = field(default_factory=dict)
    """For a put: the link that carries it."""
    tokens: dict[int, int] = field(default_factory=dict)
    """For a put whose block the core stores until the receiver gets it: the token."""
    gets: dict[int, str] = field(default_factory=dict)
    """For a get: the link that it comes from."""
