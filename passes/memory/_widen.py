"""Which bundles between external memory and L2 can have more channels, and what these have to carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.walking import parents, walk_named
from allo_air.dialects.memrefs import element_bits
from allo_air.dialects.operands import memref_of
from allo_air.mlir import ir
from allo_air.passes._analysis.buffers import CHANNEL_OPS, Buffer, buffers_in
from allo_air.passes._analysis.channel_ends import GROUP
from allo_air.passes.memory._slabs import Channels, Split, places_of, runs_of, split_for


@dataclass(frozen=True)
class Wide:
    """A bundle of `name` whose ends in L2 are transfers called `end`, one for each of `buffers`, of `each` bytes."""

    name: str
    end: str
    buffers: tuple[Buffer, ...]
    each: float


def outside(launch: ir.Operation) -> list[Any] | None:
    """The transfers of a launch outside its segments; None where one is in a loop, or its size is not known."""
    found = [t for t in walk_named(launch, *CHANNEL_OPS) if not _is_inside(t)]
    known = all(t.parent.operation == launch and runs_of(t) is not None for t in found)
    return found if known else None


def bytes_of(transfer: Any) -> float:
    """Bytes that a transfer with constant sizes moves."""
    return prod(r.size for r in runs_of(transfer) or ()) * (element_bits(memref_of(transfer).type) or 0) / 8


def bundles(segment: ir.Operation, channels: Channels) -> list[Wide]:
    """Those between external memory and L2 buffers of `segment`, each channel with one buffer of its own.

    Bundles that share their channels with others are left out.
    """
    found: dict[tuple[str, str], list[tuple[Any, Buffer]]] = {}
    for buffer in buffers_in(segment):
        for t in buffer.transfers:
            found.setdefault((t.attributes["chan_name"].value, t.name), []).append((t, buffer))
    made = []
    for (name, end), ends in found.items():
        declared = channels.declared.get(name)
        if declared is None or GROUP in declared.attributes or prod(declared.opview.size) != len(ends):
            continue
        if len({b.value for _, b in ends}) < len(ends):
            continue
        alone = all(channels.is_single(t) for t, _ in ends)
        if not alone or any(_is_inside(far) or runs_of(t) is None for t, _ in ends for far in channels.other(t)):
            continue
        if any(b.block != segment.regions[0].blocks[0] or t.operation.block != b.block for t, b in ends):
            continue
        ordered = sorted(ends, key=lambda e: [n or 0 for n in places_of(e[0])])
        made.append(Wide(name, end, tuple(b for _, b in ordered), max(bytes_of(t) for t, _ in ends)))
    return made


def splits(wide: Wide, channels: Channels, fits: Callable[[int], bool], most: int) -> list[Split] | None:
    """How all buffers of a bundle are split once more, each into as many; None where they cannot be."""

    def taken(plan: Split) -> bool:
        own = [s for s in plan.shared if s.nest.transfer.attributes["chan_name"].value == wide.name]
        return len(plan.shared) == len(own) == 1 and own[0].cut.count == plan.count and fits(plan.count)

    found = [split_for(b, channels, taken, most) for b in wide.buffers]
    plans = [plan for plan in found if plan is not None]
    return plans if len(plans) == len(found) and len({(p.count, p.dim) for p in plans}) == 1 else None


def ends_in(segment: ir.Operation, end: str) -> int:
    """How many channels have their `end` at an L2 buffer of `segment`."""
    found = {
        (t.attributes["chan_name"].value, *places_of(t)) for b in buffers_in(segment) for t in b.transfers if t.name == end
    }
    return len(found)


def _is_inside(op: ir.Operation) -> bool:
    return any(p.name in ("air.segment", "air.herd") for p in parents(op))
