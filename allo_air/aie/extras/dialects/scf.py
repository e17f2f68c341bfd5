"""Loops and branches, by the names of IRON's helpers."""

from allo_air.aie.building.loops import else_, if_, range_, yield_  # noqa: F401
from allo_air.aie.building.upstream import forwarded, names

for_ = _for = range_
__getattr__ = forwarded("scf")
__all__ = sorted({"_for", "else_", "for_", "if_", "range_", "yield_", *names("scf")})
