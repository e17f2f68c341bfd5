"""The dialect tensor of the bindings; values have Python's operators."""

from allo_air.aie.building.upstream import forwarded, names

__getattr__ = forwarded("tensor")
__all__ = names("tensor")
