"""The columns of the array that a device uses, as a block. Blocks can be shifted and merged into one device side by side.

A device that only streams from shim to shim needs no columns: others carry its streams on idle shim channels.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from allo_air.arch.limits import MAX_PACKET_ID
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.dialects._places import size_stride_pairs
from allo_air.dialects.declarations import declarations, device_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.names import Names
from allo_air.passes.partition._shim_streams import (
    idle_channels,
    move_to_channels,
    shim_channels,
    shims_with_dma,
    streams_of,
    without_repetitions,
)

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp

_MOVABLE = (
    "aie.tile",
    "aie.lock",
    "aie.buffer",
    "aie.core",
    "aie.mem",
    "aie.memtile_dma",
    "aie.flow",
    "aie.cascade_flow",
    "aie.packet_flow",
    "aie.shim_dma_allocation",
    "aie.runtime_sequence",
)
"""Operations of a device that refer to tiles only by SSA values, so that they can be shifted."""
_BY_NAME = (
    "aiex.dma_configure_task_for",
    "aiex.dma_start_task",
    "aiex.dma_await_task",
    "aiex.dma_free_task",
    "aiex.npu.dma_memcpy_nd",
    "aiex.npu.dma_wait",
    "aie.dma_bd",
    "aie.next_bd",
    "aie.end",
)
"""Operations of a runtime sequence that refer to symbols of its device, but to no tile or register."""


class Block(NamedTuple):
    """The part of the array that a device uses: columns from its first to its last, packet ids, and for each direction the
    channels of shims. With `streams`, it only uses this number of channels in each direction, on any shim.
    """

    columns: int
    ids: int
    channels: tuple[int, int]
    streams: int


def block(device: DeviceOp) -> Block | None:
    """The block of `device`; None if the device cannot be shifted."""
    inside = declarations(device)
    if not all(_is_one(o, _MOVABLE) for o in inside) or not all(_is_by_name(o) for o in inside if _is_sequence(o)):
        return None
    ids = {f.ID for f in _flows(device)}
    if ids and not _is_stamped(device, ids):
        return None
    columns = _columns(device)
    if not columns:
        return None
    streams, directions = len(streams_of(device)), [channel.direction for channel in shim_channels(device)]
    channels = (0, 0) if streams else (directions.count(0), directions.count(1))
    return Block(0 if streams else max(columns) - min(columns) + 1, len(ids), channels, streams)


def can_be_adjacent(blocks: Iterable[tuple[Any, Block | None]]) -> bool:
    """Whether blocks fit on the array side by side; devices that only stream use idle channels of shims one after another."""
    results = list(blocks)
    kinds = {device_of(d) for d, _ in results}
    blocks_present = [block for _, block in results if block]
    fits = len(blocks_present) == len(results) and sum(b.ids for b in blocks_present) <= MAX_PACKET_ID + 1
    if len(kinds) != 1 or not fits:
        return False
    [device], streams = kinds, max((b.streams for b in blocks_present), default=0)
    has_columns = sum(b.columns for b in blocks_present) <= device.columns
    counts = [len(shims_with_dma(device)) * count for count in device.tiles["shim_noc"].channels]
    used = [streams + sum(b.channels[direction] for b in blocks_present) for direction in (0, 1)]
    return has_columns and all(n <= count for n, count in zip(used, counts, strict=True))


def join(devices: list[DeviceOp], name: str) -> None:
    """Merges `devices`, placed side by side, into one, called `name`; those that only stream use idle channels one after
    another.
    """
    streaming = sorted((d for d in devices if streams_of(d)), key=lambda d: -len(streams_of(d)))
    first, *rest = [d for d in devices if d not in streaming] or [streaming.pop(0)]
    column = 0
    ids = set[int]()
    for device in (first, *rest):
        block_of_device = block(device)
        assert block_of_device is not None
        _shift(device, column - min(_columns(device)))
        column += block_of_device.columns
        _renumber(device, ids)
        ids |= {f.ID for f in _flows(device)}
    assert column <= device_of(first).columns
    for device in rest:
        _append_device(device, first)
    channels = streams_of(first) or idle_channels(first)
    for device in streaming:
        move_to_channels(device, channels)
        _append_device(device, first)
    without_repetitions(first)
    first.operation.attributes["sym_name"] = ir.StringAttr.get(name)


def _append_device(device: DeviceOp, first: DeviceOp) -> None:
    """Appends the contents of `device` to those of `first`."""
    _rename(device, first)
    end = first.block.operations[-1].operation
    for op in [o.operation for o in device.block.operations]:
        op.move_after(end)
        end = op
    device.operation.erase()


def _is_sequence(op: AnyOp) -> bool:
    return bool(op.operation.name == "aie.runtime_sequence")


def _is_by_name(sequence: AnyOp) -> bool:
    """Whether a runtime sequence refers to no tile by its coordinates."""
    return all(_is_one(o, _BY_NAME) for o in walk_pre_order(sequence.operation) if o != sequence.operation)


def _is_one(op: AnyOp, names: tuple[str, ...]) -> bool:
    """Whether `op` is one of `names`, or does not depend on the array."""
    name = op.operation.name
    return name in names or name.split(".")[0] not in ("aie", "aiex", "air", "airrt")


def _columns(device: AnyOp) -> list[int]:
    return [t.attributes["col"].value for t in walk_named(device.operation, "aie.tile")]


def _shift(device: AnyOp, columns: int) -> None:
    """Shifts the tiles of `device` to the east by `columns`."""
    for tile in walk_named(device.operation, "aie.tile") if columns else ():
        column = tile.attributes["col"]
        tile.attributes["col"] = ir.IntegerAttr.get(column.type, column.value + columns)


def _flows(device: AnyOp) -> list[Any]:
    return declarations(device, "aie.packet_flow")


def _header_writers(device: AnyOp) -> list[ir.Operation]:
    """The operations of `device` that set packet headers."""
    return [o for o in walk_pre_order(device.operation) if "packet" in o.attributes]


def _is_stamped(device: AnyOp, ids: set[int]) -> bool:
    """Whether all packets of `device` with these ids get their headers from attribute `packet`, and no receiver reads a
    header.
    """
    is_read = any(f.keep_pkt_header for f in _flows(device)) or walk_named(device.operation, "aie.dma_bd_packet")
    return not is_read and ids == {size_stride_pairs(o.attributes["packet"])[0][1] for o in _header_writers(device)}


def _renumber(device: AnyOp, used_ids: set[int]) -> None:
    """Gives the packets of `device` new ids if theirs are in `used_ids`."""
    flows = _flows(device)
    own = sorted({f.ID for f in flows})
    free = (n for n in range(MAX_PACKET_ID + 1) if n not in used_ids and n not in own)
    new = {n: next(free) for n in own if n in used_ids}
    for flow in flows:
        flow.ID = new.get(flow.ID, flow.ID)
    for op in _header_writers(device) if new else ():
        kind, number = size_stride_pairs(op.attributes["packet"])[0]
        op.attributes["packet"] = ir.Attribute.parse(
            f"#aie.packet_info<{kind} : i64, {new.get(number, number)} : i64>", device.operation.context
        )


def _rename(device: AnyOp, first: AnyOp) -> None:
    """Renames the symbols of `device` that `first` has, too; equal functions and constants are erased."""
    names_of_first = {sym_name_of(o): o for o in _named_operations(first)}
    names = Names(first.operation, device.operation)
    new: dict[str, str] = {}
    for op in _named_operations(device):
        name = sym_name_of(op)
        if name not in names_of_first:
            continue
        if op.name in ("func.func", "memref.global") and str(op) == str(names_of_first[name]):
            op.erase()
        else:
            new[name] = names.fresh(name)
            op.attributes["sym_name"] = ir.StringAttr.get(new[name])
    for op in walk_pre_order(device.operation) if new else ():
        for attribute in list(op.attributes):
            value = op.attributes[attribute]
            if isinstance(value, ir.FlatSymbolRefAttr) and value.value in new:
                op.attributes[attribute] = ir.FlatSymbolRefAttr.get(new[value.value])


def _named_operations(device: AnyOp) -> list[Any]:
    return [o.operation for o in declarations(device) if "sym_name" in o.operation.attributes]
