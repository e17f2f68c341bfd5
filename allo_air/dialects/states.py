"""The syntax states of mlir-aie's and mlir-air's assembly, and the current one, which also selects rules and lowerings."""

import os
from contextvars import ContextVar

STATES = MARCH, AUGUST = "2026-03", "2026-08"
"""The states that are read and printed, by year and month; the last is the default."""

_NAMED = os.environ.get("ALLO_AIR_SYNTAX", "")  # set by `allo-env --syntax`
PRINTED: ContextVar[str] = ContextVar("allo_air_syntax", default=_NAMED if _NAMED in STATES else AUGUST)
"""The requested state, if any."""


def printed_state() -> str:
    """The state that `asm.write` prints by default: that of the innermost `printing`, otherwise the newest."""
    return PRINTED.get()
