"""aie-localize-locks."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.arch import arch_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_inside
from allo_air.device import Coordinate, Device
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.mlir import arith, ir


@dataclass(frozen=True)
class AieLocalizeLocks(Pass):
    """Renumbers the locks that a core uses in the way its instructions address them.

    A core addresses the locks of its southern neighbour from 0 on, then those of the western, northern and eastern memory; an
    AIE2 core's own memory is the eastern one. Each lock that the core can access becomes a constant. Locks without an id stay
    unchanged.

    Before (a core of AIE2):

        %lock = aie.lock(%tile_1_3, 2)
        aie.core(%tile_1_3) { aie.use_lock(%lock, Release, 1) }

    After:

        aie.core(%tile_1_3) {
          %c50 = arith.constant 50 : index
          aie.use_lock(%c50, Release, 1)
        }
    """

    name = "aie-localize-locks"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        device = device_of(op)
        locks = [lock for lock in declarations(op, "aie.lock") if lock.lockID is not None]
        for core in declarations(op, "aie.core"):
            _localize(core, locks, device)


def _localize(core: ir.OpView, locks: list[ir.OpView], device: Device) -> None:
    here = place_of(core, core.tile)
    for lock in locks:
        home = place_of(lock, lock.tile)
        if device.kind(*home) != "core" or not device.sees_memory(here, home):
            continue
        first = _side_of(device, here, home) * device.tile(*home).locks
        begin = ir.InsertionPoint.at_block_begin(core.body.blocks[0])
        number = arith.ConstantOp(ir.IndexType.get(), first + lock.lockID, loc=lock.location, ip=begin).result
        for use in list(lock.operation.results[0].uses):
            if is_inside(use.owner, core):
                use.owner.operands[use.operand_number] = number


def _side_of(device: Device, here: Coordinate, home: Coordinate) -> int:
    """The side of a core at which a memory is: 0 south, 1 west, 2 north, 3 east. A core's own memory is at one of its sides."""
    if home == here:
        return 1 if arch_of(device).mirrored_rows and here[1] % 2 == 0 else 3
    if home[0] == here[0]:
        return 0 if home[1] < here[1] else 2
    return 1 if home[0] < here[0] else 3
