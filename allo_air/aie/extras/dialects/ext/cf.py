"""As `aie.extras.dialects.cf`."""

from allo_air.aie.extras.dialects.cf import *  # noqa: F403
from allo_air.aie.extras.dialects.cf import __all__, __getattr__  # noqa: F401
