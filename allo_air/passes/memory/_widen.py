"""Which bundles between external memory and L2 can have more channels, and how much each channel carries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.access.cut import Cut, walk_of_piece
from allo_air.arch import machine_of
from allo_air.core.constants import constant_of
from allo_air.core.loops import Loop
from allo_air.core.names import channel_of
from allo_air.core.walking import parents, walk_named
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.dialects.operands import memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import CHANNEL_OPS, Buffer, buffers_in
from allo_air.passes._analysis.channel_ends import GROUP
from allo_air.passes.memory._slabs import Channels, Split, places_of, runs_of, split_for


@dataclass(frozen=True)
class WideBundle:
    """A bundle called `name`. Its ends in L2 are transfers called `end`, one for each of `buffers`, of `each` bytes."""

    name: str
    end: str
    buffers: tuple[Buffer, ...]
    each: float


def launches_of(function: ir.Operation) -> Iterator[tuple[ir.Operation, ir.Operation]]:
    """The launches with one segment whose transfers outside it are known, each with that segment."""
    for launch in walk_named(function, "air.launch"):
        segments = walk_named(launch, "air.segment")
        if len(segments) == 1 and transfers_outside(launch):
            yield launch, segments[0]


def transfers_outside(launch: ir.Operation) -> list[Any] | None:
    """The transfers of a launch outside its segments; None if the size of one is not known."""
    ops = [t for t in walk_named(launch, *CHANNEL_OPS) if not _is_inside(t)]
    return ops if all(runs_of(t) is not None and times_of(t) for t in ops) else None


def bytes_of(transfer: ir.Operation) -> float:
    """Bytes that a transfer with constant sizes moves in all iterations of the loops around it."""
    return (
        times_of(transfer) * prod(r.size for r in runs_of(transfer) or ()) * (element_bits(memref_of(transfer).type) or 0) / 8
    )


def times_of(transfer: AnyOp) -> int:
    """The number of times that a transfer runs in a launch or in a segment; 0 if it is not known."""
    count = 1
    for op in parents(transfer):
        if op.name in ("air.launch", "air.segment"):
            return count
        trips = Loop(op).trips() if op.name == "scf.for" else None
        if trips is None:
            return 0
        count *= trips
    return 0


def bundles(segment: ir.Operation, channels: Channels) -> list[WideBundle]:
    """The bundles between external memory and L2 buffers of `segment` in which each channel has one buffer of its own.

    Bundles that share their channels with others are left out.
    """
    results: dict[tuple[str, str], list[tuple[Any, Buffer]]] = {}
    for buffer in buffers_in(segment):
        for t in buffer.transfers:
            results.setdefault((channel_of(t), t.name), []).append((t, buffer))
    new_values = []
    for (name, end), ends in results.items():
        declared = channels.declared.get(name)
        if declared is None or GROUP in declared.attributes or prod(declared.opview.size) != len(ends):
            continue
        if len({b.value for _, b in ends}) < len(ends):
            continue
        is_separate = all(channels.is_single(t) for t, _ in ends)
        if not is_separate or any(_is_inside(far) or runs_of(t) is None for t, _ in ends for far in channels.other(t)):
            continue
        ordered = sorted(ends, key=lambda e: [n or 0 for n in places_of(e[0])])
        new_values.append(WideBundle(name, end, tuple(b for _, b in ordered), max(bytes_of(t) for t, _ in ends)))
    return new_values


def run_bytes(transfer: AnyOp, cut: Cut | None = None) -> float:
    """The contiguous bytes that a transfer moves at a time; with `cut`, those of the first piece."""
    result = runs_of(transfer) or []
    runs = result if cut is None else walk_of_piece(result, cut, 0) or result
    count = 1
    for run in reversed(runs):
        if run.size > 1 and run.stride != count:
            break
        count *= run.size
    return count * (element_bits(memref_of(transfer).type) or 0) / 8


def is_worth(launch: ir.Operation, gain: float, tasks: int, rest: float, device: Device, each: int = 0) -> bool:
    """Whether a gain of `gain` cycles in each iteration of the launch exceeds the cost of additional tasks.

    `tasks` are started once, and `each` in every iteration. The gain must also exceed a tenth of the cycles that an iteration
    still takes, `rest`.
    """
    sizes = [constant_of(v) or 1 for v in launch.opview.sizes]
    task = machine_of(device).task
    return (gain - each * task) * prod(sizes) > tasks * task and gain * 10 > rest


def splits(wide: WideBundle, channels: Channels, fits: Callable[[Split], bool], most: int) -> list[Split] | None:
    """Splits of all buffers of a bundle, each into the same number of parts; None if they cannot be split."""

    def is_split(plan: Split) -> bool:
        own = [s for s in plan.shared if channel_of(s.nest.transfer) == wide.name]
        return len(plan.shared) == len(own) == 1 and own[0].cut.count == plan.count and fits(plan)

    results = [split_for(b, channels, is_split, most) for b in wide.buffers]
    plans = [plan for plan in results if plan is not None]
    return plans if len(plans) == len(results) and len({(p.count, p.dim) for p in plans}) == 1 else None


def ends_in(segment: ir.Operation, end: str) -> int:
    """The number of channels that have their `end` at an L2 buffer of `segment`."""
    results = {(channel_of(t), *places_of(t)) for b in buffers_in(segment) for t in b.transfers if t.name == end}
    return len(results)


def _is_inside(op: ir.Operation) -> bool:
    return any(p.name in ("air.segment", "air.herd") for p in parents(op))
