"""Loops and branches, by the names of IRON's helpers."""

from allo_air.aie.helpers.dialects.scf import _for, else_, if_, range_, yield_

__all__ = ["_for", "else_", "for_", "if_", "range_", "yield_"]
for_ = range_
