"""Regions for the array, each with the mapping primitives to build it, under the names of Allo's library."""

import sys

from allo_air.library.aie import flash_attention, gemm
from allo_air.library.aie.flash_attention import FA
from allo_air.library.aie.gemm import GEMM

__all__ = ["FA", "GEMM"]

for _module in (flash_attention, gemm):
    sys.modules[f"{__name__}.{_module.__name__.rpartition('.')[2]}"] = _module
