"""The syntax state that is printed, of the peers' two. Both are read, independently of this setting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from allo_air.dialects.states import AUGUST, PRINTED, STATES
from allo_air.errors import OptionError, nearest, suggestion

DEFAULT = AUGUST


def checked_state(state: str) -> str:
    """`state`, if it is a known syntax state; OptionError otherwise."""
    if state not in STATES:
        near = suggestion(tuple(nearest(state, STATES)))
        raise OptionError(f"there is no syntax '{state}'{near}; there are: {', '.join(STATES)}")
    return state


@contextmanager
def printing(state: str | None) -> Iterator[None]:
    """Makes `write` print in `state` inside the `with` block; None changes nothing. Raises OptionError for an unknown
    state."""
    token = PRINTED.set(PRINTED.get() if state is None else checked_state(state))
    try:
        yield
    finally:
        PRINTED.reset(token)
