"""The step `to-aie-mlir` of air-to-aie: devices with the herds' bodies in cores; transfers and allocations are unchanged."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import clone_body
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects import aie
from allo_air.dialects.air import L1, HerdOp
from allo_air.mlir import ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.to_aie._herds import Settings, placed_herds
from allo_air.passes.to_aie._segment import Placed

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


def outline_cores(unit: ir.Operation, name: str, settings: Settings, before: AnyOp) -> None:
    """Creates device `name` for the herds in `unit`, before operation `before`, with a tile and a core for each of their
    cores. L1 buffers passed to a herd become buffers of each tile, other buffers become external buffers. Used channels are
    copied.

    Before: `air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) { "use"(%x) }`, after:

        aie.device(npu1) @segment_0 {
          %t = aie.tile(0, 2)
          aie.core(%t) { %c0 = arith.constant 0 : index "use"(%c0) aie.end }
        }
    """
    herds = [unit] if unit.name == "air.herd" else walk_named(unit, "air.herd")
    _, on_core = placed_herds([Placed(HerdOp(h), {}, h.block) for h in herds], settings)
    with unit.location, ir.InsertionPoint(before):
        device = aie.DeviceOp(device=settings.device.name, sym_name=name)
        block = device.add_block()
    with unit.location, ir.InsertionPoint(block):
        tiles = {place: aie.TileOp(col=place[0], row=place[1]).tile for place in on_core}
    numbers, externals = count(), dict[Any, Any]()
    for place, placed in on_core.items():
        with unit.location, ir.InsertionPoint(block):
            core = aie.CoreOp(tile=tiles[place])
            body = core.regions[0].blocks.append()
            for herd, ids in placed:
                values = dict[Any, Any]()
                for argument, value in zip(herd.op.body_args, herd.op.args, strict=True):
                    if isinstance(argument.type, ir.MemRefType):
                        with ir.InsertionPoint(core):
                            values[argument] = _buffer(argument, value, tiles[place], numbers, externals)
                with ir.InsertionPoint(body):
                    _fill(herd.op, ids, values)
            aie.EndOp(ip=ir.InsertionPoint(body))
    _bring_channels(block, device.module, before)


def _buffer(
    argument: ir.BlockArgument, value: ir.Value, tile: ir.Value, numbers: Any, externals: dict[ir.Value, ir.Value]
) -> Any:
    """The buffer on `tile` for `argument` of a herd."""
    if is_in(argument.type, L1):
        return aie.BufferOp(tile=tile, buffer=argument.type, sym_name=f"__air_herd_arg_{next(numbers)}").operation.results[0]
    if value not in externals:
        op = aie.ExternalBufferOp(buffer=argument.type, sym_name=f"__air_external_buffer_{len(externals)}")
        externals[value] = op.operation.results[0]
    return externals[value]


def _fill(herd: ir.OpView, ids: tuple[int, ...], values: dict[ir.Value, ir.Value]) -> None:
    """Clones the body of `herd` for the core with `ids` at the insertion point."""
    location = herd.operation.location
    sizes = [constant_of(v) or 0 for v in herd.sizes]
    replacements = [*zip(herd.ids, ids, strict=True), *zip(herd.size_args, sizes, strict=True)]
    for argument, number in replacements:
        values[argument] = index_constant(number, location)
    for argument, value in zip(herd.body_args, herd.args, strict=True):
        if argument not in values:
            if constant_of(value) is None:
                raise error_at(herd, f"is passed {value.type} that is not a constant, which to-aie-mlir leaves without a place")
            values[argument] = value.owner.operation.clone().results[0]
    clone_body(herd.block, values)


def _bring_channels(block: ir.Block, device: AnyOp, before: AnyOp) -> None:
    """Copies the channels that the cores of `device` use to the start of its block."""
    used = {channel_of(o) for o in walk_named(device, "air.channel.put", "air.channel.get")}
    for channel in walk_named(before.parent, "air.channel"):
        if channel.parent.operation == before.parent.operation and sym_name_of(channel) in used:
            channel.clone(ip=ir.InsertionPoint.at_block_begin(block))
