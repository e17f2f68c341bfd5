"""Convolutions that `pack-convolutions` plans: tiled like other kernels."""

from allo_air.passes.map._family_tiles import Tiles

FAMILY = Tiles("window", "a convolution by matrix multiplications")
