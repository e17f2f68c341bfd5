"""A class and a function for each operation of `airrt`, the run-time operations: metadata, loads, transfers, waits."""

from allo_air.air.dialects._operations import operations
from allo_air.dialects import airrt as _airrt  # noqa: F401  declares them

_MADE = operations("airrt")
globals().update(_MADE)
__all__ = sorted(_MADE)
