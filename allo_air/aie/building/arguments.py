"""Checks keyword arguments that a function does not declare."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from allo_air.aie.building.errors import IronMissing, IronTypeError


def refuse(
    keywords: Mapping[str, object], who: str, ignored: Collection[str] = (), missing: Mapping[str, str] | None = None
) -> None:
    """Raises an error for unknown arguments, and for unsupported ones (`missing`) with the reason; arguments in `ignored`
    have no effect."""
    reasons = missing or {}
    for name, value in keywords.items():
        if name in reasons:
            if value:
                raise IronMissing(f"{who}: {name} is not supported: {reasons[name]}")
        elif name not in ignored:
            raise IronTypeError(f"{who} has no argument '{name}'")
