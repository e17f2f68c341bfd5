"""`aie.extras.dialects.scf`."""

from allo_air.aie.extras.dialects.scf import _for, else_, for_, if_, range_, yield_

__all__ = ["_for", "else_", "for_", "if_", "range_", "yield_"]
