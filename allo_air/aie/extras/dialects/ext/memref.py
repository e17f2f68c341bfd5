"""As `aie.extras.dialects.memref`."""

from allo_air.aie.extras.dialects.memref import *  # noqa: F403
from allo_air.aie.extras.dialects.memref import __all__, __getattr__  # noqa: F401
