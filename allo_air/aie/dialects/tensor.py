"""The dialect tensor, as the extras have it."""

from allo_air.aie.building.upstream import forwarded
from allo_air.aie.extras.dialects.tensor import *  # noqa: F403
from allo_air.aie.extras.dialects.tensor import __all__  # noqa: F401

__getattr__ = forwarded("tensor")
