"""Regions for the array, made by size."""

from allo_air.library.aie import modules

__all__ = ["modules"]
