"""Makes streams between external memory and cores packet-switched if there are more than the shims have DMA channels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import warn_at
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.operands import memref_of
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.channel._boxes import Box, Point
from allo_air.passes.channel._split import ExternalOp

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_STREAMS, _PACKETS = ("dma_stream", "npu_dma_stream"), ("dma_packet", "npu_dma_packet")


@dataclass(frozen=True)
class ShimStream:
    """A bundle between external memory and the cores `points` of a herd. With `source`, all of them receive the same data."""

    channel: str
    herd: Any
    is_put: bool
    points: tuple[Point, ...]
    source: Box | None


def shim_streams(externals: list[ExternalOp]) -> list[ShimStream]:
    """The streams among the operations that leave a hierarchy."""
    results = []
    for external in externals:
        herd = next((o for o in external.path if o.name == "air.herd"), None)
        if herd is None or external.op.name not in ("air.channel.put", "air.channel.get"):
            continue
        is_put = external.op.name == "air.channel.put"
        view = external.op.opview
        if is_in((view.src if is_put else view.dst).type, 0):
            results.append(ShimStream(view.chan_name, herd, is_put, external.points, external.source))
    return results


def upgrade(module: AnyOp, limit: int, *, force: bool) -> None:
    """Makes the channels between L3 and the cores of a segment `dma_packet` if there are more than `limit` in one direction.

    Each channel counts once, regardless of the size of its bundle; n channels that broadcast over n columns count as one. With
    `force`, all of these channels become `dma_packet`.
    """
    declared = {c.opview.sym_name: c for c in walk_named(module, "air.channel")}
    ends = {end: walk_named(module, f"air.channel.{end}") for end in ("put", "get")}
    for direction, far, near in (("input", "put", "get"), ("output", "get", "put")):
        outside = {o.opview.chan_name for o in ends[far] if _outermost_hierarchy(o) is None and is_in(memref_of(o).type, 0)}
        homes: dict[Any, list[str]] = {}
        for op in ends[near]:
            home, name = _outermost_hierarchy(op), op.opview.chan_name
            if home is not None and any(p.name == "air.herd" for p in parents(op)) and name in outside and name in declared:
                homes.setdefault(home, []).append(name)
        for home, names in homes.items():
            channels = [declared[n] for n in dict.fromkeys(names) if declared[n].opview.channel_type in (*_STREAMS, *_PACKETS)]
            changed = [c for c in channels if c.opview.channel_type in _STREAMS]
            needed = _declared_pressure(channels)
            if not changed or (needed <= limit and not force):
                continue
            if needed > limit:
                count = f"{len(changed)} {direction} channel{'s' * (len(changed) != 1)}"
                why = f"per-column pressure {needed} exceeds shim DMA limit of {limit}"
                warn_at(home, f"auto-upgrading {count} to dma_packet ({why})")
            for channel in changed:
                channel.opview.channel_type = "dma_packet"


def _declared_pressure(channels: Sequence[AnyOp]) -> int:
    single, wide = 0, Counter[int]()
    for channel in channels:
        shape = channel.attributes.get("broadcast_shape")
        if shape is None or channel.opview.channel_type in _PACKETS:
            single += 1
        else:
            wide[shape[0].value] += 1
    return single + sum(ceil(count / span) for span, count in wide.items())


def _outermost_hierarchy(op: AnyOp) -> Any:
    """The outermost segment or herd around `op`, or None."""
    ancestors = [p for p in parents(op) if p.name in ("air.segment", "air.herd")]
    return ancestors[-1] if ancestors else None


def use_packets_above(module: AnyOp, streams: list[ShimStream], limit: int) -> None:
    """Makes channels `dma_packet` if a herd needs more than `limit` shim DMA channels in a column.

    Each direction is checked separately: a shim tile has `limit` channels to the array and `limit` channels from it. Streams
    from one source to all of their cores count once. Other streams count once for each core, in the core's column.
    """
    crowded = {name for group in _groups(streams) if pressure(group) > limit for name in (s.channel for s in group)}
    for channel in walk_named(module, "air.channel"):
        if channel.opview.sym_name in crowded and channel.opview.channel_type in _STREAMS:
            channel.opview.channel_type = "dma_packet"


def pressure(streams: list[ShimStream]) -> int:
    """The number of shim DMA channels that `streams`, of one herd and direction, need in the busiest column.

    A broadcast over several columns may enter through any of them: k broadcasts over the same n columns need ceil(k / n)
    channels in each. Other streams enter in their core's column (dimension 0 of the herd).
    """
    fixed: Counter[int] = Counter()
    wide: Counter[int] = Counter()
    for stream in streams:
        if stream.source is None:
            fixed.update(p[0] if p else 0 for p in stream.points)
        elif stream.source.shape[0] == 1:
            fixed[stream.source.lower[0]] += 1
        else:
            wide[stream.source.shape[0]] += 1
    return max(fixed.values(), default=0) + sum(ceil(k / n) for n, k in wide.items())


def _groups(streams: list[ShimStream]) -> list[list[ShimStream]]:
    groups: list[list[ShimStream]] = []
    for stream in streams:
        fitting = (g for g in groups if g[0].herd == stream.herd and g[0].is_put == stream.is_put)
        group = next(fitting, None)
        if group is None:
            groups.append([stream])
        else:
            group.append(stream)
    return groups
