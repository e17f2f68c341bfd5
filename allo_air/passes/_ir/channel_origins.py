"""The program's name for a channel that a pass has made. It is stored in the channel's location, for error messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from allo_air.core.diagnostics import position
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.mlir import AnyOp, ir

_MARK = "channel of "
_NAMED = re.compile(r"'@([\w$.-]+)'(\[[\d, ]*\])?")


def from_copy(copy: ir.Operation) -> ir.Location:
    """The location of a channel that replaces `copy`."""
    return ir.Location.name(f"{_MARK}the {copy.name}", copy.location)


def from_channel(channel: AnyOp) -> ir.Location:
    """The location of a channel that replaces `channel`, or a part of it."""
    if _origin(channel.location):
        return channel.location
    return ir.Location.name(f"{_MARK}'@{channel.attributes['sym_name'].value}'", channel.location)


def _origin(location: ir.Location) -> str:
    name = location.name_str if isinstance(location, ir.NameLoc) else ""
    return name.removeprefix(_MARK) if name.startswith(_MARK) else ""


@contextmanager
def naming_origins(module: AnyOp) -> Iterator[None]:
    """A context in which errors name the program's channels instead of channels that passes created."""
    channels = walk_named(module, "air.channel")
    origins = {sym_name_of(c): f"{o}{_line(c)}" for c in channels if (o := _origin(c.location))}
    try:
        yield
    except DiagnosticError as error:
        if not origins:
            raise
        raise DiagnosticError([_with_origins(d, origins) for d in error.diagnostics]) from error


def _line(channel: ir.Operation) -> str:
    _, line, _ = position(channel.location)
    return f" in line {line}" if line else ""


def _with_origins(diagnostic: Diagnostic, origins: dict[str, str]) -> Diagnostic:
    def text(match: re.Match[str]) -> str:
        return f"channel {match[2] or ''} of {origins[match[1]]}".replace("  ", " ") if match[1] in origins else match[0]

    return replace(diagnostic, message=_NAMED.sub(text, diagnostic.message))
