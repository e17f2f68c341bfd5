"""air-widen-l2-transfers."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air import dialects
from allo_air.arch import arch_of
from allo_air.core.names import channel_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import root_of
from allo_air.device import Device
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import CHANNEL_OPS
from allo_air.passes._analysis.columns import share_of
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.memory._channel_multiplexing import multiplex, multiplexed_transfers
from allo_air.passes.memory._slabs import Channels, Split
from allo_air.passes.memory._split import split_all
from allo_air.passes.memory._unroll import unroll_transfers
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
class AirWidenL2Transfers(Pass):
    """Splits L2 buffers further if one channel from or to external memory is slower than the memory.

    A channel of a shim carries a word a cycle. A kernel that reads one operand and writes little therefore needs both channels
    of each column. All buffers of a bundle are split, or none. The shims have `channels` in each direction (0: all); a kernel
    of fewer columns has its share of them, and as many memtiles.
    Nothing is split if the gain is less than the start of the additional tasks, if shorter runs would slow the memory down, or
    if a matrix multiplication brings the operand in loops. Parallel loops of transfers in the segment are unrolled first. If
    channels are missing, small transfers of a kernel of `plan-tiles`, such as a vector for all cores, share one of the new
    channels and precede its other data in each launch. They do not if the channel's ring of descriptors, one for each piece of
    both, would not fit a memtile.

    Before:

        air.channel @in [1, 1]
        air.channel.put @in[%c0, %c0] (%a[%c0] [%c64] [%c1]) : (memref<64xf32>)
        %m = memref.alloc() : memref<2x32xf32, 1>
        air.channel.get @in[%c0, %c0] (%m[] [] []) : (memref<2x32xf32, 1>)

    After:

        air.channel @channel_0 [2, 1]
        air.channel.put @channel_0[%c0, %c0] (%a[%c0] [%c32] [%c1]) : (memref<64xf32>)
        air.channel.put @channel_0[%c1, %c0] (%a[%c32] [%c32] [%c1]) : (memref<64xf32>)
        %m = memref.alloc() : memref<1x32xf32, 1>
        %n = memref.alloc() : memref<1x32xf32, 1>
        air.channel.get @channel_0[%c0, %c0] (%m[] [] []) : (memref<1x32xf32, 1>)
        air.channel.get @channel_0[%c1, %c0] (%n[] [] []) : (memref<1x32xf32, 1>)
    """

    name = "air-widen-l2-transfers"
    anchor = "func.func"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    channels: int = 0
    """Channels of the shims in each direction that may be used, 0 for all."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        function, device = op.operation, device_option(self.name, self.device)
        with op.context, op.location:
            for launch, segment in launches_of(function):
                unroll_transfers(segment)
                while self._widen(function, launch, segment, device):
                    pass

    def _widen(self, function: ir.Operation, launch: ir.Operation, segment: ir.Operation, device: Device) -> bool:
        """Splits the buffers of the bundle with the busiest channels that needs it and can be split."""
        transfers = transfers_outside(launch)
        if not transfers or (not plan_or_unplanned(function).is_tiled and any(t.parent.operation != launch for t in transfers)):
            return False
        channels, arch = Channels(function, each=True), arch_of(device)
        times = {t: bytes_of(t) * arch.memory_share(run_bytes(t)) / arch.memory_bytes for t in transfers}
        most = share_of(function, self.channels or device.columns * device.tiles["shim_noc"].channels[0])
        per_shim, ports = device.tiles["shim_noc"].channels[0], device.tiles["mem"].channels[0]
        tiles = max(1, most // per_shim)
        for wide in sorted(bundles(segment, channels), key=lambda w: -w.each):
            took = wide.each / arch.stream_bytes
            if took <= sum(times.values()):
                return False
            far = sum(t.name != wide.end for t in transfers)
            near = ends_in(segment, wide.end)
            small = []
            if plan_or_unplanned(function).family == "tiles":
                # each other end has two descriptors, and half of the channels share half of the memtile's
                ends = sum(ends_in(segment, end) for end in CHANNEL_OPS) // tiles
                small = multiplexed_transfers(transfers, wide, channels, device.tiles["mem"].bds // 2 - ends)

            def fits(
                plan: Split,
                wide: WideBundle = wide,
                small: list[AnyOp] = small,
                far: int = far,
                near: int = near,
                took: float = took,
            ) -> bool:
                more = len(wide.buffers) * (plan.count - 1)
                missing = max(0, far + more - most, near + more - tiles * ports)
                if missing > len(small):
                    return False
                shorter = run_bytes(plan.shared[0].far, plan.shared[0].cut)
                cycles_after = sum(
                    bytes_of(t) * arch.memory_share(shorter) / arch.memory_bytes if _is_end(t, wide) else time
                    for t, time in times.items()
                )
                gain = took - max(cycles_after, took / plan.count)
                return is_worth(launch, gain, more, cycles_after, device, 2 * missing)

            plans = splits(wide, channels, fits, ports)
            if plans is not None:
                more = len(wide.buffers) * (plans[0].count - 1)
                missing = max(0, far + more - most, near + more - tiles * ports)
                _carry_out(wide, plans, channels, root_of(function), small[:missing])
                return True
        return False


def _is_end(transfer: AnyOp, wide: WideBundle) -> bool:
    return bool(channel_of(transfer) == wide.name and transfer.name != wide.end)


def _carry_out(wide: WideBundle, plans: list[Split], channels: Channels, module: ir.Operation, small: list[AnyOp]) -> None:
    into, name = plans[0].count, split_all(plans, wide.name, channels, module)
    for number, transfer in enumerate(small):
        multiplex(transfer.operation, name, number * into % (into * len(plans)), channels)
