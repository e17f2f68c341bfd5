"""Chooses the channels, L2 boxes and cells of a region: the first arrangement for which the device has enough channels.

A box is the part of a tensor that one buffer in L2 holds, and a cell is the position of a core in the array. A core's tensors
have up to two channels in each direction. If memtiles, shims or cores lack channels, all tensors that a core reads share one
channel, then all that it writes. L2 boxes get larger, and boxes of the same channels share one channel from external memory.
One channel in each direction always suffices: a memtile serves the four cores of its column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from allo_air.core.packing import pack
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.frontend.boxes import EVEN, Boxes, binned_boxes, boxes_of, cut_boxes
from allo_air.frontend.errors import KernelError
from allo_air.frontend.flow import flows, levels
from allo_air.frontend.placement import Cell, lacking, place_cores
from allo_air.frontend.rounds import Rounds, rounds_of, single_round
from allo_air.frontend.transfers import MEMTILE, ChannelLimits, Plan, plan_channels
from allo_air.frontend.virtual import VirtualGraph

LIMITS = tuple(ChannelLimits(reads, writes, streams) for streams in (False, True) for reads, writes in ((2, 2), (1, 2), (1, 1)))
"""The limits to try, in this order."""


@dataclass(frozen=True)
class Arrangement:
    """How a region is mapped: its rounds, channels, boxes, and the cell of each core."""

    rounds: Rounds
    plan: Plan
    boxes: Boxes
    cells: list[Cell]


def arrange(graph: VirtualGraph, device: Device) -> Arrangement:
    """The first arrangement with enough channels; if there is none, the one in which cores lack the fewest channels."""
    best: tuple[tuple[int, bool], Arrangement] | None = None
    for limits in LIMITS:
        rounds, plan, boxes, fits = _tensors(graph, device, limits)
        cells, lack = _cells(graph, rounds, plan, device)
        arrangement = Arrangement(rounds, plan, boxes, cells)
        if best is None or (lack, not fits) < best[0]:
            best = (lack, not fits), arrangement
        if best[0] == (0, False):
            break
    assert best is not None
    return best[1]


def _tensors(graph: VirtualGraph, device: Device, limits: ChannelLimits) -> tuple[Rounds, Plan, Boxes, bool]:
    """The rounds, channels and boxes; and whether they fit: memtiles and shims have enough channels, and cores do not wait for
    each other in a cycle.
    """
    rounds = rounds_of(graph)
    plan = plan_channels(graph.instances, rounds, limits, _streams(graph, rounds))
    if rounds.grid and plan.whole_tensors:
        rounds = single_round(graph)
        plan = plan_channels(graph.instances, rounds, limits, _streams(graph, rounds))
    first = plan, boxes_of(plan)
    result = None
    for candidate in _candidates(graph, rounds, plan, limits):
        if _fits_device(*candidate, device):
            # boxes by level are tried first, since boxes in bins share the fewest channels
            if result is not None and candidate[1].bins:
                break
            if flows(graph, rounds, *candidate):
                return rounds, *candidate, True
            result = result or candidate
    if result is not None:
        plan = plan_channels(graph.instances, rounds, limits, _streams(graph, rounds), levels=levels(graph, rounds))
        for candidate in _candidates(graph, rounds, plan, limits):
            if _fits_device(*candidate, device) and flows(graph, rounds, *candidate):
                return rounds, *candidate, True
        return rounds, *result, False
    return rounds, *first, False


def _candidates(graph: VirtualGraph, rounds: Rounds, plan: Plan, limits: ChannelLimits) -> Iterator[tuple[Plan, Boxes]]:
    """The channels and boxes to try, those with the fewest shared channels first."""
    yield plan, boxes_of(plan)
    if plan.whole_tensors:
        plan = plan_channels(graph.instances, rounds, limits, _streams(graph, rounds), by_part=True)
        yield plan, boxes_of(plan)
    cuts = product((False, True), (False, True) if plan.mixed else (False,), range(1, MEMTILE + 1), range(1, MEMTILE + 1))
    cut = [cut_boxes(plan, reads, writes, joined, across) for across, joined, reads, writes in cuts]
    yield from ((plan, boxes) for boxes in sorted(cut, key=lambda boxes: not boxes.is_straight))
    yield plan, binned_boxes(plan)


def _streams(graph: VirtualGraph, rounds: Rounds) -> list[tuple[int, int]]:
    """The numbers of streams from and to other cores, for each core."""
    owner = {i: core for core, numbers in enumerate(rounds.cores) for i in numbers}
    inputs, out = [0] * len(rounds.cores), [0] * len(rounds.cores)
    for edge in graph.edges:
        if edge.source in owner and edge.target in owner and owner[edge.source] != owner[edge.target]:
            out[owner[edge.source]] += 1
            inputs[owner[edge.target]] += 1
    return list(zip(inputs, out, strict=True))


def _fits_device(plan: Plan, boxes: Boxes, device: Device) -> bool:
    """Whether memtiles, shims and the connections above memtiles suffice.

    Passes may cut boxes evenly, into one box for each channel as far as shims have channels, which needs one more channel. If
    passes cannot cut a box evenly, or if a channel carries several tensors (its boxes must stay in one memtile), the boxes must
    be final.
    """
    if plan.mixed and not boxes.final:
        return False
    needs: list[tuple[int, int]] = []
    tiles = [device.tile(column, row).channels for row in device.mem_rows for column in range(device.columns)]
    for reads in (True, False):
        needed, rest = _channels_needed(plan, boxes, reads), _channels_needed(plan, boxes, not reads)
        ends, shims = sum(n for _, n in needed), _shim_channels(device, reads)
        if sum(fills for fills, _ in needed) > shims or ends > _wires(device, reads):
            return False
        cuts = min(sum(n for _, n in rest), _shim_channels(device, not reads))
        if not boxes.final and ends + cuts >= sum(channels[reads] for channels in tiles):
            return False
        if not boxes.final and any(n > EVEN and n % EVEN for _, n in needed):
            return False
        for fills, n in needed:
            sizes = [EVEN] * (n // EVEN) if n > MEMTILE and n % EVEN == 0 and not boxes.final else [n]
            needs += [(fills, size) if reads else (size, fills) for size in sizes]
    return pack(needs, tiles) is not None


def _channels_needed(plan: Plan, boxes: Boxes, reads: bool) -> list[tuple[int, int]]:
    """For the boxes that must be in one memtile, their channels to shims and those to cores."""
    wants = [(1, len(box.channels)) for group, box in boxes.grouped if group.reads is reads]
    for tensor in plan.whole_tensors:
        count = sum(c.reads is reads and any(p.tensor == tensor for p in c.parts) for c in plan.channels)
        wants += [(1, count)] if count else []
    bins: dict[int, int] = {}
    for position, mixed in enumerate(boxes.mixed):
        if mixed.channels[0].reads is reads and boxes.bins:
            bins[boxes.bin(position)] = bins.get(boxes.bin(position), 0) + len(mixed.channels)
        elif mixed.channels[0].reads is reads:
            number = sum(len(mixed.boxes(box_number)) for box_number in range(len(mixed.places)))
            wants.append((1 if boxes.joined else number, len(mixed.channels)))
    return [*wants, *((1, size) for size in bins.values())]


def _shim_channels(device: Device, reads: bool) -> int:
    columns = range(device.columns)
    return sum(device.tile(c, 0).channels[reads] for c in columns if device.kind(c, 0) == "shim_noc")


def _wires(device: Device, reads: bool) -> int:
    """The connections from memtiles to the cores above them, or in the other direction."""
    row, bundle = (device.mem_rows[-1], "North") if reads else (device.core_rows[0], "South")
    return sum(device.ports(column, row, bundle, master=True) for column in range(device.columns))


def _cells(graph: VirtualGraph, rounds: Rounds, plan: Plan, device: Device) -> tuple[list[Cell], int]:
    """The cell of each core, and the number of channels that cores lack there."""
    columns, rows = device.columns, len(device.core_rows)
    numbers = {name: n for n, name in enumerate(rounds.names)}
    owner = graph.owners()
    links = list(dict.fromkeys((numbers[owner[e.source]], numbers[owner[e.target]]) for e in graph.edges))
    ends = [(len(set(w.gets.values())), len(set(w.puts.values()))) for w in plan.wiring]
    result = place_cores(len(rounds.cores), links, columns, rows, ends)
    if result is None:
        raise KernelError(
            f"{counted(len(rounds.cores), 'kernel instance')} for "
            f"{counted(columns * rows, 'core')} of {device.name}; make the mappings smaller"
        )
    return result, lacking(result, links, ends)
