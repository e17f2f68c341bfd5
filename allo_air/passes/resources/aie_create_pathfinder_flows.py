"""aie-create-pathfinder-flows."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes.resources._flow_nets import flow_nets
from allo_air.passes.resources._switch_ops import Switches


@dataclass(frozen=True)
class AieCreatePathfinderFlows(Pass):
    """Routes the flows of a device: they become connections, packet rules and arbiters of switches and shim multiplexers.

    Streams take the connections that mlir-aie's router chooses, unless a port is overloaded; then congestion is negotiated
    until none is. If August's assembly is printed, the result does not depend on the order of the flows. Packets share a
    connection if no other is free, and each stream of a switch has an arbiter of its own as long as there are any. Existing
    switches keep their content. An `aie.wire` is added for each bundle between switches and tiles; only drawings use it.
    A stream without a route is an error that names the flow and the switch that is full.

    Before:

        aie.flow(%shim_noc_tile_0_0, DMA : 0, %mem_tile_0_1, DMA : 0)

    After:

        %switchbox_0_0 = aie.switchbox(%shim_noc_tile_0_0) {
          aie.connect<South : 3, North : 3>
        }
        %shim_mux_0_0 = aie.shim_mux(%shim_noc_tile_0_0) {
          aie.connect<DMA : 0, North : 3>
        }
        %switchbox_0_1 = aie.switchbox(%mem_tile_0_1) {
          aie.connect<South : 3, DMA : 0>
        }
    """

    name = "aie-create-pathfinder-flows"
    anchor = "aie.device"
    route_circuit: bool = True
    """Route `aie.flow`."""
    route_packet: bool = True
    """Route `aie.packet_flow`."""

    def run(self, op: AnyOp, /) -> None:
        nets = [net for net in flow_nets(op) if (self.route_circuit if net.packet is None else self.route_packet)]
        if nets:
            Switches(op).put(nets)
