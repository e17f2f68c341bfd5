"""What a core does to forward streams (see `forwarding`)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Act:
    """A core sends a block of `stream` over link `onward`: the block that it stored as `token`, or the next one of link
    `source`.
    """

    stream: str
    onward: str
    token: int | None = None
    source: str = ""


@dataclass
class Script:
    """The work of a core for forwarded streams. Keys are positions in the core's sequence of puts and gets."""

    acts: dict[int, list[Act]] = field(default_factory=dict)
    """The acts before the put or get at a position."""
    puts: dict[int, str] = field(default_factory=dict)
    """The link to which a put goes."""
    tokens: dict[int, int] = field(default_factory=dict)
    """The token of a put whose block the core stores until the receiver gets it."""
    gets: dict[int, str] = field(default_factory=dict)
    """The link from which a get comes."""
