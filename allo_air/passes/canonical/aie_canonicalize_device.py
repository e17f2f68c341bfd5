"""aie-canonicalize-device."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_pre_order
from allo_air.dialects import aie
from allo_air.mlir import ir


@dataclass(frozen=True)
class AieCanonicalizeDevice(Pass):
    """Wraps a module's operations in a device xcvc1902, if the module has no device; older files were written for that device.

    A module without device operations stays unchanged.

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
        ops = [view.operation for view in block.operations]
        names = [inner.name for inner in walk_pre_order(op)]
        if "aie.device" in names or not any(name.startswith(("aie.", "aiex.")) for name in names):
            return
        dialects.load(op.context, ("aie",))
        device = aie.DeviceOp(device="xcvc1902", loc=op.location, ip=ir.InsertionPoint(block))
        point = ir.InsertionPoint(device.add_block())
        for inner in ops:
            inner.detach_from_parent()
            point.insert(inner)
