"""The candidates of `plan-tiles`: the tiles of a kernel that respect the limits, each with its cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import inf

from allo_air.arch.limits import core_room
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.passes.map._argument_slices import is_argument_slice
from allo_air.passes.map._best import Best
from allo_air.passes.map._cost import Cost, compute, cost
from allo_air.passes.map._demand import EXCESS
from allo_air.passes.map._kernel import Kernel
from allo_air.passes.map._limits import fits_l2
from allo_air.passes.map._multi_sweep import SWEEPS
from allo_air.passes.map._pads import padding
from allo_air.passes.map._plan import Part, Tiles
from allo_air.passes.map._promote import CUT
from allo_air.passes.map._reduce import mark, marked_dimensions, parts, remove_marks
from allo_air.passes.map._search import candidates, legal
from allo_air.passes.map._single_core import whole_fits
from allo_air.passes.map._space import space
from allo_air.passes.map._transfers import walkable
from allo_air.plan.plan import Plan

WHOLE_REASON = "one core computes all of it"

Rank = Callable[[Kernel, Device, tuple[int, int], float], list[tuple[Cost, Tiles]]]
"""The tiles within the limits and their costs, in search order, for a kernel of which tiles may repeat a given share of work.
"""

SIZES = 3
"""Sizes to try for the parts of a reduction."""


@dataclass(frozen=True)
class _Found:
    """The parts of a kernel's reduction that have tiles on the whole device, and whether all tiles there repeat much work.

    The kernel's memo has it under the class. Later searches on parts of the device try nothing else.
    """

    parts: tuple[Part | None, ...]
    repeats: bool


@dataclass(frozen=True)
class Choice:
    """Tiles, their estimated cost (0 for one core), and the cost of the best tiles on other cores."""

    tiles: Tiles
    cost: Cost | None
    second: Choice | None = None

    @property
    def reason(self) -> str:
        """The reason for the choice, as text."""
        if self.cost is None:
            return f"{WHOLE_REASON} in L1"
        text = f"{tiles_text(self.tiles)}; {self.cost}"
        if self.second is not None and self.second.cost is not None:
            columns, rows = self.second.tiles.cores
            text += f"; next best herd {columns}x{rows}: {self.second.cost.total:.3g} cycles"
        return text

    @property
    def plan(self) -> Plan:
        """The plan with these tiles."""
        moved, descriptors = (0, 0) if self.cost is None else (round(self.cost.moved_bytes), self.cost.descriptors)
        return replace(self.tiles.to_plan(self.reason), moved=moved, descriptors=descriptors)


def all_choices(kernel: Kernel, device: Device, rows: int, tile: int) -> list[Choice]:
    """All tiles that respect the limits, in search order."""
    return _choices(kernel, device, (rows, tile), _ranked)


def best_choice(kernel: Kernel, device: Device, rows: int, tile: int, limit: float = inf) -> Choice | None:
    """The best tiles within the limits, and the best ones on another number of cores; None if no tiles respect the limits, or
    take more than `limit` cycles.
    """
    choices = _choices(kernel, device, (rows, tile), partial(_least, limit=limit), again=limit < inf)
    result = min(choices, key=order_of, default=None)
    rest = [choice for choice in choices if result is not None and choice.tiles.cores != result.tiles.cores]
    return None if result is None else replace(result, second=min(rest, key=order_of, default=None))


def best_in_place(kernel: Kernel, device: Device, part: Part | None) -> Choice | None:
    """The best tiles that cut no dimension, with the loop in parts that is marked (`part`); None if there are none."""
    ranked = _least(kernel, device, (0, 0), EXCESS) if _has_tiles(kernel) else []
    choices = [Choice(replace(tiles, part=part), cost) for cost, tiles in ranked]
    if not ranked and part is None:
        choices = [choice for choice in _choices(kernel, device, (0, 0), _least) if choice.tiles.part is None]
    return min((choice for choice in choices if choice.tiles.cut is None), key=order_of, default=None)


def least(kernel: Kernel, device: Device, rows: int = 0, tile: int = 0, *, limit: float = inf) -> float:
    """Cycles of the best tiles; infinite if none take fewer than `limit`."""
    return min(map(cycles_of, _choices(kernel, device, (rows, tile), partial(_least, limit=limit))), default=inf)


def _choices(kernel: Kernel, device: Device, requested: tuple[int, int], rank: Rank, *, again: bool = False) -> list[Choice]:
    """Tiles that respect the limits. Tiles that repeat much work are only tried if there are no others.

    With `again`, the search is for part of the device, and limited to what the search on the whole device found, if there was
    one.
    """
    if not _has_tiles(kernel):
        return []
    earlier: _Found | None = kernel.memo.get(_Found) if again else None
    is_divided = not whole_fits(kernel, device)
    ranked, in_parts = rank(kernel, device, requested, EXCESS), list[tuple[Cost, Tiles]]()
    if ranked or is_divided:
        in_parts = _in_parts(kernel, device, requested, rank, earlier)
    repeats = is_divided and not ranked and not in_parts and (earlier is None or earlier.repeats)
    if earlier is None:
        kernel.memo[_Found] = _Found(tuple(dict.fromkeys(tiles.part for _, tiles in in_parts)), repeats)
    ranked = rank(kernel, device, requested, inf) if repeats else ranked + in_parts
    return [Choice(tiles, cost) for cost, tiles in ranked]


def _has_tiles(kernel: Kernel) -> bool:
    """Whether the operations allow tiles at all."""
    return kernel.root is not None and all(
        padding(op) is not None or is_argument_slice(op) or CUT in op.attributes for op in kernel.movements
    )


def can_be_placed(kernel: Kernel, device: Device) -> bool:
    """Whether a core can compute the kernel as a whole, or the kernel has valid tiles."""
    if whole_fits(kernel, device):
        return True
    is_supported = kernel.root is not None and all(padding(op) is not None or is_argument_slice(op) for op in kernel.movements)
    result = space(kernel, device) if is_supported else None
    if result is not None and any(fits_l2(result, *choice) and legal(result, *choice) for choice in candidates(result)):
        return True
    return best_choice(kernel, device, 0, 0) is not None


def cycles_on_one_core(kernel: Kernel, device: Device) -> float:
    """Cycles of one core that computes the whole kernel; infinite if that does not fit."""
    if kernel.root is None or not whole_fits(kernel, device):
        return inf
    result = space(kernel, device)
    needed = result.model.demand([0] * len(result.extents))
    return compute(needed)


def cycles_of(choice: Choice) -> float:
    """Estimated cycles of tiles."""
    assert choice.cost is not None
    return choice.cost.cycles


def order_of(choice: Choice) -> tuple[float, float]:
    """The sort key of choices, the best first."""
    assert choice.cost is not None
    return choice.cost.cycles, choice.cost.work


def tiles_text(tiles: Tiles) -> str:
    """The tiles as text for the user."""
    columns, rows = tiles.cores
    return (
        f"herd {columns}x{rows}, {counted(tiles.launches, 'launch')} of {_text(tiles.launch)}, a core's tile "
        f"{_text(tiles.herd)}"
    )


def _ranked(kernel: Kernel, device: Device, requested: tuple[int, int], excess: float) -> list[tuple[Cost, Tiles]]:
    result = space(kernel, device, excess)
    in_l2 = (
        (tiles, needed) for tiles, needed in candidates(result) if tiles.is_given(*requested) and fits_l2(result, tiles, needed)
    )
    fits = [(tiles, needed) for tiles, needed in in_l2 if legal(result, tiles, needed) and walkable(result, tiles, needed)]
    return [(cost(result, tiles, needed), tiles) for tiles, needed in reversed(fits)]


def _least(
    kernel: Kernel, device: Device, requested: tuple[int, int], excess: float, limit: float = inf
) -> list[tuple[Cost, Tiles]]:
    """The best tiles for each choice of cores."""
    result = space(kernel, device, excess)
    if (requested, limit) not in result.searches:
        best = Best(result, limit)
        for tiles, needed in candidates(result, best.is_worth):
            if tiles.is_given(*requested):
                best.offer(tiles, needed)
        result.searches[requested, limit] = best.ranked
    ranked: list[tuple[Cost, Tiles]] = result.searches[requested, limit]
    return ranked


def _in_parts(
    kernel: Kernel, device: Device, requested: tuple[int, int], rank: Rank, earlier: _Found | None
) -> list[tuple[Cost, Tiles]]:
    """Tiles with a reduction in parts: the largest parts that fit, and some smaller ones; or those of an `earlier` search."""
    priced: list[tuple[Cost, Tiles]] = []
    step = 2 if SWEEPS in kernel.function.attributes else 4
    for part in parts(kernel, core_room(device)) if earlier is None else earlier.parts:
        before = priced[-1][1].part if priced and earlier is None else None
        if part is None or (before is not None and part.size * step > before.size):
            continue
        mark(kernel, part)
        ranked = [(price, replace(tiles, part=part)) for price, tiles in rank(kernel, device, requested, EXCESS)]
        if any(tiles.cut is not None for _, tiles in ranked):  # a dimension in parts stays one dimension
            taken = marked_dimensions(kernel)
            ranked = [pair for pair in ranked if pair[1].cut is None or pair[1].cut.dimension not in taken]
        remove_marks(kernel)
        priced += ranked
        if len({tiles.part for _, tiles in priced}) == SIZES:
            break
    return priced


def _text(sizes: tuple[int, ...]) -> str:
    return "x".join(str(s) if s else "all" for s in sizes)
