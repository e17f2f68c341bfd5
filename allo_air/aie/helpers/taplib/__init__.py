"""Access patterns, and tilers that make them."""

import sys

from allo_air.aie.helpers.taplib import pattern as _pattern
from allo_air.aie.helpers.taplib import tiler as _tiler
from allo_air.aie.helpers.taplib.pattern import TensorAccessPattern, TensorAccessSequence
from allo_air.aie.helpers.taplib.tiler import TensorTiler2D

__all__ = ["TensorAccessPattern", "TensorAccessSequence", "TensorTiler2D"]

_ELSEWHERE = {"tap": _pattern, "tas": _pattern, "tensortiler2d": _tiler}
"""Modules that mlir-aie cuts otherwise."""
sys.modules.update({f"{__name__}.{alias}": module for alias, module in _ELSEWHERE.items()})
