"""Regions for the array; functions create them for given sizes."""

from allo_air.library.aie import modules

__all__ = ["modules"]
