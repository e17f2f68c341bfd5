"""numpy's types by name."""

from allo_air.aie.building.arrays import dtype_to_str, str_to_dtype

__all__ = ["dtype_to_str", "str_to_dtype"]
