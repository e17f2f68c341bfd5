"""As `aie.extras.dialects.affine`."""

from allo_air.aie.extras.dialects.affine import *  # noqa: F403
from allo_air.aie.extras.dialects.affine import __all__, __getattr__  # noqa: F401
