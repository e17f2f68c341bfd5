"""Names of declarations, from the source line `A = air.tensor(...)`; only messages and tuners use them."""

from __future__ import annotations

import linecache
import re

from allo_air.air.api.errors import TypeError, user_place


def given_name(name: object, who: str, otherwise: str | None = None) -> str | None:
    """`name`, or `otherwise` if it is None or empty; TypeError if it is not a string."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"{who}: name is {name!r}, expected a string")
    return name or otherwise


def assigned_name(function: str) -> str | None:
    """The variable that the user's line assigns the result of `function` to, if it has a single call."""
    file, line = user_place()
    if len(re.findall(rf"\b{function}\(", linecache.getline(file, line))) > 1:
        return None
    match = re.match(rf"\s*(\w+)\s*(?::[^=]+)?=\s*(?:[\w.]+\.)?{function}\(", linecache.getline(file, line))
    return match[1] if match else None


def loop_name() -> str | None:
    """The variable of the `for` in the user's line."""
    file, line = user_place()
    match = re.match(r"\s*for\s+(\w+)\s+in\b", linecache.getline(file, line))
    return match[1] if match else None
