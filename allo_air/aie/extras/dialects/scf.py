"""Loops and branches, under the names of IRON's helpers."""

from allo_air.aie.building.loops import else_, if_, range_, yield_  # noqa: F401
from allo_air.aie.building.upstream import forwarded, names
from allo_air.aie.extras.ast.canonicalize import Canonicalizer

for_ = _for = range_
canonicalizer = Canonicalizer("scf")
__getattr__ = forwarded("scf")
__all__ = sorted({"_for", "canonicalizer", "else_", "for_", "if_", "range_", "yield_", *names("scf")})
