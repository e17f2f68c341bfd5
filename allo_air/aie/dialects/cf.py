"""The dialect cf, as the extras have it."""

from allo_air.aie.building.upstream import forwarded
from allo_air.aie.extras.dialects.cf import *  # noqa: F403
from allo_air.aie.extras.dialects.cf import __all__  # noqa: F401

__getattr__ = forwarded("cf")
