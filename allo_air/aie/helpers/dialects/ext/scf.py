"""As `aie.helpers.dialects.scf`."""

from allo_air.aie.helpers.dialects.scf import *  # noqa: F403
from allo_air.aie.helpers.dialects.scf import (
    __all__,  # noqa: F401
    _for,  # noqa: F401
)
