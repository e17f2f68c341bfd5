"""The dialect index of the bindings; values have Python's operators."""

from allo_air.aie.building.upstream import forwarded, names

__getattr__ = forwarded("index")
__all__ = names("index")
