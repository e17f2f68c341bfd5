"""The AIRRt dialect: the host's control program, DMA transfers and loads of segments and herds, with their metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.dialects._fields import ANY, EVENT, I32, I64, MEMREF, attr, operand, region, result
from allo_air.dialects._irdl import Dialect
from allo_air.dialects._kinds import I64S, STRING
from allo_air.dialects._op import Op

if TYPE_CHECKING:
    from allo_air.asm.state import State

AIRRT = Dialect("airrt", types={"event": 0}, attributes={})


class ModuleMetadataOp(Op, name="airrt.module_metadata"):
    """The runtime's metadata of the module's segments."""

    body = region()
    terminator = "airrt.module_metadata_terminator"
    assembly = "attr-dict-with-keyword $body"


class ModuleMetadataTerminatorOp(Op, name="airrt.module_metadata_terminator"):
    """Ends `airrt.module_metadata`."""

    traits = ("terminator",)
    parents = ("airrt.module_metadata",)
    assembly = "attr-dict"


class SegmentMetadataOp(Op, name="airrt.segment_metadata"):
    """A segment's herds and DMA allocations."""

    sym_name = attr(STRING)
    herds = region()
    terminator = "airrt.segment_metadata_terminator"
    assembly = "attr-dict-with-keyword $herds"


class SegmentMetadataTerminatorOp(Op, name="airrt.segment_metadata_terminator"):
    """Ends `airrt.segment_metadata`."""

    traits = ("terminator",)
    parents = ("airrt.segment_metadata",)
    assembly = "attr-dict"


class HerdMetadataOp(Op, name="airrt.herd_metadata"):
    """A herd's place, size and DMA allocations."""

    sym_name = attr(STRING)
    assembly = "attr-dict"


class SegmentLoadOp(Op, name="airrt.segment_load"):
    """Loads the configuration of a segment."""

    handle = result(I64)
    event = result(EVENT, "optional")
    sym_name = attr(STRING)
    assembly = "$sym_name attr-dict `:` results()"

    @staticmethod
    def result_names(_: State) -> list[str]:
        return ["p", "event"]


class HerdLoadOp(Op, name="airrt.herd_load"):
    """Starts a herd, its scalar arguments (`rtp`) passed as runtime parameters."""

    rtp = operand(ANY, "variadic")
    handle = result(I64)
    event = result(EVENT, "optional")
    sym_name = attr(STRING)
    assembly = "$sym_name `(` ($rtp^)? `)` attr-dict `:` `(` (type($rtp)^)? `)` `->` results()"

    @staticmethod
    def result_names(_: State) -> list[str]:
        return ["h", "event"]


class DmaMemcpyNdOp(Op, name="airrt.dma_memcpy_nd"):
    """A transfer between `memref` and the device at (x, y): four offsets, lengths and strides, outermost first, in elements."""

    id = operand(I32)
    x = operand(I64)
    y = operand(I64)
    memref = operand(MEMREF)
    offset3 = operand(I64)
    offset2 = operand(I64)
    offset1 = operand(I64)
    offset0 = operand(I64)
    length3 = operand(I64)
    length2 = operand(I64)
    length1 = operand(I64)
    length0 = operand(I64)
    stride3 = operand(I64)
    stride2 = operand(I64)
    stride1 = operand(I64)
    stride0 = operand(I64)
    event = result(EVENT, "optional")
    assembly = {"2026-03": "airrt_dma()", "2026-08": "airrt_dma_literals()"}


class MemcpyNdOp(Op, name="airrt.memcpy_nd"):
    """A copy between two memrefs on the host's side: four offsets, lengths, and three strides."""

    dst = operand(MEMREF)
    src = operand(MEMREF)
    offsets = operand(I64, "variadic")
    event = result(EVENT, "optional")
    static_offsets = attr(I64S, optional=True)
    assembly = "generic"


class AllocOp(Op, name="airrt.alloc"):
    """Allocates `memref` on the device."""

    memref = result(MEMREF)
    assembly = "attr-dict `:` type($memref)"


class DeallocOp(Op, name="airrt.dealloc"):
    """Frees `memref`."""

    memref = operand(MEMREF)
    assembly = "$memref attr-dict `:` type($memref)"


class WaitAllOp(Op, name="airrt.wait_all"):
    """Waits for `events`, or joins them into one."""

    events = operand(EVENT, "variadic")
    event = result(EVENT, "optional")
    assembly = "($events^)? attr-dict (`:` type($event)^)?"
