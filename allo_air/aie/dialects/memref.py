"""`aie.extras.dialects.memref`."""

from allo_air.aie.extras.dialects.memref import load, store

__all__ = ["load", "store"]
