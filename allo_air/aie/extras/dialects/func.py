"""Functions of the device, from Python functions, and calls."""

from allo_air.aie.building.functions import call  # noqa: F401
from allo_air.aie.building.python_functions import func  # noqa: F401
from allo_air.aie.building.upstream import forwarded, names

__getattr__ = forwarded("func")
__all__ = sorted({"call", "func", *names("func")})
