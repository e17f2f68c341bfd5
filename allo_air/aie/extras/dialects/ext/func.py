"""As `aie.extras.dialects.func`."""

from allo_air.aie.extras.dialects.func import *  # noqa: F403
from allo_air.aie.extras.dialects.func import __all__, __getattr__  # noqa: F401
