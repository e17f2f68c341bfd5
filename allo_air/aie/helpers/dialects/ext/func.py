"""As `aie.helpers.dialects.func`."""

from allo_air.aie.helpers.dialects.func import *  # noqa: F403
from allo_air.aie.helpers.dialects.func import __all__  # noqa: F401
