"""aie-assign-tile-controller-ids."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects.declarations import device_of
from allo_air.mlir import ir
from allo_air.passes._analysis.controllers import controller_ids, give_id, tiles_of


@dataclass(frozen=True)
class AieAssignTileControllerIds(Pass):
    """Gives each tile without a controller id the packet id that addresses its controller.

    With `column-wise-unique-ids` an id depends on the row alone: 15 for shims, 26 for memtiles, 27, 29, 30 and 31 for cores;
    otherwise each tile of the device has a unique id.

    Before:

        %tile_0_2 = aie.tile(0, 2)

    After:

        %tile_0_2 = aie.tile(0, 2) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 27>}
    """

    name = "aie-assign-tile-controller-ids"
    anchor = "aie.device"
    column_wise_unique_ids: bool = True
    """Derive ids from the row alone, so that all columns have the same ids; otherwise all ids differ."""

    def run(self, op: ir.Operation, /) -> None:
        ids = controller_ids(device_of(op), column_wise=self.column_wise_unique_ids)
        for tile in tiles_of(op).values():
            give_id(tile, ids)
