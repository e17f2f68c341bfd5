"""Regions of kernels that run on the array together, under the names that Allo's programs use."""

from allo_air.frontend.region import array, gather, get_pid, kernel, pipe, region, scatter
from allo_air.program.region import build
from allo_air.program.region_schedule import customize

__all__ = ["array", "build", "customize", "gather", "get_pid", "kernel", "pipe", "region", "scatter"]
