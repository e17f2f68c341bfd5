"""aie-generate-column-control-overlay."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes.control._overlay import Overlay, standalone


@dataclass(frozen=True)
class AieGenerateColumnControlOverlay(Pass):
    """Adds packet flows to the tile controllers of every column that has a tile.

    `route-shim-to-tct` lets task-complete tokens travel from the shim's controller (`shim-only`), or from those of all tiles of
    the column (`all-tiles`), to the shim's South 0, where the host's controller gets them; `disable` leaves them out.
    `route-shim-to-tile-ctrl` leads packets from the shim's DMA to the controller of every tile of the column, and names the
    channels `ctrlpkt_col<c>_mm2s_chan<n>`: the lower half of the rows is served by channel 0, the upper half by channel 1.
    If August's assembly is printed, columns between those with tiles get the overlay, too. Flows have the id of the tile's
    `controller_id`; a tile without one gets the id of its row. Existing flows stay.

    Before:

        %tile_0_0 = aie.tile(0, 0) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 15>}

    After:

        %tile_0_0 = aie.tile(0, 0) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 15>}
        aie.packet_flow(0xF) {
          aie.packet_source<%tile_0_0, TileControl : 0>
          aie.packet_dest<%tile_0_0, South : 0>
        } {keep_pkt_header = true, priority_route = true}
    """

    name = "aie-generate-column-control-overlay"
    anchor = "aie.device"
    route_shim_to_tct: Literal["shim-only", "all-tiles", "disable"] = "shim-only"
    """The tiles whose task-complete tokens are routed to the shim's South 0."""
    route_shim_to_tile_ctrl: bool = False
    """Route packets from each shim's DMA to the controllers of its column."""
    emit_standalone_overlay: bool = False
    """Add a device `@NAME_overlay` before this one that has only the overlay and its tiles."""

    def run(self, op: ir.Operation, /) -> None:
        self._add(op)
        if self.emit_standalone_overlay:
            device = standalone(op)
            self._add(device)

    def _add(self, op: ir.Operation) -> None:
        overlay = Overlay(op)
        if self.route_shim_to_tct != "disable":
            overlay.tokens(all_tiles=self.route_shim_to_tct == "all-tiles")
        if self.route_shim_to_tile_ctrl:
            overlay.controllers()
