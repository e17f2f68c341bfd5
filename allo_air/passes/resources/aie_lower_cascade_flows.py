"""aie-lower-cascade-flows."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects import aie
from allo_air.dialects.declarations import declarations, place_of
from allo_air.mlir import ir
from allo_air.passes._analysis.cascades import directions


@dataclass(frozen=True)
class AieLowerCascadeFlows(Pass):
    """Turns cascade flows between cores into the configuration of each core's cascade input and output.

    Before:

        aie.cascade_flow(%tile_0_3, %tile_1_3)

    After:

        aie.configure_cascade(%tile_0_3, North, East)
        aie.configure_cascade(%tile_1_3, West, South)
    """

    name = "aie-lower-cascade-flows"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        flows = declarations(op, "aie.cascade_flow")
        result = directions(flows)
        tiles = {place_of(f, t): t for f in flows for t in (f.source_tile, f.dest_tile)}
        for place, (into, out) in result.items():
            aie.ConfigureCascadeOp(
                tile=tiles[place], inputDir=into, outputDir=out, loc=flows[0].location, ip=ir.InsertionPoint(flows[0])
            )
        for flow in flows:
            flow.operation.erase()
