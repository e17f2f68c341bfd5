"""Access patterns of tensors: offset, sizes and strides, and sequences of them."""

from allo_air.aie.helpers.taplib.pattern import TensorAccessPattern, TensorAccessSequence
from allo_air.aie.helpers.taplib.tiler import TensorTiler2D

__all__ = ["TensorAccessPattern", "TensorAccessSequence", "TensorTiler2D"]
