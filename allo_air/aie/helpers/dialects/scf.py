"""`if_`, `else_`, `_for`: branches and loops of cores."""

from allo_air.aie.building.loops import else_, if_, range_, yield_

__all__ = ["_for", "else_", "if_", "range_", "yield_"]

_for = range_
