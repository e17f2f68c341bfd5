"""The step `specialize-channel-bundle` of air-to-aie: each channel of a bundle becomes a channel with a name."""

from __future__ import annotations

from itertools import product
from math import prod

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.names import Names
from allo_air.passes._ir.operands import with_operands


def specialize_bundles(module: AnyOp) -> None:
    """Replaces the bundles of channels in devices by single channels.

    Before: `air.channel @c [1, 2]`, `air.channel.put @c[%c0, %c1] (...)`
    After: `air.channel @channel_0 [1, 1]`, `air.channel @channel_1 [1, 1]`, `air.channel.put @channel_1[] (...)`
    """
    for device in walk_named(module, "aie.device"):
        names = Names(device)
        for channel in walk_named(device, "air.channel"):
            if prod(channel.opview.size) > 1:
                _split(device, channel, names)


def _split(device: AnyOp, channel: AnyOp, names: Names) -> None:
    name, sizes = sym_name_of(channel), list(channel.opview.size)
    ends = [o for o in walk_named(device, "air.channel.put", "air.channel.get") if o.attributes["chan_name"].value == name]
    places = [_place(op) for op in ends]
    for position in product(*map(range, sizes)):
        new_name = names.fresh("channel")
        single = channel.clone(ip=ir.InsertionPoint(channel))
        with channel.location:
            single.attributes["sym_name"] = ir.StringAttr.get(new_name)
            single.attributes["size"] = ir.ArrayAttr.get([_i64(1) for _ in sizes])
            if "broadcast_shape" in channel.attributes:
                wide = [n.value for n in channel.attributes["broadcast_shape"]]
                shape = [_i64(w if size == 1 else 1) for size, w in zip(sizes, wide, strict=True)]
                single.attributes["broadcast_shape"] = ir.ArrayAttr.get(shape)
            for op, place in zip(ends, places, strict=True):
                if all(size == 1 or index == p for size, index, p in zip(sizes, place, position, strict=True)):
                    moved = with_operands(op, {"indices": []})
                    moved.attributes["chan_name"] = ir.FlatSymbolRefAttr.get(new_name)
    channel.erase()


def _place(op: AnyOp) -> list[int]:
    """The index in the bundle at which `op` puts or gets."""
    place = [constant_of(index) for index in op.opview.indices]
    if None in place:
        raise error_at(
            op, "has an index into its bundle that is not a constant; specialize-affine-if and canonicalize make it one"
        )
    return [n for n in place if n is not None]


def _i64(number: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
