"""Convolutions that `pack-convolutions` plans: tiled like other kernels."""

from dataclasses import replace
from math import prod

from allo_air.core.names import function_type_of
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes.map._family_tiles import Tiles
from allo_air.plan.family import Replan, Target
from allo_air.plan.plan import Plan


class Window(Tiles):
    """Expands convolutions in blocks."""

    def replan(self, kernel: ir.Operation, plan: Plan, target: Target) -> Replan:
        """The same blocks on fewer columns, which take as many more turns; the kernel's arrays keep their layout.

        The estimate is the plan's cycles times the ratio of the columns, an upper bound: all columns share external memory.
        """

        def replanned(device: Device) -> tuple[Plan, float] | None:
            if not plan.cycles:
                return None
            blocks, (most, rows), columns = function_type_of(kernel).results[0].shape[1], plan.cores, device.columns
            if columns == most:
                return plan, plan.cycles
            if columns > most or blocks % columns or not _fits(kernel, plan, device):
                return None
            cycles = plan.cycles * most / columns
            launch = (plan.launch[0], columns, *plan.launch[2:])
            text = f"herd {columns}x{rows}, about {cycles:.3g} cycles, with the blocks of {plan.chosen}"
            return replace(plan, chosen=text, cores=(columns, rows), launch=launch, cycles=round(cycles)), cycles

        return replanned


def _fits(kernel: ir.Operation, plan: Plan, device: Device) -> bool:
    """Whether the memtiles of `device` have channels and room, twice, for parts of the image and the weights and for results.

    An image goes to all cores of a column that have the same pixels, weights to a row of cores; each column sends results over
    one channel. Operands with one element for each channel of the result need as many channels as the weights.
    """
    kinds, columns, memtile = function_type_of(kernel), device.columns, device.tiles["mem"]
    image, weights, *addends = kinds.inputs
    [result], (_, rows), (_, _, down, rows_of_channels, *_) = kinds.results, plan.cores, plan.launch
    is_dense = [len(image.shape), len(weights.shape)] == [len(result.shape) - 1, len(result.shape) - 2]
    images = columns * (down if is_dense else rows)  # cores of groups and of single channels have images of their own
    of_channels = sum(len(kind.shape) < len(result.shape) for kind in addends)
    streams = images + columns + rows_of_channels * (1 + of_channels)
    parts = (
        (images, image.shape[-4:], image),
        (rows_of_channels, weights.shape[2:], weights),
        (columns * rows, result.shape[4:], result),
    )
    room = sum(count * prod(shape) * (element_bits(kind) or 8) // 8 for count, shape, kind in parts) * max(1, plan.piece)
    return bool(streams <= columns * memtile.channels[1] and 2 * room <= columns * memtile.memory)


FAMILY = Window("window", "a convolution by matrix multiplications")
