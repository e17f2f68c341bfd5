"""As `aie.extras.dialects.tensor`."""

from allo_air.aie.extras.dialects.tensor import *  # noqa: F403
from allo_air.aie.extras.dialects.tensor import __all__, __getattr__  # noqa: F401
