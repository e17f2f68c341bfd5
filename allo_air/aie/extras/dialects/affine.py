"""The dialect affine of the bindings; values have Python's operators."""

from allo_air.aie.building.upstream import forwarded, names

__getattr__ = forwarded("affine")
__all__ = names("affine")
