"""plan-tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.device import Device
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.columns import note, on_columns, others
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.map._calls import pad, reshape
from allo_air.passes.map._cost import Cost, cost, prices
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._heads import is_head
from allo_air.passes.map._kernel import PLAN, REDUCE, Kernel, kernel_of, kernels, static
from allo_air.passes.map._pads import padding
from allo_air.passes.map._plan import WHOLE, Cut, Tiles
from allo_air.passes.map._reduce import mark, parts
from allo_air.passes.map._regroup import Group, regroup
from allo_air.passes.map._search import candidates, fits_l2, space, whole_fits
from allo_air.passes.map._words import widen

SIZES = 3
"""Sizes of parts of a reduction that are tried."""


@dataclass(frozen=True)
class PlanTiles(Pass):
    """Chooses the tiles of each kernel that is no matrix multiplication, for launches and for cores.

    Of the tiles that keep the limits of L1, of channels and of 32-bit words those of least estimated cycles are taken. A
    dimension that is cut over columns and rows of cores becomes two; where it is padded for that, calls pass longer tensors.
    The choice is in attribute `allo.plan` for `tile-kernel`. `cols` are the columns that may be used, 0 for all; `rows` the
    rows of cores in a column, and `tile` a core's elements along the loop that is cut, 0 for the best.

    Before (on npu1):

        func.func private @k(%a: tensor<1000xf32>) -> tensor<1000xf32> attributes {allo.kernel}

    After:

        func.func private @k(%a: tensor<4x256xf32>) -> tensor<4x256xf32>
            attributes {allo.kernel, allo.plan = {launch = [4, 256], herd = [1, 64], chosen = "...", ...}}
    """

    name = "plan-tiles"

    device: str = "npu1"
    cols: int = 0
    rows: int = 0
    tile: int = 0

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device)
        device = replace(device, columns=min(self.cols or device.columns, device.columns))
        for kernel in kernels(op):
            static(kernel)
            tiles, why = self._chosen(kernel, device)
            if tiles.cut is not None:
                _cut(kernel, tiles.cut)
            whole = kernel_of(kernel.function)
            if tiles.part is not None:
                mark(whole, tiles.part)
            widen(whole, list(whole.block.arguments), results=not tiles.launch)
            kernel.function.attributes[PLAN] = tiles.attribute(why)

    def _chosen(self, kernel: Kernel, device: Device) -> tuple[Tiles, str]:
        def planned(part: Device) -> _Choice:
            return _choose(kernel, part, self.rows, self.tile)

        tiles, why, cycles = on_columns(kernel.function, device, planned, lambda chosen: chosen[2])
        if cycles is None and others(kernel.function):
            note(kernel.function, 1, device, "one core computes all of it")
        return tiles, why


_Choice = tuple[Tiles, str, float | None]
"""Tiles, why they were chosen, and their estimated cycles, which nothing tells of one core."""


def _choose(kernel: Kernel, device: Device, rows: int, tile: int) -> _Choice:
    ranked: list[tuple[Cost, Tiles]] = []
    if kernel.root is not None and all(padding(op) is not None or is_head(op) for op in kernel.others):
        wanted = rows, tile
        ranked = _ranked(kernel, device, wanted)
        if ranked or not whole_fits(kernel, device):
            ranked += _in_parts(kernel, device, wanted)
    if not ranked and (rows or tile):
        asked = f"{rows or 'any'} rows of cores and a tile of {tile or 'any'} elements"
        raise error_at(
            kernel.function, f"cannot be tiled for {asked} within the limits; leave them open, or choose smaller ones"
        )
    if not ranked:
        if not whole_fits(kernel, device):
            raise error_at(
                kernel.function,
                "fits neither a core as a whole nor in tiles: "
                + _why(kernel)
                + "; make it of fewer operations, or of smaller rows",
            )
        return WHOLE, "one core computes all of it in L1", None
    best = min(ranked, key=lambda r: r[0].cycles)
    columns, rows = best[1].cores
    others = [r for r in ranked if r[1].cores != best[1].cores]
    shape = f"{best[1].launches} launches of {_text(best[1].launch)}, a core's tile {_text(best[1].herd)}"
    text = f"herd {columns}x{rows}, {shape}; {best[0]}"
    if others:
        second = min(others, key=lambda r: r[0].cycles)
        text += f"; next best herd {second[1].cores[0]}x{second[1].cores[1]}: {second[0].cycles:.3g} cycles"
    return best[1], text, best[0].cycles


def _ranked(kernel: Kernel, device: Device, wanted: tuple[int, int]) -> list[tuple[Cost, Tiles]]:
    found = space(kernel, device)
    priced = prices(found)
    every = ((tiles, needed) for tiles, needed in candidates(found) if tiles.is_given(*wanted))
    return [(cost(found, tiles, needed, priced), tiles) for tiles, needed in every if fits_l2(found, tiles, needed)]


def _in_parts(kernel: Kernel, device: Device, wanted: tuple[int, int]) -> list[tuple[Cost, Tiles]]:
    """Tiles whose cores take a reduction in parts, in the largest that fit, and in some smaller ones."""
    found: list[tuple[Cost, Tiles]] = []
    for part in parts(kernel):
        if (before := found[-1][1].part if found else None) is not None and part.size * 4 > before.size:
            continue
        mark(kernel, part)
        ranked = [(price, replace(tiles, part=part)) for price, tiles in _ranked(kernel, device, wanted)]
        del kernel.ops[part.op].attributes[REDUCE]
        found += ranked
        if len({tiles.part for _, tiles in found}) == SIZES:
            break
    return found


def _why(kernel: Kernel) -> str:
    if kernel.root is None:
        return "its results come from several operations"
    return "no loop of its last operation can be cut"


def _text(sizes: tuple[int, ...]) -> str:
    return "x".join(str(s) if s else "all" for s in sizes)


def _cut(kernel: Kernel, cut: Cut) -> None:
    """Pads a dimension of a kernel and cuts it in two."""
    before = kernel.function.attributes["function_type"].value
    regroup(kernel, Dimensions(kernel), [Group((cut.dimension,), (cut.extent,))])
    pad(kernel.function, before)
    before = kernel.function.attributes["function_type"].value
    again = kernel_of(kernel.function)
    dimensions = Dimensions(again)
    regroup(again, dimensions, [Group((cut.dimension,), (cut.extent // cut.inner, cut.inner))])
    reshape(kernel.function, before)
