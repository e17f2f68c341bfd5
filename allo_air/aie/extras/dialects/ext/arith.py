"""As `aie.extras.dialects.arith`."""

from allo_air.aie.extras.dialects.arith import *  # noqa: F403
from allo_air.aie.extras.dialects.arith import __all__, __getattr__  # noqa: F401
