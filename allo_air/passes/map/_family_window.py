"""Convolutions that `pack-convolutions` plans: tiled like other kernels."""

from allo_air.mlir import ir
from allo_air.passes.map._family_tiles import Tiles
from allo_air.plan.family import Replan, Target
from allo_air.plan.plan import Plan


class Window(Tiles):
    """Expands convolutions in blocks."""

    def replan(self, kernel: ir.Operation, plan: Plan, target: Target) -> Replan:
        """Nothing: the kernel's arrays have the layout of the blocks for these columns."""
        return lambda device: None


FAMILY = Window("window", "a convolution by matrix multiplications")
