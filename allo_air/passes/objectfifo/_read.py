"""Reads the objectFifos of a device: those in shared memory, those that need DMAs, and the number of objects of each end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.dialects._places import size_stride_pairs
from allo_air.dialects.declarations import device_of
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.objectfifos import CONSUME, PRODUCE, Design, Dims, End, Fifo, Place, element_of, place_of

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoOp

_BOTH = 2
"""Value of `aie_stream`: both ends; the others are those of `port`."""


def read(device_op: AnyOp) -> Design:
    """The design of an `aie.device`; DiagnosticError if a FIFO cannot be lowered."""
    view = device_op.opview
    device = device_of(view)
    operations = [o.operation for o in view.block.operations]
    design = Design(device, device_op, view.block, {}, counting=arch_of(device).semaphore_locks)
    fifos = [o.opview for o in operations if o.name == "aie.objectfifo"]
    linked = {a.value for o in operations if o.name == "aie.objectfifo.link" for a in (*o.opview.fifoIns, *o.opview.fifoOuts)}
    reader = _Reader(design, operations, linked)
    for op in fifos:
        design.fifos[op.sym_name] = reader.fifo(op)
    return design


def _check_attributes(op: ObjectFifoOp) -> None:
    """DiagnosticError for an attribute that the lowering does not support; attributes of other dialects (with a dot) are
    ignored."""
    attribute_names = {*op.DECL.attrs, "operandSegmentSizes"}
    for name in op.operation.attributes:
        if name not in attribute_names and "." not in name:
            raise error_at(op, f"has attribute '{name}', which is not lowered here; remove it")


class _Reader:
    def __init__(self, design: Design, operations: Sequence[AnyOp], linked: set[str]):
        self.design, self.linked = design, linked
        self.delegates = {o.opview.objFifo_name: o.opview for o in operations if o.name == "aie.objectfifo.allocate"}
        named = "aie.objectfifo.register_external_buffers"
        self.registered = [o.opview for o in operations if o.name == named]
        self.cores = {o.operands[0]: o for o in operations if o.name == "aie.core"}

    def fifo(self, op: ObjectFifoOp) -> Fifo:
        _check_attributes(op)
        repeat = op.repeat_count if op.repeat_count is not None else op.memtile_repeat_count
        element = element_of(op.elemType)
        if not isinstance(element, ir.MemRefType) or not element.has_static_shape:
            raise error_at(op, f"has objects of type {element}; expected a memref of static shape")
        fifo = Fifo(op, op.sym_name, element, repeat or 1, not op.disable_synchronization)
        if fifo.repeat > 1 and not self.design.counting:
            raise error_at(
                op,
                f"sends objects {counted(fifo.repeat, 'time')} on {self.design.device.name}, "
                f"whose locks do not count; AIE2's do",
            )
        places = [self._place(op, tile) for tile in (op.producerTile, *op.consumerTiles)]
        depths = self._depths(op)
        home = self._shared(op, places, fifo)
        if home is not None:
            fifo.shared = End(fifo.name, op, home, self._place(op, home), depths[0], element, produces=True)
            return fifo
        per_consumer = _lists(op.dimensionsFromStreamPerConsumer)
        consumers = list(op.consumerTiles)
        fifo.producer = self._end(fifo, fifo.name, op.producerTile, depths[0], PRODUCE)
        fifo.producer.pin = _pin(op.prod_dma_channel)
        fifo.producer.dims = size_stride_pairs(op.dimensionsToStream)
        fifo.producer.pads = size_stride_pairs(op.padDimensions) if op.padDimensions is not None else []
        for i, (tile, depth, dims) in enumerate(zip(consumers, depths[1:], per_consumer, strict=True)):
            name = f"{fifo.name}_cons" if len(consumers) == 1 else f"{fifo.name}_{i}_cons"
            end = self._end(fifo, name, tile, depth, CONSUME)
            end.dims = dims
            if dims and end.port is not None:
                raise error_at(
                    op,
                    "reorders the data that it sends to a stream port (`aie_stream`); only a DMA does (dimensionsFromStream)",
                )
            end.element = self._consumer_objects(op, element)
            end.pin = _pin(op.cons_dma_channels[i]) if op.cons_dma_channels is not None else None
            fifo.consumers.append(end)
        return fifo

    @staticmethod
    def _consumer_objects(op: ObjectFifoOp, element: ir.Type) -> Any:
        """The objects of consumers, a whole number of which fit into one of the producer."""
        return element if op.consumerElemType is None else element_of(op.consumerElemType)

    def _place(self, op: AnyOp, tile: ir.Value) -> Place:
        place = place_of(tile)
        if place is None:
            raise error_at(op, "ends at a tile that is not placed; give its column and row, or run aie-place-tiles first")
        return place

    def _end(self, fifo: Fifo, name: str, tile: ir.Value, depth: int, port: int) -> End:
        op = fifo.op
        place = self._place(op, tile)
        kind = self.design.device.kind(*place)
        end = End(name, op, tile, place, depth, fifo.element, produces=port == PRODUCE)
        end.external = [b for o in self.registered if o.objFifo_name == fifo.name and o.tile == tile for b in o.externalBuffers]
        if not isinstance(op.elemNumber, ir.ArrayAttr) and kind == "core":
            end.depth = self._needed(fifo, tile, port, depth)
        if op.aie_stream in (_BOTH, port):
            self._stream(fifo, end, kind)
            return end
        if op.iterations is not None and kind == "mem":
            end.iterations = op.iterations
        if end.depth < 1 and kind in ("core", "mem"):
            raise error_at(op, f"has {counted(end.depth, 'object')} on tile {place}; expected at least 1")
        return end

    def _stream(self, fifo: Fifo, end: End, kind: str) -> None:
        """Makes an end a core's stream port; DiagnosticError if it needs features of a DMA."""
        op, side = fifo.op, "producer" if end.produces else "consumer"
        if kind != "core":
            raise error_at(op, f"has a stream port (`aie_stream`) as {side} on {kind} tile {end.place}; only cores have them")
        sent = (fifo.repeat > 1, op.initValues is not None, bool(size_stride_pairs(op.dimensionsToStream)))
        if fifo.name in self.linked or (end.produces and any(sent)):
            raise error_at(
                op,
                f"has a stream port (`aie_stream`) as {side}, where no objects are linked, turned, repeated or given",
            )
        if op.aie_stream_port != 0:
            raise error_at(
                op,
                f"has stream port {op.aie_stream_port} (`aie_stream_port`); cores of {self.design.device.name} have port 0",
            )
        end.port = op.aie_stream_port

    def _depths(self, op: ObjectFifoOp) -> list[int]:
        """Objects on the producer's side and on each consumer's."""
        number = op.elemNumber
        if isinstance(number, ir.ArrayAttr):
            return [n.value for n in number]
        return [number.value] * (1 + len(op.consumerTiles))

    def _needed(self, fifo: Fifo, tile: ir.Value, port: int, depth: int) -> int:
        """One object more than the core acquires at once, so that the DMA can work ahead; `depth` if it acquires none."""
        core = self.cores.get(tile)
        acquires = [] if core is None else [o.opview for o in walk_named(core, "aie.objectfifo.acquire")]
        most = max((a.size for a in acquires if a.objFifo_name == fifo.name and a.port == port), default=0)
        if not most or most == depth == 1:
            return depth
        return most + 1

    def _shared(self, op: ObjectFifoOp, places: list[Place], fifo: Fifo) -> Any:
        """The tile whose memory serves both ends without a DMA, or None."""
        delegate, device = self.delegates.get(fifo.name), self.design.device
        if delegate is None and (
            op.via_DMA
            or op.aie_stream is not None
            or op.consumerElemType is not None
            or len(places) != 2
            or fifo.repeat > 1
            or fifo.name in self.linked
            or size_stride_pairs(op.dimensionsToStream)
            or any(_lists(op.dimensionsFromStreamPerConsumer))
        ):
            return None
        producer, *rest = places
        kinds = [device.kind(*place) for place in places]
        if kinds != ["core", "core"] or len(rest) != 1:
            if delegate is not None or op.via_shared_mem is not None:
                raise error_at(delegate or op, f"{_no_access(delegate)}; its ends are not two core tiles")
            return None
        [consumer] = rest
        homes = [(op.producerTile, producer), (op.consumerTiles[0], consumer)]
        if delegate is not None:
            homes = [(delegate.delegate, self._place(delegate, delegate.delegate))]
        elif op.via_shared_mem is not None:
            homes = [homes[op.via_shared_mem]] if 0 <= op.via_shared_mem < 2 else []
        for tile, home in homes:
            if device.kind(*home) == "core" and all(device.sees_memory(viewer, home) for viewer in places):
                return tile
        if delegate is not None or op.via_shared_mem is not None:
            raise error_at(delegate or op, f"{_no_access(delegate)}, which the cores {producer} and {consumer} must both reach")
        return None


def _no_access(delegate: object) -> str:
    """mlir-aie's message for a memory that the FIFO cannot reach."""
    if delegate is not None:
        return "objectfifo has no shared memory access to delegate tile's memory"
    return "no access to shared memory module specified by `via_shared_mem`"


def _pin(channel: int | None) -> int | None:
    """The requested channel; -1 for any."""
    return None if channel is None or channel < 0 else channel


def _lists(attribute: ir.Attribute) -> list[Dims]:
    """The dimension list of each consumer."""
    text = str(attribute)
    inner = text[text.find("[") + 1 : text.rfind("]")]
    return [size_stride_pairs(piece) for piece in re.findall(r"\[([^\[\]]*)\]", inner)]
