"""The states of mlir-aie's and mlir-air's assembly, and the one that is printed, whose rules and lowerings hold."""

import os
from contextvars import ContextVar

STATES = MARCH, AUGUST = "2026-03", "2026-08"
"""The states that are read and printed, by year and month; the last is the default."""

_NAMED = os.environ.get("ALLO_AIR_SYNTAX", "")  # by `allo-env --syntax`
PRINTED: ContextVar[str] = ContextVar("allo_air_syntax", default=_NAMED if _NAMED in STATES else AUGUST)
"""The state that is asked for."""


def printed_state() -> str:
    """The state that `asm.write` prints by default: that of the innermost `printing`, otherwise the newest."""
    return PRINTED.get()
