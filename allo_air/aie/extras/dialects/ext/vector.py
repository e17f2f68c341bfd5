"""As `aie.extras.dialects.vector`."""

from allo_air.aie.extras.dialects.vector import *  # noqa: F403
from allo_air.aie.extras.dialects.vector import __all__, __getattr__  # noqa: F401
