"""Streams between external memory and cores that outnumber the shim's DMA channels become packet-switched."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil
from typing import Any

from allo_air.core.walking import walk_named
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.channel._boxes import Box, Point
from allo_air.passes.channel._split import ExternalOp


@dataclass(frozen=True)
class ShimStream:
    """A bundle between external memory and the cores `points` of a herd (`source`: all of them get the same data)."""

    channel: str
    herd: Any
    is_put: bool
    points: tuple[Point, ...]
    source: Box | None


def shim_streams(externals: list[ExternalOp]) -> list[ShimStream]:
    """The streams among the ends that are to leave hierarchies."""
    found = []
    for external in externals:
        herd = next((o for o in external.path if o.name == "air.herd"), None)
        if herd is None or external.op.name not in ("air.channel.put", "air.channel.get"):
            continue
        is_put = external.op.name == "air.channel.put"
        view = external.op.opview
        if is_in((view.src if is_put else view.dst).type, 0):
            found.append(ShimStream(view.chan_name, herd, is_put, external.points, external.source))
    return found


def relieve(module: Any, streams: list[ShimStream], limit: int, *, force: bool) -> None:
    """Makes channels `dma_packet` where a herd needs more than `limit` shim DMA channels a column, or, with `force`, all.

    A direction is looked at by itself: a shim tile has `limit` channels to the array and as many from it. Streams of one
    source to all their cores count once; every other core counts for itself, in the column that it stands in.
    """
    crowded = {name for group in _groups(streams) if pressure(group) > limit for name in (s.channel for s in group)}
    if force:
        crowded |= {o.opview.chan_name for o in walk_named(module, "air.channel.put") if is_in(o.opview.src.type, 0)}
        crowded |= {o.opview.chan_name for o in walk_named(module, "air.channel.get") if is_in(o.opview.dst.type, 0)}
    for channel in walk_named(module, "air.channel"):
        if channel.opview.sym_name in crowded and channel.opview.channel_type in ("dma_stream", "npu_dma_stream"):
            channel.opview.channel_type = "dma_packet"


def pressure(streams: list[ShimStream]) -> int:
    """Shim DMA channels that `streams`, of one herd and direction, need in the column that needs most.

    A broadcast over several columns may enter through any of them, so that k of them over the same number of columns n take
    ceil(k / n) channels in each; everything else enters in its core's column (dimension 0 of the herd).
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
