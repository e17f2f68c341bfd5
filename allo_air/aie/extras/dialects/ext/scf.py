"""As `aie.extras.dialects.scf`."""

from allo_air.aie.extras.dialects.scf import *  # noqa: F403
from allo_air.aie.extras.dialects.scf import __all__, __getattr__  # noqa: F401
