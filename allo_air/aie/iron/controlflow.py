"""`range_`: loops of cores and of the sequence, with loop-carried values by `iter_args` and `yield_`."""

from allo_air.aie.building.loops import else_, if_, range_, yield_

__all__ = ["else_", "if_", "range_", "yield_"]
