"""The plans that are tried: tiles, cores, steps along k, pieces of L2 and panels that could be best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Literal

from allo_air.arch.limits import core_room
from allo_air.device import Device
from allo_air.passes.linalg._epilogue_operands import no_turns
from allo_air.passes.linalg._limits import SHORTEST, WHOLE, l1, l2, max_readings, parts_of_b
from allo_air.passes.linalg._pairs import could_gain, halves_columns
from allo_air.passes.linalg._plan import DESCRIPTORS, L2_PIECE, GemmPlan, Panel, piece, up
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._rates import Kernel

MAX_TILE = 256
"""Rows and columns of a core's tile that are tried: a larger one leaves L1 no room for a step of k that pays."""

_THIN = 4
"""Smallest ratio of the result's dimensions for which all cores may lie along the longer one; for small squares the estimate is
too inexact.
"""

_STRIPS = 8
"""Smallest number of strips of a result that leaves in strips: at most a quarter of the result is then in L1, next to its sums.
"""


_SLICINGS = 4
"""Numbers of steps that cut other operands into slices, of each tile, that are tried: with more of them steps are short."""


@dataclass(frozen=True)
class Sizes:
    """Sizes that the user gave, and channels of the shims; 0 is free. Where a size is given, a panel stays in L2 only where
    `panel` asks for it."""

    herd_m: int = 0
    herd_n: int = 0
    k_step: int = 0
    cores_m: int = 0
    cores_n: int = 0
    panel: Literal["auto", "none", "a", "b"] = "auto"
    channels: int = 0

    @property
    def free(self) -> bool:
        """Whether no size is given."""
        return not (self.herd_m or self.herd_n or self.k_step or self.cores_m or self.cores_n)

    def pairs(self, device: Device) -> bool:
        """Whether pieces of B may come to pairs of memtiles: not where sizes are given, or channels of the shims."""
        return self.free and not 0 < self.channels < device.columns * device.tiles["shim_noc"].channels[1]

    @property
    def pieces(self) -> tuple[int, ...]:
        """Least elements along k of an L2 buffer that are tried."""
        return tuple(SHORTEST * part for part in (1, 2, 4, 8, 16, 32)) if self.free or any(self.panels) else (L2_PIECE,)

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The panels that are tried."""
        match self.panel:
            case "auto":
                return ("", "a", "b") if self.free else ("",)
            case "none":
                return ("",)
        return (self.panel,)


def units(sizes: Sizes, micro: tuple[int, int, int]) -> str | None:
    """Why sizes of the user are no multiples of a micro-tile's m, n and k, or negative; None if they are valid."""
    for name, value, unit in zip(
        ("herd-m", "herd-n", "k-step"), (sizes.herd_m, sizes.herd_n, sizes.k_step), micro, strict=True
    ):
        if value < 0 or value % unit:
            return f"{name}={value} is no multiple of {unit}, the size of the micro-tile of this type and device"
    for name, value in (("cores-m", sizes.cores_m), ("cores-n", sizes.cores_n)):
        if value < 0:
            return f"{name}={value} is negative; 0 leaves it open"
    return None


Shape = tuple[int, int, int, int]
"""Cores and tile in the directions of m and n: cores_m, herd_m, cores_n, herd_n."""


