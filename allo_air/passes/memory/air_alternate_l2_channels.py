"""air-alternate-l2-channels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import prod

from allo_air import dialects
from allo_air.arch import arch_of
from allo_air.core.names import channel_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import CHANNEL_OPS, Buffer, buffers_in
from allo_air.passes._analysis.channel_ends import GROUP
from allo_air.passes._analysis.columns import share_of
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.memory._channel_interleave import Interleave, interleave_loop, interleave_of, multiplex, multiplex_on_pairs
from allo_air.passes.memory._slabs import Channels, Split
from allo_air.passes.memory._split import new_ids, split_all
from allo_air.passes.memory._widen import (
    WideBundle,
    bundles,
    bytes_of,
    ends_in,
    is_worth,
    launches_of,
    run_bytes,
    splits,
    transfers_outside,
)
from allo_air.plan.schema import plan_or_unplanned


@dataclass(frozen=True)
class AirAlternateL2Channels(Pass):
    """Fills L2 buffers over two channels each if one channel from external memory is slower than the memory.

    A loop must bring the operand piece by piece, each piece into a buffer that lives for one iteration. There are two ways:

    * A buffer that several cores read is split in two, with a channel for each half, if runs in external memory keep their
      length.
    * Otherwise, if the number of pieces is even, odd pieces get a channel of their own. The memtiles need room for two pieces,
      or for four with double buffering.

    The shims have `channels` (0: all) in each direction. If there are too few, another operand of the same loop that is no
    larger than a channel's load is multiplexed on the channels of the first one: each of its pieces precedes a piece there
    (`allo.multiplexed`). Transfers that share a channel with it in its loop move too, to the second channel of each buffer if
    both halves carry a part of it. The operand along which all cores lie (`spread` in the plan) is always multiplexed if its
    own channels are slower than memory.

    Operands that `air-split-l2-pieces` sends to pairs of memtiles are left to that pass, with two exceptions: operands
    multiplexed on the first channel of such a pair, and the alternation of pieces from four columns to the memtiles of two.

    Before:
        %1 = scf.for %k = %c0 to %c128 step %c32 iter_args(%t = %0) -> (!air.async.token) {
          %2 = air.channel.put async [%t] @in[%c0, %c0] (%b[%k, %c0] [%c32, %c64] [%c64, %c1]) : (memref<128x64xf32>)
        }
        %3 = scf.for %k = %c0 to %c128 step %c32 iter_args(%t = %0) -> (!air.async.token) {  // in the segment
          %m = memref.alloc() : memref<32x64xf32, 1>
          air.channel.get async [%t] @in[%c0, %c0] (%m[] [] []) : (memref<32x64xf32, 1>)
        }
    After:
        %1 = scf.for %k = %c0 to %c128 step %c64 iter_args(%t = %0) -> (!air.async.token) {
          %2 = air.channel.put async [%t] @in[%c0, %c0] (%b[%k, %c0] [%c32, %c64] [%c64, %c1]) : (memref<128x64xf32>)
          %4 = air.channel.put async [%2] @in[%c1, %c0] (%b[%k + 32, %c0] [%c32, %c64] [%c64, %c1]) : (memref<128x64xf32>)
        }
        %3 = scf.for %k = %c0 to %c128 step %c64 iter_args(%t = %0) -> (!air.async.token) {
          %m = memref.alloc() : memref<32x64xf32, 1>
          %5 = air.channel.get async [%t] @in[%c0, %c0] (%m[] [] []) : (memref<32x64xf32, 1>)
          %n = memref.alloc() : memref<32x64xf32, 1>
          air.channel.get async [%5] @in[%c1, %c0] (%n[] [] []) : (memref<32x64xf32, 1>)
        }
    """

    name = "air-alternate-l2-channels"
    anchor = "func.func"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    channels: int = 0
    """Channels of the shims in each direction that may be used, 0 for all."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        function, device = op.operation, device_option(self.name, self.device)
        if plan_or_unplanned(function).is_paired and not plan_or_unplanned(function).spread:
            return
        with op.context, op.location:
            for launch, segment in launches_of(function):
                if plan_or_unplanned(function).is_paired:
                    _multiplex_on_pairs(segment, list(parents(function))[-1], plan_or_unplanned(function).route("b").channels)
                    continue
                self._alternate(function, launch, segment, device)

    def _alternate(self, function: ir.Operation, launch: ir.Operation, segment: ir.Operation, device: Device) -> None:
        """Doubles the channels of the bundle with the busiest channels, if that gains more than it costs."""
        module, arch = list(parents(function))[-1], arch_of(device)
        channels, transfers = Channels(function, each=True), transfers_outside(launch) or []
        memory = sum(bytes_of(t) * arch.memory_share(run_bytes(t)) for t in transfers) / arch.memory_bytes
        per_shim, ports = device.tiles["shim_noc"].channels[0], device.tiles["mem"].channels[0]
        most = share_of(function, self.channels or device.columns * per_shim)
        for wide in sorted(bundles(segment, channels), key=lambda w: -w.each):
            if wide.end != CHANNEL_OPS[1]:
                continue
            columns = plan_or_unplanned(function).spread
            planned = len(wide.buffers) == columns and columns * arch.channel_bytes < arch.memory_bytes
            if not planned and wide.each / arch.stream_bytes <= memory:
                continue
            interleave = interleave_of(wide, channels)
            if interleave is None or _others_share(interleave, channels):
                continue
            halves = splits(wide, channels, partial(_is_as_long, wide), ports)
            room = device.tiles["mem"].memory
            if (interleave.rounds % 2 and not halves) or not _fits_memtile(
                interleave, buffers_in(segment), room, halved=halves is not None
            ):
                continue
            more = len(wide.buffers)
            far, near = sum(t.name != wide.end for t in transfers), ends_in(segment, wide.end)
            missing = max(0, far + more - most, near + more - max(1, most // per_shim) * ports)
            if missing > len(interleave.multiplexed):
                continue
            multiplexes = missing > 0
            carried = wide.each + (sum(bytes_of(e.near) for e in interleave.multiplexed) if multiplexes else 0)
            cycles_after = max(memory, carried / 2 / arch.stream_bytes)
            if planned or is_worth(launch, wide.each / arch.stream_bytes - cycles_after, more, cycles_after, device):
                if not halves:
                    interleave_loop(interleave, multiplexes, channels, new_ids(module))
                    return
                interleave = _split(halves, interleave, segment, channels, module)
                if multiplexes:
                    multiplex(interleave, Channels(module, each=True), _parts(interleave, len(interleave.ends)), apart=True)
                return


def _others_share(interleave: Interleave, channels: Channels) -> bool:
    """Whether channels are to be fused, but none of the multiplexed operand: such channels alternate already."""
    grouped = {name for name, declared in channels.declared.items() if GROUP in declared.attributes}
    return bool(grouped) and grouped.isdisjoint(channel_of(e.near) for e in interleave.multiplexed)


def _parts(interleave: Interleave, channels: int) -> int:
    """The number of channels, out of the given number, among which the multiplexed operand is divided.

    It is one if the operands that share its channel, which use the second channel, carry half as many bytes or more. Otherwise
    it is four, the channels of two columns, if these are available and the number of pieces is even: ping and pong are then
    the two alternating buffers, since data in two memtiles is not doubled otherwise. Else it is two.
    """
    first_bytes, *rest = (bytes_of(e.far) for e in interleave.multiplexed)
    if 2 * sum(rest) >= first_bytes:
        return 1
    return 4 if interleave.rounds % 2 == 0 and channels >= 4 else 2


def _has_contiguous_pieces(interleave: Interleave) -> bool:
    """Whether each piece of the other operand is one run of external memory, so that its parts can be separate buffers."""
    assert interleave.other_operand is not None
    far = interleave.other_operand.far
    return run_bytes(far) * interleave.rounds == bytes_of(far)


def _multiplex_on_pairs(segment: ir.Operation, module: ir.Operation, count: int) -> None:
    """Multiplexes the small operand on channels of the operand that goes to pairs of memtiles: `count` for each old one."""
    channels = Channels(module, each=True)
    results = [interleave_of(w, channels) for w in sorted(bundles(segment, channels), key=lambda w: -w.each)]
    interleave = next((t for t in results if t is not None and t.other_operand is not None and t.rounds % 2 == 0), None)
    if interleave is not None:
        multiplex_on_pairs(interleave, channels, new_ids(module), count)


def _is_as_long(wide: WideBundle, plan: Split) -> bool:
    """Whether the halves of a buffer have contiguous runs as long as those of the whole."""
    [shared] = [s for s in plan.shared if channel_of(s.nest.transfer) == wide.name]
    return plan.count == 2 and run_bytes(shared.far, shared.cut) >= run_bytes(shared.far)


def _split(
    halves: list[Split], interleave: Interleave, segment: ir.Operation, channels: Channels, module: ir.Operation
) -> Interleave:
    """Applies the splits to the bundle of `interleave`; returns the same plan for the halves, with the multiplexed operand."""
    name = split_all(halves, interleave.wide.name, channels, module)
    channels = Channels(module, each=True)
    [wide] = [w for w in bundles(segment, channels) if w.name == name]
    result = interleave_of(wide, channels)
    assert result is not None, "halves alternate as the whole buffers do"
    return replace(result, multiplexed=interleave.multiplexed)


def _fits_memtile(interleave: Interleave, buffers: list[Buffer], room: int, *, halved: bool) -> bool:
    """Whether a memtile has room for a buffer of the bundle and the other buffers in the loop, two or four times, and for the
    buffers outside of the loop.

    `air-ping-pong-transform` doubles the buffers in the loop. Before that, each is one buffer if buffers are `halved`, and two
    alternating ones otherwise. The multiplexed operand may be divided between two memtiles.
    """
    sizes = {b.value: prod(b.value.type.shape) * (element_bits(b.value.type) or 0) // 8 for b in buffers}
    own = [sizes[b.value] for b in interleave.wide.buffers]
    inside = sum(sizes[b.value] for b in buffers if b.home.parent.operation == interleave.near) - sum(own)
    outside_of_it = sum(sizes.values()) - inside - sum(own)
    two = (
        halved
        and interleave.other_operand is not None
        and _parts(interleave, 2 * len(interleave.ends)) > 2
        and _has_contiguous_pieces(interleave)
    )
    inside //= 2 if two else 1
    return (2 if halved else 4) * (max(own) + inside) + outside_of_it // len(own) <= room
