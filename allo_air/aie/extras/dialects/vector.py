"""The dialect vector of the bindings; values have Python's operators."""

from allo_air.aie.building.upstream import forwarded, names

__getattr__ = forwarded("vector")
__all__ = names("vector")
