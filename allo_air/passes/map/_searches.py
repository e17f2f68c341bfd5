"""Results of searches, so that these are not repeated, and another process may do them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SEARCHES: dict[tuple[object, ...], Any] = {}
"""Results by a name of the search and everything on which they depend. They are not changed in place."""
_MOST = 4096


def once(key: tuple[object, ...], search: Callable[[], Any]) -> Any:
    """The result of `search`, whose name and arguments are `key`; from an earlier one if there was one."""
    if key not in SEARCHES:
        result = search()
        if len(SEARCHES) >= _MOST:
            del SEARCHES[next(iter(SEARCHES))]
        SEARCHES[key] = result
    return SEARCHES[key]