def shapes_of(problem: Problem, device: Device, kernel: Kernel, sizes: Sizes) -> Iterator[Shape]:
    """The arrangements of cores that are tried, with the tile of each core."""
    rows = len(device.core_rows)
    m_unit, n_unit, _ = kernel.micro
    # Two rows of cores in a device of one column: air-collapse-herd lays a herd of four cores along a column.
    across = {1, 2} if device.columns == 1 else {device.columns}
    along_n = _tiles(problem.n, {rows, rows // 2}, n_unit, sizes.cores_n, sizes.herd_n)
    for cores_m, herd_m in _tiles(problem.m, across, m_unit, sizes.cores_m, sizes.herd_m):
        for cores_n, herd_n in along_n:
            yield cores_m, herd_m, cores_n, herd_n
    yield from _spread_shapes(problem, device, kernel, sizes)


def _spread_shapes(problem: Problem, device: Device, kernel: Kernel, sizes: Sizes) -> Iterator[Shape]:
    """Shapes in which all cores lie along one dimension of the result and the other one is a single tile."""
    every, (m_unit, n_unit, _) = device.columns * len(device.core_rows), kernel.micro
    channels = device.columns * device.tiles["shim_noc"].channels[1]
    sides = problem.looped and problem.epilogue  # which would have to take turns anew for each matrix of a batch
    if not spread_over(1, every, device) or 0 < sizes.channels < channels or sides:
        return
    if sizes.cores_m in (0, 1) and sizes.cores_n in (0, every):
        tile = sizes.herd_m or up(problem.m, m_unit)
        if problem.m <= tile <= MAX_TILE and problem.m * _THIN <= problem.n:
            yield from ((1, tile, cores, n) for cores, n in _tiles(problem.n, {every}, n_unit, every, sizes.herd_n))
            half = (1, tile, every // 2, up(-(-problem.n // (every // 2)), n_unit))
            if sizes.pairs(device) and half[3] <= MAX_TILE and spread_over(1, half[2], device) < device.columns:
                yield half  # of whole rows of B
    if sizes.cores_n in (0, 1) and sizes.cores_m in (0, every):
        tile = sizes.herd_n or up(problem.n, n_unit)
        if problem.n <= tile <= MAX_TILE and problem.n * _THIN <= problem.m:
            yield from ((cores, m, 1, tile) for cores, m in _tiles(problem.m, {every}, m_unit, every, sizes.herd_m))


def candidates(
    shape: Shape, problem: Problem, device: Device, kernel: Kernel, value: Sizes, multiplexed: Panel
) -> Iterator[tuple[GemmPlan, tuple[int, ...]]]:
    """The plans with tiles of this shape whose L2 buffers hold all of k, and the pieces that may take its place, short ones
    first.

    On the channel `multiplexed` other operands of the result come in turns with steps along k; "": on none."""
    cores_m, herd_m, cores_n, herd_n = shape
    spread = spread_over(cores_m, cores_n, device)

    @cache
    def room(panel: Panel, paired: bool) -> bool:
        """Whether L2 has room for a panel, for any size of the other operand's pieces and of the steps."""
        k = problem.k
        return not l2(GemmPlan(herd_m, herd_n, cores_m, cores_n, kernel.micro, 1, k, 1, panel, paired=paired), problem, device)

    for strips, k_step, k in _steps_in_strips(problem, device, kernel.micro, shape, value.k_step, multiplexed):
        sizes = herd_m, herd_n, cores_m, cores_n, kernel.micro, k_step, k, k
        whole = GemmPlan(*sizes, multiplexed=multiplexed, spread=spread, strips=strips)
        if multiplexed and (k // k_step % 2 or no_turns(whole, problem)):
            continue
        if strips > 1 and (k_step == k or not l1(whole.varied(strips=1), problem, device)):
            continue
        # Each piece has a buffer descriptor of its own where tiles of other operands follow them.
        few = [k // count for count in range(1, min(8, k) + 1)] if problem.epilogue else []
        longest = [2 * max(value.pieces)] if spread and value.free else []
        pieces = tuple(sorted({piece(k, k_step, least) for least in (*value.pieces, *few, *longest)}))
        if spread:
            yield from ((way, pieces) for way in (ways(whole, problem, device) if value.pairs(device) else (whole,)))
            continue
        tried = value.panels if not l1(whole, problem, device) else value.panels[:1]
        result = ways(whole, problem, device) if value.pairs(device) else (whole,)
        for panel in tried:
            for paired in result:
                if panel and tried[0] == "" and not problem.epilogue and not room(panel, paired.paired):
                    continue
                streams = cores_n // parts_of_b(paired, device) if paired.paired and panel == "b" else 1
                tiles = panel_tiles(panel, shape, problem, device, streams)
                if not panel or (tiles > 1 and not (problem.epilogue and multiplexed in ("", panel))):
                    yield (paired.varied(panel=panel, tiles=tiles) if panel else paired), pieces


def ways(plan: GemmPlan, problem: Problem, device: Device) -> tuple[GemmPlan, ...]:
    """`plan` with pieces of B for one memtile each, and for pairs of memtiles where that could gain."""
    paired = plan.varied(paired=True)
    if plan.cores <= WHOLE or not could_gain(plan, problem, device, *(parts_of_b(p, device) for p in (plan, paired))):
        return (plan,)
    if plan.spread and halves_columns(plan.spread, device):
        return (paired,)
    return plan, paired


def has_more(plan: GemmPlan, problem: Problem, device: Device) -> bool:
    """Whether B could use more channels with pairs of memtiles than with `plan`."""
    result = ways(plan, problem, device)
    return not (plan.panel or plan.spread) and len(result) > 1 and 2 * parts_of_b(result[1], device) > parts_of_b(plan, device)


def strips_of(problem: Problem, blocks: int) -> tuple[int, ...]:
    """The numbers of strips in which a core's result of `blocks` rows of micro-tiles may leave, in ascending order."""
    counts = [count for count in range(4, blocks + 1, 2) if blocks % count == 0]
    if problem.result_bits == problem.accumulator_bits or problem.epilogue or not counts:
        return (1,)
    return 1, next((count for count in counts if count >= _STRIPS), counts[-1])


def _steps_in_strips(
    problem: Problem, device: Device, micro: tuple[int, int, int], shape: Shape, value: int, multiplexed: Panel
) -> Iterator[tuple[int, int, int]]:
    """Strips of the result, steps and padded extents along k."""
    for strips in strips_of(problem, shape[1] // micro[0]):
        yield from ((strips, *step) for step in _steps(problem, device, micro, shape, value, multiplexed, strips))


def spread_over(cores_m: int, cores_n: int, device: Device) -> int:
    """The number of columns over which cores along one dimension of the result are spread, equally many in each column; 0 if
    the cores lie along both dimensions, or fit along one side of the array.
    """
    cores, rows = cores_m * cores_n, len(device.core_rows)
    along = min(cores_m, cores_n) == 1 and cores > max(device.columns, rows)
    if along and cores_m == 1 and cores % rows == 0 and halves_columns(cores // rows, device):
        return cores // rows
    return device.columns if along and cores % device.columns == 0 else 0


def turns_of(problem: Problem) -> tuple[Panel, ...]:
    """The channels on which epilogue operands may alternate with steps along k ("": none)."""
    return ("", "a", "b") if problem.epilogue else ("",)


def _tiles(extent: int, most: set[int], unit: int, cores: int, tile: int) -> list[tuple[int, int]]:
    """Cores and tile for an extent: for each number of cores and of launch tiles, the smallest tiles that cover the extent."""
    tiles: set[tuple[int, int]] = set()
    # Other numbers of cores than the full ones pay only where they save padding, which matters for few micro-tiles alone.
    few = extent <= 16 * unit * max(most)
    # Two for a single micro-tile: a herd of one row has no more channels from external memory than one core.
    useful = max(2, min(max(most), -(-extent // unit)))
    for count in {cores} if cores else set(range(1, useful + 1)) if few else most:
        if tile:
            tiles.add((count, tile))
            continue
        largest = min(MAX_TILE, up(-(-extent // count), unit))
        for size in range(unit, largest + 1, unit):
            launches = -(-extent // (count * size))
            # In whole micro-tiles, and in twos and fours of them, which share loaded operands.
            tiles |= {(count, up(-(-extent // (count * launches)), many * unit)) for many in (1, 2, 4)}
    return sorted(tiles)


def panel_tiles(panel: Panel, shape: Shape, problem: Problem, device: Device, streams: int = 1) -> int:
    """The number of tiles for which a panel with `streams` readers is used, as large as possible and about equal for all
    panels; 1 without a panel.
    """
    if not panel:
        return 1
    cores_m, herd_m, cores_n, herd_n = shape
    along, tile = (problem.n, cores_n * herd_n) if panel == "a" else (problem.m, cores_m * herd_m)
    tiles = -(-along // tile)
    return -(-tiles // -(-tiles // max_readings(device, streams)))


def longest_step(one: GemmPlan, problem: Problem, device: Device) -> int:
    """Elements along k of the longest step that L1 has room for, a micro-tile's at least; `one` has such a step."""
    unit, each = one.k_step, one.step_bytes(problem)
    room = core_room(device) - (one.l1_bytes(problem) - unit * each)
    return max(unit, room // each // unit * unit)


def _steps(
    problem: Problem, device: Device, micro: tuple[int, int, int], shape: Shape, value: int, multiplexed: Panel, strips: int
) -> Iterator[tuple[int, int]]:
    """Steps and padded extents along k: the longest step that fits in L1, and shorter ones that pad less or divide evenly."""
    unit = micro[2]
    cores_m, herd_m, cores_n, herd_n = shape
    # In turns, as many steps as make buffers shared.
    cores, k = ((cores_m, cores_n), DESCRIPTORS * unit) if multiplexed else ((1, 1), unit)
    one = GemmPlan(herd_m, herd_n, *cores, micro, unit, k, unit, multiplexed=multiplexed, strips=strips)
    longest = longest_step(one, problem, device)
    count = -(-problem.k // longest)
    steps = (
        {value}
        if value
        else {up(-(-problem.k // c), unit) for c in (count, count + 1, 2 * count)} | {min(longest, up(problem.k, unit))}
    )
    if not value:
        steps |= {
            s for s in (1 << p for p in range(1, 10)) if s % unit == 0 and longest <= 4 * s and s <= min(longest, problem.k)
        }
    for step in sorted(steps):
        piece = up(L2_PIECE, step)
        for whole in {up(problem.k, unit) for unit in (step, 2 * step, piece, 2 * piece)}:
            yield step, whole
    if not value and problem.epilogue and spread_over(cores_m, cores_n, device):
        sliced = GemmPlan(herd_m, herd_n, cores_m, cores_n, micro, unit, up(problem.k, unit), unit, spread=1)
        yield from _steps_of_slices(sliced, problem, device)


def _steps_of_slices(one: GemmPlan, problem: Problem, device: Device) -> Iterator[tuple[int, int]]:
    """Steps and padded extents that cut what all cores need of other operands into slices, the longest steps of an even number
    that L1 has room for; `one` has steps of a micro-tile."""
    unit, blocks = one.k_step, one.walked_array // one.micro["ba".index(one.shared)]
    counts = (n for n in range(2, blocks + 1, 2) if blocks % n == 0)
    steps = ((step, n * step) for n in counts for step in [up(-(-problem.k // n), unit)])
    yield from islice(((s, k) for s, k in steps if not l1(one.varied(k_step=s, k=k), problem, device)), _SLICINGS)
