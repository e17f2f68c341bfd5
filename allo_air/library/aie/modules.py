"""Regions for the array by size, each with the mapping primitives to build it with, under the names of Allo's library."""

import sys

from allo_air.library.aie import gemm
from allo_air.library.aie.gemm import GEMM

__all__ = ["GEMM"]

sys.modules[f"{__name__}.gemm"] = gemm
