"""air-split-l2-pieces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from allo_air import dialects
from allo_air.arch import arch_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.memory._multiplexed_pieces import split_multiplexed
from allo_air.passes.memory._paired_pieces import pair_memtiles
from allo_air.passes.memory._panels import Panel, panel_of
from allo_air.passes.memory._parts import split
from allo_air.passes.memory._slabs import Channels, reads_along_rows
from allo_air.passes.memory._widen import run_bytes
from allo_air.plan.schema import plan_or_unplanned


@dataclass(frozen=True)
class AirSplitL2Pieces(Pass):
    """Splits the pieces that L2 holds of operands: panels into parts, others over pairs of memtiles and several channels.

    * A panel, an L2 buffer that is filled once and read several times, becomes parts in the order of the reads. A memtile's
      lock covers a whole buffer. With parts, the first can be read while others still arrive, and be refilled while others
      are still read. There are as many equal parts as there are steps, up to `parts` and up to `descriptors` buffer
      descriptors (one for each part on each channel). With `device`, the panel has as many parts as let it be read
      soonest: readers wait for the first part, and external memory is slower for shorter runs. Operands on a pair of
      memtiles have the descriptors of both, and an
      even number of parts. A buffer stays whole if it is read once for each fill, by more than one get, or not along one of
      its two dimensions.
    * An operand that the plan pairs (`paired`), which cores of several columns read over the same stream, is divided between
      two adjacent memtiles, with a channel for each half: runs in external memory are twice as long.
    * Pieces that are multiplexed on the first channel of a bundle (`allo.multiplexed`) are divided among several channels, so
      that no channel carries all of them.

    Before (`air-split-l2-pieces{parts=2}`):

        air.channel.put @in[] (%a[%c0, %c0] [%c4, %c64] [%c64, %c1]) : (memref<4x64xi32>)
        %m = memref.alloc() : memref<4x64xi32, 1>
        air.channel.get @in[] (%m[] [] []) : (memref<4x64xi32, 1>)
        air.channel.put @out[] (%m[%c0, %c0, %c0, %c0] [%c3, %c8, %c4, %c8] [%c0, %c8, %c64, %c1]) : (memref<4x64xi32, 1>)

    After:

        air.channel.put @in[] (%a[%c0, %c0] [%c4, %c32] [%c64, %c1]) : (memref<4x64xi32>)
        air.channel.put @in[] (%a[%c0, %c32] [%c4, %c32] [%c64, %c1]) : (memref<4x64xi32>)
        %m = memref.alloc() : memref<4x32xi32, 1>
        %n = memref.alloc() : memref<4x32xi32, 1>
        air.channel.get @in[] (%m[] [] []) : (memref<4x32xi32, 1>)
        air.channel.get @in[] (%n[] [] []) : (memref<4x32xi32, 1>)
        scf.for %i = %c0 to %c3 step %c1 {
          air.channel.put @out[] (%m[%c0, %c0, %c0] [%c4, %c4, %c8] [%c8, %c32, %c1]) : (memref<4x32xi32, 1>)
          air.channel.put @out[] (%n[%c0, %c0, %c0] [%c4, %c4, %c8] [%c8, %c32, %c1]) : (memref<4x32xi32, 1>)
        }
    """

    name = "air-split-l2-pieces"
    anchor = "func.func"
    device: str = ""
    """The device to compile for, such as npu1 or npu2_4col; without a device a buffer is split into as many parts as possible.
    """
    parts: int = 8
    """Largest number of equal parts of a buffer."""
    descriptors: int = 16
    """Buffer descriptors that these parts may take: one for each part on each channel."""
    repeated: int = 28
    """Buffer descriptors if several puts use one channel: one for each part of each put."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        function = op.operation
        module = list(parents(function))[-1]
        with op.context, op.location:
            self._split_panels(function, module)
            if plan_or_unplanned(function).is_paired:
                pair_memtiles(function, module)
            split_multiplexed(function, module)

    def _split_panels(self, function: ir.Operation, module: ir.Operation) -> None:
        device = arch_of(device_option(self.name, self.device)) if self.device else None
        for segment in walk_named(function, "air.segment"):
            for buffer in buffers_in(segment):
                panel = panel_of(buffer, module)
                if panel is None:
                    continue
                puts = sum(1 + len(r.again) for r in panel.readings)
                most = self.descriptors if puts == len(panel.readings) else self.repeated
                paired = plan_or_unplanned(function).is_paired and reads_along_rows(buffer, Channels(module))
                counts = panel.parts(min(self.parts, (2 if paired else 1) * most // (1 + puts)))
                counts = [n for n in counts if n % 2 == 0] or counts if paired else counts
                count = device.panel_parts(counts, partial(_run, panel)) if device else counts[-1]
                if count > 1:
                    split(panel, count)


def _run(panel: Panel, parts: int) -> float:
    """Contiguous bytes in external memory of the transfer that fills one part, for the given number of parts."""
    if panel.axis == 0 or parts == 1:
        return run_bytes(panel.far)
    return panel.shape[1] // parts * (element_bits(panel.buffer.value.type) or 0) / 8
