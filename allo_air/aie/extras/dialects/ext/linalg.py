"""As `aie.extras.dialects.linalg`."""

from allo_air.aie.extras.dialects.linalg import *  # noqa: F403
from allo_air.aie.extras.dialects.linalg import __all__, __getattr__  # noqa: F401
