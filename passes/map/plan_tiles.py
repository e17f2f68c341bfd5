"""plan-tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.device import Device
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.columns import note, others
from allo_air.passes._analysis.tuned_plans import Search, chosen
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.map._calls import pad, reshape
from allo_air.passes.map._cost import Cost, cost, prices
from allo_air.passes.map._demand import EXCESS
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._heads import is_head
from allo_air.passes.map._kernel import PLAN, REDUCE, Kernel, kernel_of, kernels, static
from allo_air.passes.map._pads import padding
from allo_air.passes.map._plan import WHOLE, Cut, Tiles
from allo_air.passes.map._reduce import mark, parts
from allo_air.passes.map._regroup import Group, regroup
from allo_air.passes.map._search import candidates, fits_l2, space
from allo_air.passes.map._whole import whole_fits
from allo_air.passes.map._whole_rows import lengthen_rows, odd_rows
from allo_air.passes.map._words import widen

WHOLE_REASON = "one core computes all of it"

SIZES = 3
"""Sizes of parts of a reduction that are tried."""


@dataclass(frozen=True)
class PlanTiles(Pass):
    """Chooses the tiles of each kernel that is no matrix multiplication, for launches and for cores.

    Of the tiles that keep the limits of L1, of channels and of 32-bit words those of least estimated cycles are taken. A
    dimension that is cut over columns and rows of cores becomes two; where it is padded for that, calls pass longer tensors.
    The choice is in attribute `allo.plan` for `tile-kernel`. `cols` are the columns that may be used, 0 for all; `rows` the
    rows of cores in a column, and `tile` a core's elements along the loop that is cut, 0 for the best. `plans` is a folder of
    plans that simulation found best, taken for the kernels that it knows; with `ranking` the plan's attribute holds so many of
    the best candidates.

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
    plans: str = ""
    ranking: int = 0

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device)
        device = replace(device, columns=min(self.cols or device.columns, device.columns))
        for kernel in kernels(op):
            static(kernel)
            kernel = _in_words(kernel, device, (self.rows, self.tile))
            found = chosen(self, kernel.function, device, self._search(kernel))
            tiles, cost = found.plan.tiles, found.plan.cost
            if cost is None and others(kernel.function):
                note(kernel.function, 1, device, WHOLE_REASON)
            if tiles.cut is not None:
                _cut(kernel, tiles.cut)
            whole = kernel_of(kernel.function)
            if tiles.part is not None:
                mark(whole, tiles.part)
            widen(whole, list(whole.block.arguments), results=not tiles.launch)
            kernel.function.attributes[PLAN] = found.noted(tiles.attribute(found.plan.why))

    def _search(self, kernel: Kernel) -> Search[_Choice]:
        def every(device: Device) -> list[_Choice]:
            return _every(kernel, device, self.rows, self.tile)

        def taken(device: Device, text: str) -> _Choice | None:
            return next((choice for choice in every(device) if repr(choice.tiles) == text), None)

        def ranked(device: Device, count: int) -> list[_Choice]:
            found: dict[object, _Choice] = {}
            for choice in sorted(every(device), key=_cycles):
                found.setdefault((choice.tiles.cores, choice.tiles.herd), choice)
            return list(found.values())[:count]

        def best(device: Device) -> _Choice:
            wanted = f"{self.rows or 'any'} rows of cores and a tile of {self.tile or 'any'} elements"
            return _best(kernel, device, every(device), wanted if self.rows or self.tile else "")

        return Search(best, _took, taken, _described, ranked)


@dataclass(frozen=True)
class _Choice:
    """Tiles, their estimated cost, which nothing tells of one core, and the cost of the best ones on other cores."""

    tiles: Tiles
    cost: Cost | None
    second: _Choice | None = None

    @property
    def why(self) -> str:
        """Why they were chosen."""
        if self.cost is None:
            return f"{WHOLE_REASON} in L1"
        text = f"{_shown(self.tiles)}; {self.cost}"
        if self.second is not None:
            columns, rows = self.second.tiles.cores
            text += f"; next best herd {columns}x{rows}: {_cycles(self.second):.3g} cycles"
        return text


def _every(kernel: Kernel, device: Device, rows: int, tile: int) -> list[_Choice]:
    """All tiles that keep the limits, in order of search."""
    if kernel.root is None or any(padding(op) is None and not is_head(op) for op in kernel.others):
        return []
    wanted = rows, tile
    ranked = _ranked(kernel, device, wanted)
    if ranked or not whole_fits(kernel, device):
        ranked += _in_parts(kernel, device, wanted)
    if not ranked and not whole_fits(kernel, device):
        ranked = _ranked(kernel, device, wanted, excess=inf)
    return [_Choice(tiles, cost) for cost, tiles in ranked]


def _in_words(kernel: Kernel, device: Device, wanted: tuple[int, int]) -> Kernel:
    """The kernel with rows of whole words where it can be tiled by no other way."""
    dimensions = Dimensions(kernel)
    longer = odd_rows(kernel, dimensions)
    if not longer or whole_fits(kernel, device) or _every(kernel, device, *wanted):
        return kernel
    return lengthen_rows(kernel, dimensions, longer)


def _best(kernel: Kernel, device: Device, every: list[_Choice], asked: str) -> _Choice:
    if not every and asked:
        raise error_at(
            kernel.function, f"cannot be tiled for {asked} within the limits; leave them open, or choose smaller ones"
        )
    if not every:
        if not whole_fits(kernel, device):
            raise error_at(
                kernel.function,
                "fits neither a core as a whole nor in tiles: "
                + _why(kernel)
                + "; make it of fewer operations, or of smaller rows",
            )
        return _Choice(WHOLE, None)
    best = min(every, key=_cycles)
    others = [choice for choice in every if choice.tiles.cores != best.tiles.cores]
    return replace(best, second=min(others, key=_cycles, default=None))


def _took(choice: _Choice) -> float | None:
    return None if choice.cost is None else choice.cost.cycles


def _cycles(choice: _Choice) -> float:
    assert choice.cost is not None
    return choice.cost.cycles


def _described(choice: _Choice) -> tuple[str, str] | None:
    return None if choice.cost is None else (repr(choice.tiles), _shown(choice.tiles))


def _shown(tiles: Tiles) -> str:
    columns, rows = tiles.cores
    return f"herd {columns}x{rows}, {tiles.launches} launches of {_text(tiles.launch)}, a core's tile {_text(tiles.herd)}"


def _ranked(kernel: Kernel, device: Device, wanted: tuple[int, int], excess: float = EXCESS) -> list[tuple[Cost, Tiles]]:
    found = space(kernel, device, excess)
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
