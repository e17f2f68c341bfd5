"""`@func`: Python functions of buffers and scalars that cores call as functions of the device."""

from allo_air.aie.building.functions import call
from allo_air.aie.building.python_functions import func

__all__ = ["call", "func"]
