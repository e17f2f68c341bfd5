"""Arguments that a call is given beside those that it has."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from allo_air.aie.building.errors import IronMissing, IronTypeError


def refuse(
    keywords: Mapping[str, object], who: str, ignored: Collection[str] = (), missing: Mapping[str, str] | None = None
) -> None:
    """Refuses unknown arguments, and unsupported ones (`missing`) with the reason; the simulator ignores those `ignored`."""
    reasons = missing or {}
    for name, value in keywords.items():
        if name in reasons:
            if value:
                raise IronMissing(f"{who}: {name} is not supported: {reasons[name]}")
        elif name not in ignored:
            raise IronTypeError(f"{who} has no argument '{name}'")
