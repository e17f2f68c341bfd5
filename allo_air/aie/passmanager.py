"""`PassManager`, as `air.passmanager` has it."""

from allo_air.air.passmanager import PassManager

__all__ = ["PassManager"]
