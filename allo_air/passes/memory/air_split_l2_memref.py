"""air-split-l2-memref."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

from allo_air import dialects
from allo_air.arch.limits import MAX_SIZE
from allo_air.arch.memory import LINE_BYTES
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import emit, position
from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, parents, walk_named
from allo_air.dialects.operands import memref_of
from allo_air.errors import Diagnostic, PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import CHANNEL_OPS, Buffer, buffers_in
from allo_air.passes._analysis.channel_ends import GROUP
from allo_air.passes._analysis.columns import WHOLE_BUFFER_CORES, is_alone, share_of
from allo_air.passes._ir.names import Names
from allo_air.passes.memory._new_channels import channels_of, number_transfers, order_channels
from allo_air.passes.memory._slabs import Channels, Split, reads_along_rows, split_for
from allo_air.passes.memory._split import new_ids, split
from allo_air.passes.memory._unroll import unroll_transfers
from allo_air.passes.memory._widen import run_bytes
from allo_air.plan.plan import Plan
from allo_air.plan.schema import plan_or_unplanned

_KEPT = ("air.no_split", "air.memtile_col")
"""On the allocation of a buffer that stays whole, or the `air.execute` around it."""


@dataclass(frozen=True)
class AirSplitL2Memref(Pass):
    """Splits L2 buffers whose parts herds use through different channels, so that each part can be in its own memtile.

    The pass changes segments with more than `tiles-per-l2-tile` cores (with more than one core for a single kernel of
    `plan-tiles`), and segments with a buffer that uses more channels in one direction than `tiles-per-memtile`. Only channel
    transfers may use a buffer that is split, and its allocation must have neither `air.no_split` nor `air.memtile_col`.
    A buffer is cut along the first dimension in which every transfer from or to a herd stays in one part. Other transfers that
    span several parts are cut as well, at both ends: they use a new bundle with a channel for each part. Parallel loops of
    transfers in these segments are unrolled. New channels are declared last and numbered in the order of the text, as are the
    ids of all transfers.
    `max-launch-channels-mm2s` and `-s2mm` limit the number of channels that a launch puts into and gets from (0: no limit).
    A buffer whose parts would exceed the limit stays whole, with a remark; with `fewer-parts` it is cut into fewer parts if
    possible. A kernel of fewer columns (`allo.columns`) has its share of the channels.
    Buffers with more than `tiles-per-memtile` transfers in one direction, for which a memtile has no channels, come first. A
    dimension that leaves a part with so many is cut only if no other can be. If a plan lays the cores along one dimension of
    the result, a buffer is cut into at most one part for each column; an operand that goes to pairs of memtiles, into one for
    each pair.

    Before:

        air.channel @in []
        air.channel.put @in[] (%a[] [] []) : (memref<64x64xf32>)
        %m = memref.alloc() : memref<64x64xf32, 1>
        air.channel.get @in[] (%m[] [] []) : (memref<64x64xf32, 1>)
        air.channel.put @row_0[] (%m[%c0, %c0] [%c32, %c64] [%c64, %c1]) : (memref<64x64xf32, 1>)
        air.channel.put @row_1[] (%m[%c32, %c0] [%c32, %c64] [%c64, %c1]) : (memref<64x64xf32, 1>)

    After:

        air.channel @channel_0 [2, 1]
        air.channel.put @channel_0[%c0, %c0] (%a[%c0, %c0] [%c32, %c64] [%c64, %c1]) : (memref<64x64xf32>)
        air.channel.put @channel_0[%c1, %c0] (%a[%c32, %c0] [%c32, %c64] [%c64, %c1]) : (memref<64x64xf32>)
        %m = memref.alloc() : memref<32x64xf32, 1>
        %n = memref.alloc() : memref<32x64xf32, 1>
        air.channel.get @channel_0[%c0, %c0] (%m[%c0, %c0] [%c32, %c64] [%c64, %c1]) : (memref<32x64xf32, 1>)
        air.channel.get @channel_0[%c1, %c0] (%n[%c0, %c0] [%c32, %c64] [%c64, %c1]) : (memref<32x64xf32, 1>)
        air.channel.put @row_0[] (%m[%c0, %c0] [%c32, %c64] [%c64, %c1]) : (memref<32x64xf32, 1>)
        air.channel.put @row_1[] (%n[%c0, %c0] [%c32, %c64] [%c64, %c1]) : (memref<32x64xf32, 1>)
    """

    name = "air-split-l2-memref"
    anchor = "func.func"
    tiles_per_l2_tile: int = WHOLE_BUFFER_CORES
    """Largest number of cores of a segment for which its buffers are not split."""
    max_launch_channels_mm2s: int = 0
    """Largest number of channels that a launch puts into; 0 for no limit."""
    max_launch_channels_s2mm: int = 0
    """Largest number of channels that a launch gets from; 0 for no limit."""
    tiles_per_memtile: int = 6
    """Channels of a memtile in each direction."""
    fewer_parts: bool = False
    """Split into fewer parts if a limit would be exceeded."""
    memtiles: int = 0
    """Memtiles that hold the buffers; 0 for no limit."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        function = op.operation
        is_single = plan_or_unplanned(function).is_tiled and is_alone(function)
        module = list(parents(function))[-1]
        before = channels_of(module)
        with op.context, op.location:
            for segment in walk_named(function, "air.segment"):
                # air-collapse-herd does not change such a herd
                most = 1 if is_single and _is_wide(segment) else self.tiles_per_l2_tile
                if _cores(segment) > most or self._is_crowded(segment, Channels(function)):
                    self._split(segment, function, module)
            if order_channels(module, before):
                number_transfers(function)

    def _is_crowded(self, segment: ir.Operation, channels: Channels) -> bool:
        """Whether a buffer uses more channels in one direction than a memtile has."""
        return any(
            _channel_count(b, end, channels) > self.tiles_per_memtile for b in buffers_in(segment) for end in CHANNEL_OPS
        )

    def _split(self, segment: ir.Operation, function: ir.Operation, module: ir.Operation) -> None:
        unroll_transfers(segment)
        names, numbers = Names(module), new_ids(module)
        planned = plan_or_unplanned(function)
        refused: dict[Any, str] = {}
        while True:
            channels = Channels(function)
            fits = partial(
                self._fits,
                function,
                planned,
                segment,
                channels,
                planned.is_tiled and _cores(segment) <= self.tiles_per_l2_tile,
                refused,
            )
            buffers = sorted(buffers_in(segment), key=partial(self._turn, planned, channels))
            plans = (split_for(b, channels, fits, self.tiles_per_memtile) for b in buffers if not _is_kept(b))
            plan = next((p for p in plans if p is not None), None)
            if plan is None:
                _remove_unequal_splits(channels)
                for alloc, remark in refused.items():
                    emit(Diagnostic("remark", *position(alloc.location), remark))
                return
            split(plan, names, channels, numbers)

    def _turn(self, planned: Plan, channels: Channels, buffer: Buffer) -> tuple[int, bool]:
        """The sort key of a buffer: those with the most excess transfers are split first; then, in a matrix multiplication, the
        buffers of A, as its planner counts channels.
        """
        of_gemm = planned.family not in ("none", "tiles", "window")
        return -_excess_transfers(buffer, self.tiles_per_memtile, channels), of_gemm and reads_along_rows(buffer, channels)

    def _fits(
        self,
        function: ir.Operation,
        planned: Plan,
        segment: ir.Operation,
        channels: Channels,
        few: bool,
        refused: dict[AnyOp, str],
        plan: Split,
    ) -> bool:
        """Whether the launch's channels stay within the limits, and, for `few` cores, contiguous runs in external memory have
        at least a line.

        The second condition is dropped if no descriptor can walk the transfer's part of the buffer, or if another buffer that
        reaches the cores over the same channels is cut: all parts of both would have to be in one memtile.
        """
        if plan.buffer.alloc in refused:
            return False
        outer = [t for t in plan.shared if _is_outside_segments(t.far)]
        walks = all(any(n % d == 0 and n // d <= MAX_SIZE for d in range(1, MAX_SIZE)) for n in plan.buffer.value.type.shape)
        short = any(run_bytes(t.far, t.cut) < min(run_bytes(t.far), LINE_BYTES) for t in outer)
        if few and walks and short and not _is_tied(channels, plan):
            return False
        launch = enclosing(segment, "air.launch") or function
        for name, bound in zip(CHANNEL_OPS, (self.max_launch_channels_mm2s, self.max_launch_channels_s2mm), strict=True):
            cut = {channel_of(t.far): t.cut.count for t in plan.shared if t.far.name == name and _is_outside_segments(t.far)}
            most = share_of(function, bound)
            if bound and cut and _launch_channels(launch, name, channels, cut) > most:
                if not self.fewer_parts:
                    refused[plan.buffer.alloc] = _too_many(launch, name, channels, cut, most)
                return False
            parts = planned.spread // (2 if name == CHANNEL_OPS[0] and planned.is_paired else 1)
            if parts and cut and plan.count > parts:
                return False
            if bound and cut and planned.is_paired and reads_along_rows(plan.buffer, channels):
                cores = planned.cores[0]
                if plan.count > (most - cores) // 2:  # the other half needs the same number of channels
                    return False
            ends = sum(t.cut.count - 1 for t in plan.shared if t.nest.transfer.name == name)
            ports = share_of(function, self.memtiles * self.tiles_per_memtile)
            if ports and ends and _ends_of(segment, name, channels) + ends > ports:
                return False
        return True


def _too_many(launch: ir.Operation, name: str, channels: Channels, cut: dict[str, int], most: int) -> str:
    """The remark on a buffer whose parts would need more than `most` of the launch's channels."""
    before, after = (_launch_channels(launch, name, channels, new) for new in ({}, cut))
    [(channel, factor), *_] = cut.items()
    direction = "MM2S" if name == CHANNEL_OPS[0] else "S2MM"
    return (
        f"skipping split (factor={factor}) on L2 alloc via channel @{channel} to avoid pushing launch {direction} endpoint"
        f" count from {before} to {after} (cap={most})"
    )


def _is_wide(segment: ir.Operation) -> bool:
    """Whether a herd of `segment` has several columns."""
    return any(constant_of(herd.opview.sizes[0]) != 1 for herd in walk_named(segment, "air.herd"))


def _remove_unequal_splits(channels: Channels) -> None:
    """Removes channels that were split differently from the first one of their group: they can no longer be fused."""
    first: dict[int, list[int]] = {}
    for declared in channels.declared.values():
        if GROUP in declared.attributes:
            sizes = list(declared.opview.size)
            if first.setdefault(declared.attributes[GROUP].value, sizes) != sizes:
                del declared.attributes[GROUP]


def _cores(segment: AnyOp) -> int:
    """The number of cores of the herds of `segment`. Herds of one symbol are phases of the same cores."""
    sizes: dict[Any, int] = {}
    for n, herd in enumerate(walk_named(segment, "air.herd")):
        constants = [constant_of(v) for v in herd.opview.sizes]
        if None in constants:
            raise PassError(
                "has a size that is not constant, so its cores cannot be counted; run canonicalize", herd.location, herd.name
            )
        key = sym_name_of(herd) if "sym_name" in herd.attributes else n
        sizes[key] = max(sizes.get(key, 0), prod(k for k in constants if k is not None))
    return sum(sizes.values())


def _excess_transfers(buffer: Buffer, bound: int, channels: Channels) -> int:
    """The number of transfers out of a buffer, or into it, above `bound`. Transfers that will share a channel count
    once.
    """
    results = [(t.name, _shared(t, channels), *map(constant_of, t.opview.indices)) for t in buffer.transfers]
    each = [place for n, place in enumerate(results) if place[1] not in channels.declared and place not in results[:n]]
    unbundled = [place for place in results if place[1] in channels.declared]
    return max(0, *([p[0] for p in (*each, *unbundled)].count(name) - bound for name in CHANNEL_OPS))


def _shared(transfer: AnyOp, channels: Channels) -> str:
    """The name of the channel of a transfer; for channels that `air-fuse-channels` fuses, their common name."""
    name = channel_of(transfer)
    declared = channels.declared.get(name)
    return f"group {declared.attributes[GROUP].value}" if declared is not None and GROUP in declared.attributes else str(name)


def _channel_count(buffer: Buffer, end: str, channels: Channels) -> int:
    """The number of channels with an `end` at `buffer`: all channels of a bundle if its indices are not constant."""
    results: dict[str, set[tuple[int | None, ...]]] = {}
    sizes: dict[str, int] = {}
    for transfer in (t for t in buffer.transfers if t.name == end):
        name, shared = channel_of(transfer), _shared(transfer, channels)
        results.setdefault(shared, set()).add(tuple(map(constant_of, transfer.opview.indices)))
        sizes[shared] = prod(channels.declared[name].opview.size) if name in channels.declared else 1
    return sum(sizes[name] if any(None in indices for indices in places) else len(places) for name, places in results.items())


def _ends_of(segment: ir.Operation, end: str, channels: Channels) -> int:
    """The number of channels with their `end` at L2 buffers of `segment`. Channels that `air-fuse-channels` fuses count
    once.
    """
    results: dict[Any, int] = {}
    for buffer in buffers_in(segment):
        for transfer in (t for t in buffer.transfers if t.name == end):
            name = channel_of(transfer)
            declared = channels.declared.get(name)
            key = declared.attributes[GROUP].value if declared is not None and GROUP in declared.attributes else name
            results[key] = prod(declared.opview.size) if declared is not None else 1
    return sum(results.values())


def _is_kept(buffer: Buffer) -> bool:
    return any(name in op.attributes for name in _KEPT for op in (buffer.alloc, buffer.home))


def _is_outside_segments(op: ir.Operation) -> bool:
    return not any(p.name in ("air.segment", "air.herd") for p in parents(op))


def _launch_channels(launch: ir.Operation, name: str, channels: Channels, cut: dict[str, int]) -> int:
    """The number of channels of a launch's transfers called `name` outside of segments, if those in `cut` are cut into
    the given numbers. Each launch has the shims for itself.

    Channels that `air-fuse-channels` fuses count once, unless they are cut into different numbers.
    """
    used = {channel_of(op) for op in walk_named(launch, name) if _is_outside_segments(op)}
    sizes: dict[str, list[int]] = {}
    for channel in sorted(used):
        declared = channels.declared.get(channel)
        size = cut.get(channel, prod(declared.opview.size) if declared is not None else 1)
        key = declared.attributes[GROUP].value if declared is not None and GROUP in declared.attributes else channel
        sizes.setdefault(key, []).append(size)
    return sum(max(value) if len(set(value) - {1}) < 2 else sum(value) for value in sizes.values())


def _is_tied(channels: Channels, plan: Split) -> bool:
    """Whether a channel of the buffer is to be fused with channels whose buffers have already been split into equally many
    parts.
    """
    for transfer in plan.buffer.transfers:
        declared = channels.declared.get(channel_of(transfer))
        if declared is None or GROUP not in declared.attributes:
            continue
        group = declared.attributes[GROUP]
        for name, channel in channels.declared.items():
            if channel == declared or GROUP not in channel.attributes or channel.attributes[GROUP] != group:
                continue
            if len({memref_of(t) for t in channels.at(name, transfer.name)}) == plan.count > 1:
                return True
    return False
