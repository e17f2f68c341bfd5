"""Which state of the peers' assembly is printed. Both are read, whatever this says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from allo_air.dialects._op import STATES
from allo_air.errors import AlloAirError, nearest, suggestion

MARCH, AUGUST = STATES
DEFAULT = AUGUST
_NAMED = os.environ.get("ALLO_AIR_SYNTAX", "")  # by `allo-env --syntax`
_PRINTED: ContextVar[str] = ContextVar("allo_air_syntax", default=_NAMED if _NAMED in STATES else DEFAULT)


def printed_state() -> str:
    """The state that `write` prints where it is not told: the one of the innermost `printing`, else the newest."""
    return _PRINTED.get()


def checked_state(state: str) -> str:
    """`state`, if there is one called so; AlloAirError otherwise."""
    if state not in STATES:
        near = suggestion(tuple(nearest(state, STATES)))
        raise AlloAirError(f"there is no syntax '{state}'{near}; there are: {', '.join(STATES)}")
    return state


@contextmanager
def printing(state: str | None) -> Iterator[None]:
    """Inside, `write` prints in `state`; as around it where that is None. Raises AlloAirError for an unknown state."""
    token = _PRINTED.set(_PRINTED.get() if state is None else checked_state(state))
    try:
        yield
    finally:
        _PRINTED.reset(token)
