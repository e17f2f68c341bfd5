"""`range_`: loops of cores and of the sequence, which carry values with `iter_args`; `yield_` says what goes on."""

from allo_air.aie.building.loops import else_, if_, range_, yield_

__all__ = ["else_", "if_", "range_", "yield_"]
