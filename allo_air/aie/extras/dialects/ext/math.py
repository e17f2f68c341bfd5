"""As `aie.extras.dialects.math`."""

from allo_air.aie.extras.dialects.math import *  # noqa: F403
from allo_air.aie.extras.dialects.math import __all__, __getattr__  # noqa: F401
