"""The dialect cf of the bindings; values have Python's operators."""

from allo_air.aie.building.upstream import forwarded, names

__getattr__ = forwarded("cf")
__all__ = names("cf")
