"""Builds flows from producers to consumers, and the symbols by which a runtime sequence refers to shim channels."""

from __future__ import annotations

from typing import Any

from allo_air.arch.limits import MAX_PACKET_ID
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk, walk_named
from allo_air.dialects import aie
from allo_air.dialects.declarations import location_of_fifo
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import Design, End, Fifo

_REFERENCES = ("metadata", "symbol", "alloc")


class Streams:
    """Builds the flows; with `packets`, each FIFO is a packet flow with its own id. A core's stream port does not handle
    headers, so a FIFO with such an end stays a circuit.
    """

    def __init__(self, design: Design, packets: bool):
        self.design, self.packets = design, packets
        self.ids = {o.opview.ID for o in [o.operation for o in design.block.operations] if o.name == "aie.packet_flow"}
        self.packet_of: dict[str, Any] = {}
        self.allocations: dict[str, str] = {}

    def build(self) -> None:
        """Inserts flows at the FIFO, and allocations at the end of the device."""
        for fifo in self.design.fifos.values():
            if fifo.producer is None or not fifo.consumers:
                continue
            if self.packets and all(end.port is None for end in (fifo.producer, *fifo.consumers)):
                self._packet_flow(fifo)
            else:
                for consumer in fifo.consumers:
                    self._flow(fifo, consumer)
            shims = [end for end in (fifo.producer, *fifo.consumers) if self._is_shim(end)]
            if len(shims) > 1:
                raise error_at(
                    fifo.op,
                    f"ends at {counted(len(shims), 'shim tile')}; a runtime sequence reaches one of them by the "
                    f"objectFifo's name, "
                    "so give each transfer its own objectFifo",
                )
            for end in shims:
                self._allocation(fifo, end)

    def _is_shim(self, end: End) -> bool:
        return self.design.device.kind(*end.place) in ("shim_noc", "shim_pl")

    def _bundle(self, fifo: Fifo, end: End) -> str:
        if end.port is not None:
            return "Core"
        return "PLIO" if fifo.op.plio and self._is_shim(end) else "DMA"

    def _flow(self, fifo: Fifo, consumer: End) -> None:
        producer = fifo.producer
        assert producer is not None
        aie.FlowOp(
            source=producer.tile,
            dest=consumer.tile,
            source_bundle=self._bundle(fifo, producer),
            source_channel=producer.channel,
            dest_bundle=self._bundle(fifo, consumer),
            dest_channel=consumer.channel,
            loc=fifo.op.location,
            ip=ir.InsertionPoint(fifo.op),
        )

    def _packet_flow(self, fifo: Fifo) -> None:
        producer, location = fifo.producer, fifo.op.location
        assert producer is not None
        number = next((i for i in range(MAX_PACKET_ID + 1) if i not in self.ids), None)
        if number is None:
            raise error_at(fifo.op, f"needs one more packet id; there are {MAX_PACKET_ID + 1}")
        self.ids.add(number)
        self.packet_of[fifo.name] = ir.Attribute.parse(f"#aie.packet_info<0 : i64, {number} : i64>")
        flow = aie.PacketFlowOp(ID=number, loc=location, ip=ir.InsertionPoint(fifo.op))
        ip = ir.InsertionPoint(flow.ports.blocks.append())
        ends = [(aie.PacketSourceOp, producer), *((aie.PacketDestOp, c) for c in fifo.consumers)]
        for kind, end in ends:
            kind(tile=end.tile, bundle=self._bundle(fifo, end), channel=end.channel, loc=location, ip=ip)
        aie.EndOp(loc=location, ip=ip)

    def _allocation(self, fifo: Fifo, end: End) -> None:
        name = f"{fifo.name}_shim_alloc"
        aie.ShimDMAAllocationOp(
            tile=end.tile,
            sym_name=name,
            channel_dir="MM2S" if end.produces else "S2MM",
            channel_index=end.channel,
            plio=bool(fifo.op.plio),
            packet=self.packet_of.get(fifo.name) if end.produces else None,
            loc=location_of_fifo(fifo.op),
            ip=ir.InsertionPoint(self.design.block),
        )
        self.allocations[fifo.name] = name

    def rename(self) -> None:
        """Makes the device's sequences refer to the allocations instead of the FIFOs."""
        for op in walk_named(self.design.op, "aie.runtime_sequence"):
            for inner in [o.operation for o in walk(op)]:
                for key in _REFERENCES:
                    if key in inner.attributes and isinstance(inner.attributes[key], ir.FlatSymbolRefAttr):
                        self._rename(inner, key)

    def _rename(self, op: ir.Operation, key: str) -> None:
        name = op.attributes[key].value
        if name in self.allocations:
            op.attributes[key] = ir.FlatSymbolRefAttr.get(self.allocations[name])
            producer, packet = self.design.fifos[name].producer, self.packet_of.get(name)
            moves = op.name == "aiex.npu.dma_memcpy_nd" and "packet" not in op.attributes
            if moves and packet is not None and producer is not None and self._is_shim(producer):
                op.attributes["packet"] = packet
        elif name in self.design.fifos:
            raise error_at(op, f"names '@{name}', which no shim tile sends or receives")
