"""aie-canonicalize-device."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.dialects import aie
from allo_air.mlir import ir


@dataclass(frozen=True)
class AieCanonicalizeDevice(Pass):
    """Puts a device around the operations of a module that has none; it is xcvc1902, which such files were written for.

    Before:

        %tile = aie.tile(1, 1)

    After:

        aie.device(xcvc1902) {
          %tile_1_1 = aie.tile(1, 1)
        }
    """

    name = "aie-canonicalize-device"
    anchor = "builtin.module"

    def run(self, op: ir.Operation, /) -> None:
        block = op.regions[0].blocks[0]
        held = [view.operation for view in block.operations]
        if any(inner.name == "aie.device" for inner in held):
            return
        device = aie.DeviceOp(device="xcvc1902", loc=op.location, ip=ir.InsertionPoint(block))
        holder = device.regions[0].blocks.append()
        hidden = ir.Operation.create("builtin.module", regions=1, loc=op.location, ip=ir.InsertionPoint(holder))
        point = ir.InsertionPoint(hidden.regions[0].blocks.append())
        for inner in held:
            inner.detach_from_parent()
            point.insert(inner)
