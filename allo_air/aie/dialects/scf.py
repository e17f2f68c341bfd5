"""The dialect scf, as the extras have it."""

from allo_air.aie.building.upstream import forwarded
from allo_air.aie.extras.dialects.scf import *  # noqa: F403
from allo_air.aie.extras.dialects.scf import __all__  # noqa: F401

__getattr__ = forwarded("scf")
