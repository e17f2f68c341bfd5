"""The state of the peers' assembly that is printed. Both are read, independently of this setting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from allo_air.dialects.states import AUGUST, PRINTED, STATES
from allo_air.errors import AlloAirError, nearest, suggestion

DEFAULT = AUGUST


def checked_state(state: str) -> str:
    """`state`, if there is one called so; AlloAirError otherwise."""
    if state not in STATES:
        near = suggestion(tuple(nearest(state, STATES)))
        raise AlloAirError(f"there is no syntax '{state}'{near}; there are: {', '.join(STATES)}")
    return state


@contextmanager
def printing(state: str | None) -> Iterator[None]:
    """Inside, `write` prints in `state`; as around it where that is None. Raises AlloAirError for an unknown state."""
    token = PRINTED.set(PRINTED.get() if state is None else checked_state(state))
    try:
        yield
    finally:
        PRINTED.reset(token)
