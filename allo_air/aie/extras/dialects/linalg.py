"""The dialect linalg of the bindings; values have Python's operators."""

from allo_air.aie.building.upstream import forwarded, names

__getattr__ = forwarded("linalg")
__all__ = names("linalg")
